//! Splits as they go out.

use jiff::civil::Date;
use tillroll_domain::splits::PartyAmount;
use tillroll_wire::split::{SplitChangeView, SplitDayView, SplitList, SplitPart, SplitView};

use crate::splits::{Split, SplitRecord};
use crate::store::SplitDay;

/// A split as it stands; `replayed` when nothing is new.
pub(crate) fn split_view(split: Split, replayed: bool) -> SplitView {
    let part = |part: PartyAmount| SplitPart {
        party: part.party.to_string(),
        amount_minor: part.amount_minor.0,
    };
    SplitView {
        split_id: split.id,
        no: split.key.seq,
        of: split.of,
        day: split.day,
        amount_minor: split.amount.0,
        currency: split.currency.code().to_owned(),
        parts: split.parts.into_iter().map(part).collect(),
        table_version: split.table_version,
        state: split.facts.state.to_string(),
        reason: split.reason.map(|reason| reason.to_string()),
        confirmed: split.facts.confirmed,
        tries: split.facts.tries,
        may_be_paid: split.facts.doubtful,
        by_hand: split.facts.by_hand,
        due_at: split.due_at,
        created_at: split.created_at,
        changed_at: split.changed_at,
        history: Vec::new(),
        replayed,
    }
}

/// The same with what happened to it.
pub(in crate::http) fn with_history(view: SplitView, history: Vec<SplitRecord>) -> SplitView {
    let change = |record: SplitRecord| SplitChangeView {
        version: record.version,
        event: record.event,
        state: record.state.to_string(),
        reason: record.reason.map(|reason| reason.to_string()),
        by: record.by,
        note: record.note,
        at: record.at,
    };
    SplitView { history: history.into_iter().map(change).collect(), ..view }
}

/// One page of splits, of at most `limit`.
pub(crate) fn split_list(splits: Vec<Split>, limit: u32) -> SplitList {
    let is_full = u32::try_from(splits.len()).is_ok_and(|count| count >= limit);
    let next = splits.last().filter(|_| is_full).map(|split| split.key.seq);
    SplitList { splits: splits.into_iter().map(|split| split_view(split, false)).collect(), next }
}

/// A day's splits.
pub(in crate::http) fn split_day_view(
    day: Date,
    SplitDay { shares, refunds }: SplitDay,
) -> SplitDayView {
    SplitDayView { day, shares, refunds }
}
