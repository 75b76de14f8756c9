//! A day's splits as the head office has them, and what a manager does about those left to people.

use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use tillroll_domain::splits::Verb;
use tillroll_store::SplitDay;
use tillroll_sync::LinkError;
use tillroll_wire::split::{BY_MAX, NOTE_MAX, SplitAction, SplitDayView, SplitList};

use crate::problem::{Code, Problem};
use crate::view::{ManualSplitView, SplitBody, SplitsView};
use crate::{Access, Register};

/// The longest id, in bytes: a job id fits well.
const ID_MAX: usize = 300;
/// Numbers that did not change are noted again after so long.
const NOTE_AGAIN: SignedDuration = SignedDuration::from_mins(1);

impl Register {
    /// A day's splits: as the head office has them, when it is there and answers soon; otherwise as it told them
    /// last.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn splits(&self, day: Date) -> Result<SplitsView, Problem> {
        let manual = match self.ask_splits(day).await {
            Some((told, manual)) => {
                self.keep_splits(told).await;
                Some(manual)
            }
            None => None,
        };
        let kept = self.store().split_day(day).await?;
        Ok(SplitsView::of(self.store().shares_orders(), kept, manual))
    }

    async fn ask_splits(&self, day: Date) -> Option<(SplitDayView, SplitList)> {
        if !self.is_cloud_online() {
            return None;
        }
        let seat = self.cloud_seat();
        let (told, manual) = tokio::join!(seat.split_day(day), seat.manual_splits());
        Some((told?, manual?))
    }

    /// Numbers that cannot be kept are told all the same the next time.
    async fn keep_splits(&self, told: SplitDayView) {
        let now = self.clock().now();
        let known = self.store().split_day(told.day).await;
        if known.is_ok_and(|known| is_noted(&known, &told, now)) {
            return;
        }
        if let Err(error) = self.store().keep_split_day(told, now).await {
            tracing::warn!(%error, "the day's splits could not be kept");
        }
    }

    /// Does what a manager asks of a split: `retry`, `settle` with the evidence, `cancel` with the reason. It is
    /// done at the head office.
    ///
    /// # Errors
    /// [`Code::Forbidden`]; the field at fault; [`Code::NotFound`]; [`Code::CloudRefused`] when its state does not
    /// allow it; [`Code::CloudUnreachable`]; [`Code::NotAllowed`] without a head office.
    pub async fn answer_split(
        &self,
        access: &Access,
        id: &str,
        verb: Verb,
        body: &SplitBody,
    ) -> Result<ManualSplitView, Problem> {
        access.manages()?;
        check_id(id)?;
        let by = access.name().chars().take(BY_MAX / 4).collect();
        let action = SplitAction { by, note: note(verb, body.note.as_deref())? };
        let done = self.cloud_seat().act_on_split(id, verb, &action).await;
        let none = || Problem::new(Code::NotAllowed, "this register has no head office");
        let split = done.ok_or_else(none)?.map_err(refused)?;
        tracing::info!(client = access.name(), split = id, %verb, "a split was answered");
        self.tell_cloud_changed();
        Ok(split.into())
    }
}

fn is_noted(known: &SplitDay, told: &SplitDayView, now: Timestamp) -> bool {
    let Some((before, at)) = &known.told else { return false };
    before == told && now.duration_since(*at).abs() < NOTE_AGAIN
}

/// An id stands in an address of the head office: nothing in it may lead to another one.
fn check_id(id: &str) -> Result<(), Problem> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._~:-".contains(&byte);
    let is_step = matches!(id, "." | "..");
    if (1..=ID_MAX).contains(&id.len()) && id.bytes().all(plain) && !is_step {
        return Ok(());
    }
    Err(Problem::new(Code::NotFound, "there is no such split"))
}

/// What a manager says; needed for all that ends the matter.
fn note(verb: Verb, note: Option<&str>) -> Result<Option<String>, Problem> {
    let note = note.map(str::trim).filter(|note| !note.is_empty());
    if note.is_none() && verb != Verb::Retry {
        return Err(Problem::value("note", "is required: why, or what proves that it is paid?"));
    }
    if note.is_some_and(|note| note.len() > NOTE_MAX) {
        return Err(Problem::value("note", format!("must be at most {NOTE_MAX} bytes")));
    }
    Ok(note.map(str::to_owned))
}

fn refused(error: LinkError) -> Problem {
    let LinkError::Refused(problem) = &error else { return error.into() };
    if problem.code == tillroll_wire::Code::NotFound {
        return Problem::new(Code::NotFound, "there is no such split");
    }
    let detail = problem.detail.clone();
    Problem { detail, ..Problem::caused(Code::CloudRefused, error) }
}
