//! Splits as they come in, and why one is refused.

mod table;
mod view;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_domain::money::{Currency, Minor};
use tillroll_domain::splits::{Pace, Verb};
use tillroll_wire::Code;
use tillroll_wire::split::{BY_MAX, NOTE_MAX, SplitAction};
use utoipa::ToSchema;

pub use self::table::{ShareBody, ShareTableBody, ShareTableList, ShareTableView};
pub(super) use self::view::{split_day_view, with_history};
pub(crate) use self::view::{split_list, split_view};
use super::problem::Refusal;
use crate::job::StoreNo;
use crate::splits::{ActError, AskedSplit, NewSplit, NoParts};

/// The longest id, in bytes.
const ID: usize = 128;

/// A paid order to be shared, or a refund of one.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "NewSplit")]
pub(super) struct SplitBody {
    /// Its id, unique in the store: the same id makes one split.
    #[schema(min_length = 1, max_length = 128, pattern = "^[A-Za-z0-9._~:-]+$")]
    split_id: String,
    /// The business day, by the store's own zone and cut-off.
    #[schema(value_type = String, format = Date)]
    day: Date,
    /// The amount.
    #[schema(minimum = 1, maximum = 99_999_999_999_999_i64)]
    amount_minor: i64,
    /// Its currency, as `CNY`.
    #[schema(value_type = String)]
    currency: Currency,
    /// When it was paid: this decides the share table.
    #[schema(value_type = String, format = DateTime)]
    paid_at: Timestamp,
    /// `till` where somebody waits for the money to move; `background` without it.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^(till|background)$")]
    pace: Option<Pace>,
    /// The id of the split that a refund takes back from, in proportion to what each party has left.
    #[serde(default)]
    #[schema(max_length = 128)]
    of: Option<String>,
}

impl SplitBody {
    pub(super) fn read(self, store: StoreNo, now: Timestamp) -> Result<NewSplit, Refusal> {
        check_id("split_id", &self.split_id)?;
        let amount = Minor(self.amount_minor);
        if amount < Minor(1) || !amount.is_plain() {
            return Err(Refusal::value("amount_minor", "must be from 1 to 99999999999999"));
        }
        let pace = self.pace.unwrap_or(Pace::Background);
        let asked = AskedSplit {
            of: self.of,
            day: self.day,
            amount,
            currency: self.currency,
            paid_at: self.paid_at,
            pace,
        };
        Ok(NewSplit::of(store, self.split_id, asked, now))
    }
}

fn check_id(field: &str, id: &str) -> Result<(), Refusal> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._~:-".contains(&byte);
    if (1..=ID).contains(&id.len()) && id.bytes().all(plain) {
        return Ok(());
    }
    Err(Refusal::value(field, format!("must be 1 to {ID} of A-Z a-z 0-9 . _ ~ : -")))
}

/// Who asks for it, and why.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "SplitAction")]
pub(super) struct ActionBody {
    /// The person.
    #[schema(min_length = 1, max_length = 200)]
    pub by: String,
    /// The reason; to settle, the evidence that it is paid.
    #[serde(default)]
    #[schema(max_length = 1000)]
    pub note: Option<String>,
}

impl From<ActionBody> for SplitAction {
    fn from(ActionBody { by, note }: ActionBody) -> Self {
        Self { by, note }
    }
}

/// What is asked for, where the person said enough for it.
pub(super) fn check_action(action: &str, said: &SplitAction) -> Result<Verb, Refusal> {
    let verb: Verb = action.parse().map_err(|_| Refusal::not_found("action"))?;
    if said.by.trim().is_empty() || said.by.len() > BY_MAX {
        let must = format!("must name the person, in at most {BY_MAX} bytes");
        return Err(Refusal::value("by", must));
    }
    let note = said.note.as_deref().unwrap_or_default();
    if verb != Verb::Retry && note.trim().is_empty() {
        return Err(Refusal::value("note", "must say why, or what proves it"));
    }
    if note.len() > NOTE_MAX {
        return Err(Refusal::value("note", format!("must be at most {NOTE_MAX} bytes")));
    }
    Ok(verb)
}

impl From<NoParts> for Refusal {
    fn from(error: NoParts) -> Self {
        Self::value(error.field(), error)
    }
}

impl From<ActError> for Refusal {
    fn from(error: ActError) -> Self {
        match error {
            ActError::NotFound => Self::not_found("split"),
            ActError::Store(error) => error.into(),
            ActError::Refused(_) | ActError::OriginalNotPaid(_) => {
                Self::new(Code::NotAllowed, error.to_string())
            }
            ActError::Busy => Self::new(Code::InProgress, error.to_string()),
        }
    }
}
