//! The head office's column of a day, and how it differs.

use jiff::SignedDuration;
use jiff::civil::Date;
use tillroll_domain::money::Minor;
use tillroll_domain::reconciliation::{CloudColumn, Cure, Difference, Totals, cloud_differences};
use tillroll_store::CloudRow;
use tillroll_sync::{CloudStatus, Connectivity, DRIFT_LIMIT};
use tillroll_wire::day::CloudDay;

use crate::Register;
use crate::problem::Problem;
use crate::view::{CloudSource, CloudView, TotalsView};

/// The column of a day and what differs in it.
pub(crate) struct CloudFigures {
    pub view: CloudView,
    pub differences: Vec<Difference>,
}

impl Register {
    /// What the head office has of a day: asked, when it is there and answers soon; otherwise as far as it
    /// has acknowledged it here.
    pub(crate) async fn cloud_of(
        &self,
        day: Date,
        register: &Totals,
    ) -> Result<CloudFigures, Problem> {
        let outbox = self.store().outbox_counts().await?;
        let Some(row) = self.cloud_row().await? else {
            let view = CloudView { unsent: outbox.waiting, ..CloudView::default() };
            return Ok(CloudFigures {
                view: CloudView { oldest_unsent_at: outbox.oldest_at, ..view },
                differences: Vec::new(),
            });
        };
        let status = self.cloud_seat().status().unwrap_or_default();
        let asked = if is_online(&status) { self.cloud_seat().day(day).await } else { None };
        // Read after the answer, so that what it did not know of yet counts as waiting.
        let own = self.store().acknowledged_day(day).await?;
        let source =
            if asked.is_some() { CloudSource::HeadOffice } else { CloudSource::Acknowledged };
        let totals = asked.as_ref().map_or(own.totals, totals_of);
        let view = CloudView {
            paired: true,
            source: Some(source),
            totals: Some(TotalsView::from(&totals)),
            printed: asked.map(|day| day.printed),
            unsent: outbox.waiting,
            oldest_unsent_at: outbox.oldest_at,
            refused: outbox.parked,
        };
        let column =
            CloudColumn { totals: Some(totals), waiting: own.waiting, refused: own.parked };
        let mut differences = cloud_differences(register, &column);
        differences.extend(clock_difference(&row, &status));
        Ok(CloudFigures { view, differences })
    }

    /// What differs of a day at the head office as far as this register knows it by itself: a close asks nobody.
    pub(crate) async fn known_cloud_differences(
        &self,
        day: Date,
    ) -> Result<Vec<Difference>, Problem> {
        let Some(row) = self.cloud_row().await? else { return Ok(Vec::new()) };
        let own = self.store().acknowledged_day(day).await?;
        let column = CloudColumn { totals: None, waiting: own.waiting, refused: own.parked };
        let mut differences = cloud_differences(&own.totals, &column);
        let status = self.cloud_seat().status().unwrap_or_default();
        differences.extend(clock_difference(&row, &status));
        Ok(differences)
    }

    /// Whether the head office can be asked now.
    pub(crate) fn is_cloud_online(&self) -> bool {
        self.cloud_seat().status().is_some_and(|status| is_online(&status))
    }
}

fn is_online(status: &CloudStatus) -> bool {
    matches!(status.connection, Connectivity::Online { .. })
}

fn totals_of(day: &CloudDay) -> Totals {
    Totals {
        receipts: day.receipts,
        refunds: day.refunds,
        gross_minor: Minor(day.gross_minor),
        refunded_minor: Minor(day.refunded_minor),
        tenders: day.tenders.iter().map(|(name, sum)| (name.clone(), Minor(*sum))).collect(),
    }
}

/// A clock that is wrong puts receipts on the wrong day.
fn clock_difference(row: &CloudRow, status: &CloudStatus) -> Option<Difference> {
    let drift: SignedDuration = status.drift.or(row.drift)?;
    let drift_ms = i64::try_from(drift.as_millis()).unwrap_or(i64::MAX);
    let wrong = drift.abs() > DRIFT_LIMIT;
    wrong.then_some(Difference::ClockDrift { drift_ms, cure: Cure::SetClock })
}
