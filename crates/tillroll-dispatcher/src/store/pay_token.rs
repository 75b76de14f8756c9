//! Pay tokens: each lets one payment be done, once. Whoever consumes it pays, and says with what result;
//! everybody else is told.
//!
//! Invariants:
//! - Of any number of consumers one wins, for good. A token that nobody consumed in time is worth nothing.
//! - Every step may be asked again with the same ids and comes to the same.
//! - Rows stay: a token is never issued, consumed or completed a second time.

use std::future::Future;

use jiff::Timestamp;
use tillroll_domain::fingerprint::Fingerprint;

use super::Stored;
use crate::job::{RegisterNo, StoreNo};

/// A token that is to be issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPayToken {
    /// The token: it grows with time.
    pub token: String,
    /// Who asks for it, with this id, gets the same token again.
    pub request_id: String,
    /// The register that is paid at.
    pub register: RegisterNo,
    /// What is paid, in minor units; above zero.
    pub amount_minor: i64,
    /// Of what was asked for: register and amount.
    pub fingerprint: Fingerprint,
    /// When it is issued.
    pub now: Timestamp,
    /// From then on it cannot be consumed.
    pub expires_at: Timestamp,
}

/// A token as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayToken {
    /// The token.
    pub token: String,
    /// The id it was asked for with.
    pub request_id: String,
    /// Of what was asked for.
    pub fingerprint: Fingerprint,
    /// The register that is paid at.
    pub register: RegisterNo,
    /// The register's name.
    pub register_name: String,
    /// What is paid, in minor units.
    pub amount_minor: i64,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// From then on it cannot be consumed.
    pub expires_at: Timestamp,
    /// By whom and when it was consumed.
    pub consumed: Option<(String, Timestamp)>,
    /// With what result, in JSON, and when it was completed.
    pub completed: Option<(String, Timestamp)>,
}

/// Which token, and of which register it must be; `None` for any of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayTokenKey {
    /// The store.
    pub store: StoreNo,
    /// The token.
    pub token: String,
    /// The register that alone may know of it.
    pub register: Option<RegisterNo>,
}

/// What an issue came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Issued {
    /// It is new.
    New(PayToken),
    /// It was issued under this request id before.
    Replayed(PayToken),
    /// Another register or amount was asked for under this request id.
    Conflict {
        /// Fingerprint of what was asked for first.
        stored: Fingerprint,
    },
}

/// What a consumption came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consumed {
    /// The asker consumes it: it alone may pay.
    Won(PayToken),
    /// The asker consumed it before.
    Replayed(PayToken),
    /// Somebody else did, and may have completed it.
    Taken(PayToken),
    /// Nobody did in time.
    Expired(PayToken),
}

/// What a completion came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completed {
    /// The result is stored.
    Done(PayToken),
    /// The same result was stored before.
    Replayed(PayToken),
    /// Another result was stored before.
    Conflict(PayToken),
    /// Somebody else consumed it.
    Taken(PayToken),
    /// Nobody consumed it.
    NotConsumed(PayToken),
}

impl NewPayToken {
    /// What an issue comes to whose request id is known already.
    pub(crate) fn meets(&self, known: PayToken) -> Issued {
        if known.fingerprint == self.fingerprint {
            Issued::Replayed(known)
        } else {
            Issued::Conflict { stored: known.fingerprint }
        }
    }
}

impl PayToken {
    /// What a consumption that changed nothing came to.
    pub(crate) fn not_consumed_by(self, consume_id: &str) -> Consumed {
        match &self.consumed {
            Some((by, _)) if by == consume_id => Consumed::Replayed(self),
            Some(_) => Consumed::Taken(self),
            None => Consumed::Expired(self),
        }
    }

    /// What a completion that changed nothing came to.
    pub(crate) fn not_completed_by(self, consume_id: &str, result: &str) -> Completed {
        match (&self.consumed, &self.completed) {
            (None, _) => Completed::NotConsumed(self),
            (Some((by, _)), _) if by != consume_id => Completed::Taken(self),
            (_, Some((stored, _))) if stored == result => Completed::Replayed(self),
            _ => Completed::Conflict(self),
        }
    }
}

/// The tokens of all stores. Instants are the dispatcher's, passed in.
pub trait PayTokens: Clone + Send + Sync + 'static {
    /// Issues a token, or says what was issued under its request id.
    fn issue_pay_token(&self, new: NewPayToken) -> impl Future<Output = Stored<Issued>> + Send;

    /// A token as it stands.
    fn pay_token(&self, key: PayTokenKey) -> impl Future<Output = Stored<Option<PayToken>>> + Send;

    /// Consumes a token that nobody consumed and that has not expired; `None` when there is none.
    fn consume_pay_token(
        &self,
        key: PayTokenKey,
        consume_id: String,
        now: Timestamp,
    ) -> impl Future<Output = Stored<Option<Consumed>>> + Send;

    /// Stores the result of a token, in JSON, for whoever consumed it; `None` when there is none.
    fn complete_pay_token(
        &self,
        key: PayTokenKey,
        consume_id: String,
        result: String,
        now: Timestamp,
    ) -> impl Future<Output = Stored<Option<Completed>>> + Send;
}
