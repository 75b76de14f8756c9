//! The day: three columns, every difference, cash, and the close.

use jiff::civil::Date;
use tillroll_domain::ids::JobKind;
use tillroll_domain::money::Minor;
use tillroll_domain::reconciliation::{Cash, CashCount, Cure, Difference, differences};
use tillroll_store::{
    CashMovement, Closing, DayView as StoredDay, MovementKind, SessionView, StoreError,
};

use crate::cloud::CloudFigures;
use crate::problem::{Code, Problem};
use crate::view::{CashBody, CloseBody, ClosingView, DayView, TotalsView};
use crate::z_report::z_report;
use crate::{Access, Register};

/// The longest reason, in bytes.
const REASON_MAX: usize = 500;

impl Register {
    /// The reconciliation of a day.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn day(&self, day: Date) -> Result<DayView, Problem> {
        let stored = self.store().day(day).await?;
        let CloudFigures { view, differences } = self.cloud_of(day, &stored.register).await?;
        let mut found = differences_of(&stored);
        found.extend(differences);
        let openings = self.store().drawer_openings(day).await?;
        Ok(DayView::of(day, &stored, view, found).with_openings(openings))
    }

    /// What the POS says of a day.
    ///
    /// # Errors
    /// When nothing can be stored.
    pub async fn declare_pos_totals(&self, day: Date, totals: TotalsView) -> Result<(), Problem> {
        let declared = totals.into_totals()?;
        Ok(self.store().declare_pos_totals(day, declared, self.clock().now()).await?)
    }

    /// A movement of cash that is no sale.
    ///
    /// # Errors
    /// A negative amount, or a paid-out without a reason.
    pub async fn move_cash(
        &self,
        access: &Access,
        day: Date,
        body: &CashBody,
    ) -> Result<(), Problem> {
        let amount = Minor(body.amount_minor);
        if !amount.is_plain() {
            return Err(Problem::value("amount_minor", "must not be negative"));
        }
        let reason = stated(body.reason.as_deref())?;
        let needs_reason = matches!(body.kind, MovementKind::PaidIn | MovementKind::PaidOut);
        if needs_reason && reason.is_none() {
            return Err(Problem::value("reason", "is required for cash paid in or out"));
        }
        let movement =
            CashMovement { kind: body.kind, amount, reason, moved_at: self.clock().now() };
        Ok(self.store().record_cash(day, movement, Some(access.0.id)).await?)
    }

    /// Closes the open session of a day, with differences or without, and prints its Z report.
    ///
    /// # Errors
    /// [`crate::problem::Code::NotAllowed`] without an open session; [`crate::problem::Code::Forbidden`]
    /// without the right to manage; the field `reason` where the cash counted differs and nobody says why.
    pub async fn close_day(
        &self,
        access: &Access,
        day: Date,
        body: &CloseBody,
    ) -> Result<ClosingView, Problem> {
        access.manages()?;
        let reason = stated(body.reason.as_deref())?;
        let cloud_differences = self.known_cloud_differences(day).await?.len();
        let signed = Signed { reason, by: access.name().to_owned(), cloud_differences };
        let closing = Closing {
            day,
            z_no: body.z_no,
            count: self.count(body)?,
            client: Some(access.0.id),
            register: self.settings().register.to_string(),
        };
        let figures = move |day: &StoredDay, session: &SessionView| figures(day, session, &signed);
        let closed = self.store().close_session(closing, figures, self.clock().now()).await?;
        self.print_report(day, &closed).await;
        Ok(closed)
    }

    fn count(&self, body: &CloseBody) -> Result<Option<CashMovement>, Problem> {
        let Some(counted) = body.counted_minor else { return Ok(None) };
        if !Minor(counted).is_plain() {
            return Err(Problem::value("counted_minor", "must not be negative"));
        }
        Ok(Some(CashMovement {
            kind: MovementKind::Count,
            amount: Minor(counted),
            reason: stated(body.reason.as_deref())?,
            moved_at: self.clock().now(),
        }))
    }

    /// The close stands; a report that cannot be recorded is logged and can be read on the screen.
    async fn print_report(&self, day: Date, closing: &ClosingView) {
        let recorded = self.record_z_report(day, closing).await;
        // Its paper was recorded before, in other words or another language: that one stands.
        if let Err(problem) = recorded
            && problem.code != Code::Conflict
        {
            tracing::warn!(%problem, z_no = closing.z_no, "the Z report could not be recorded for printing");
        }
    }

    /// A program that ended between a close and its report left the report behind: it is recorded now. One
    /// that was recorded is not recorded again.
    pub(crate) async fn print_missing_report(&self) {
        let closing = match self.store().last_closed().await {
            Ok(Some((day, text))) => serde_json::from_str(&text).map(|closing| (day, closing)),
            Ok(None) => return,
            Err(error) => {
                tracing::warn!(%error, "the last close could not be read");
                return;
            }
        };
        match closing {
            Ok((day, closing)) => self.print_report(day, &closing).await,
            Err(error) => tracing::warn!(%error, "the figures of the last close do not read back"),
        }
    }

    async fn record_z_report(&self, day: Date, closing: &ClosingView) -> Result<(), Problem> {
        let settings = self.settings();
        let (locale, register) = (settings.locale.as_str(), settings.register.as_str());
        let document = z_report(day, closing, settings.currency, locale, register);
        let order = format!("{register}~{}~z{}", day.strftime("%Y%m%d"), closing.z_no);
        let printer = self.store().printer_for(JobKind::Report, None).await?;
        self.record_report(&order, &document, printer.id).await?;
        Ok(())
    }
}

/// A reason without blanks around it; `None` when there is nothing else.
fn stated(reason: Option<&str>) -> Result<Option<String>, Problem> {
    let reason = reason.map(str::trim).filter(|reason| !reason.is_empty());
    if reason.is_some_and(|reason| reason.len() > REASON_MAX) {
        return Err(Problem::value("reason", format!("must be at most {REASON_MAX} bytes")));
    }
    Ok(reason.map(str::to_owned))
}

fn differences_of(day: &StoredDay) -> Vec<Difference> {
    let flow = day.flow_numbers.iter().copied();
    let mut found = differences(day.pos.as_ref(), &day.register, &day.paper, flow);
    for session in &day.sessions {
        found.extend(cash_difference(session));
    }
    found
}

/// Who closes a session, why the cash differs, and how much differed at the head office then.
struct Signed {
    by: String,
    reason: Option<String>,
    cloud_differences: usize,
}

/// What a session is closed with: its JSON, and the view of it.
fn figures(
    day: &StoredDay,
    session: &SessionView,
    signed: &Signed,
) -> Result<(String, ClosingView), StoreError> {
    let closing = closing_of(day, session, signed);
    let differs = closing.cash_difference_minor.is_some_and(|difference| difference != 0);
    if differs && closing.cash_reason.is_none() {
        let must = "is required: the cash counted differs from what must be there";
        return Err(StoreError::Field { field: "reason", must });
    }
    let text = serde_json::to_string(&closing);
    Ok((text.map_err(|error| StoreError::Unreadable(error.to_string()))?, closing))
}

fn closing_of(day: &StoredDay, session: &SessionView, signed: &Signed) -> ClosingView {
    let cash = cash_of(session);
    let count = count_of(session);
    ClosingView {
        z_no: session.z_no,
        totals: TotalsView::from(&session.totals),
        recorded: session.paper.recorded,
        settled: session.paper.settled(),
        cash_expected_minor: cash.expected().0,
        cash_counted_minor: count.as_ref().map(|count| count.counted_minor.0),
        cash_difference_minor: count.as_ref().map(|count| count.difference(&cash).0),
        cash_reason: count.and_then(|count| count.reason.or_else(|| signed.reason.clone())),
        differences: differences_of(day).len() + signed.cloud_differences,
        closed_by: Some(signed.by.clone()),
    }
}

/// Cash of a session: the last float, and everything paid in and out.
pub(crate) fn cash_of(session: &SessionView) -> Cash {
    let mut cash = Cash {
        sales_minor: session.totals.tenders.get("cash").copied().unwrap_or_default(),
        ..Cash::default()
    };
    for movement in &session.cash {
        match movement.kind {
            MovementKind::Float => cash.float_minor = movement.amount,
            MovementKind::PaidIn => cash.paid_in_minor = cash.paid_in_minor + movement.amount,
            MovementKind::PaidOut => cash.paid_out_minor = cash.paid_out_minor + movement.amount,
            MovementKind::Count => {}
        }
    }
    cash
}

/// The last count of a session.
pub(crate) fn count_of(session: &SessionView) -> Option<CashCount> {
    let last = session.cash.iter().rev().find(|movement| movement.kind == MovementKind::Count)?;
    Some(CashCount { counted_minor: last.amount, reason: last.reason.clone() })
}

fn cash_difference(session: &SessionView) -> Option<Difference> {
    let count = count_of(session)?;
    let difference_minor = count.difference(&cash_of(session));
    (difference_minor != Minor::ZERO).then_some(Difference::CashDifference {
        difference_minor,
        reason: count.reason,
        cure: Cure::Recount,
    })
}
