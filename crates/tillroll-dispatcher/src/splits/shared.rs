//! Sales and refunds that registers tell of: prepared and confirmed in one step, the same for every engine.

use jiff::Timestamp;
use tillroll_domain::ids::JobId;
use tillroll_domain::splits::{Pace, SplitState};
use tillroll_wire::Code;

use super::row::AskedSplit;
use super::{NewSplit, NoParts, Split};
use crate::job::StoreNo;
use crate::store::fact::{Refused, Shared};

impl NewSplit {
    /// The split of a sale or refund. Its id is the job id, so that one sale makes one split, whoever tells of it.
    pub(crate) fn shared(store: StoreNo, shared: &Shared, now: Timestamp) -> Self {
        let asked = AskedSplit {
            of: shared.of.as_ref().map(JobId::to_string),
            day: shared.day,
            amount: shared.amount,
            currency: shared.currency,
            paid_at: shared.paid_at,
            pace: Pace::Till,
        };
        Self::of(store, shared.id.to_string(), asked, now)
    }

    /// Whether a known split of its id moves the same money.
    ///
    /// # Errors
    /// The refusal, where it does not.
    pub(crate) fn check_same_money(&self, known: &Split) -> Result<(), Refused> {
        let is_same =
            (self.amount, self.currency, &self.of) == (known.amount, known.currency, &known.of);
        if is_same {
            return Ok(());
        }
        let detail = format!(
            "id: shared before as {} {}, with fingerprint {}",
            known.amount.0,
            known.currency.code(),
            known.fingerprint
        );
        Err(Refused::new(Code::Conflict, detail))
    }
}

impl Split {
    /// Whether it still waits for somebody to confirm it.
    pub(crate) fn is_unconfirmed(&self) -> bool {
        self.facts.state == SplitState::Init && !self.facts.confirmed
    }
}

impl From<NoParts> for Refused {
    fn from(error: NoParts) -> Self {
        Self::new(Code::InvalidValue, format!("{}: {error}", error.field()))
    }
}
