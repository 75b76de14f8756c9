//! An entry of the ledger: what one request changed, and so the answer to it.

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::Part;

/// What was counted, under the store's next flow number; written once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The flow number.
    pub flow_no: i64,
    /// The request's id.
    pub request_id: String,
    /// The request's fingerprint.
    pub fingerprint: Fingerprint,
    /// Its business day.
    pub day: Date,
    /// What it was.
    pub kind: EntryKind,
    /// Number of the register in its store; none for a change of stock.
    pub register: Option<i64>,
    /// Its amount, never negative.
    pub amount_minor: i64,
    /// What moved.
    pub moved: Vec<Moved>,
    /// Sales and refunds of the register on that day, this one included.
    pub register_count: i64,
    /// Its sales less its refunds on that day, this one included.
    pub register_net_minor: i64,
    /// When it was counted.
    pub counted_at: Timestamp,
}

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A sale.
    Sale,
    /// A refund.
    Refund,
    /// Stock was set.
    Set,
    /// Stock was adjusted.
    Adjust,
}

/// One sku that moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The sku.
    pub sku: Part,
    /// By how much its stock changed.
    pub by: i64,
    /// What was left.
    pub left: i64,
}

impl EntryKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Sale, Self::Refund, Self::Set, Self::Adjust];

    /// The word in rows and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sale => "sale",
            Self::Refund => "refund",
            Self::Set => "set",
            Self::Adjust => "adjust",
        }
    }

    /// The kind of a word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// What moved, as it stands in a row: sku, by how much, what was left.
pub(crate) fn moved_to_text(moved: &[Moved]) -> String {
    let parts = moved.iter().map(|Moved { sku, by, left }| format!("{sku},{by},{left}"));
    parts.collect::<Vec<_>>().join(";")
}

/// Reads what [`moved_to_text`] wrote; `None` where it did not.
pub(crate) fn moved_of_text(text: &str) -> Option<Vec<Moved>> {
    let read = |part: &str| {
        let mut fields = part.split(',');
        let sku = fields.next()?.parse().ok()?;
        let by = fields.next()?.parse().ok()?;
        let left = fields.next()?.parse().ok()?;
        fields.next().is_none().then_some(Moved { sku, by, left })
    };
    text.split(';').map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moved_reads_back_and_nothing_else_does() {
        let moved = vec![
            Moved { sku: "soup-1.5~l".parse().unwrap(), by: -2, left: 98 },
            Moved { sku: "tea".parse().unwrap(), by: 1, left: i64::MAX },
        ];
        let text = moved_to_text(&moved);
        assert_eq!(text, "soup-1.5~l,-2,98;tea,1,9223372036854775807");
        assert_eq!(moved_of_text(&text), Some(moved));
        for other in ["", "soup", "soup,1", "soup,1,2,3", "soup,x,2", "so up,1,2", "soup,1,2;"] {
            assert_eq!(moved_of_text(other), None, "{other}");
        }
    }
}
