//! The channel that moves the money, behind one trait.

use std::fmt;
use std::future::Future;
use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::money::Minor;
use tillroll_domain::splits::{ChannelFault, ChannelRefusal, PartyAmount};

use crate::job::StoreNo;
use crate::splits::Split;

/// The id of a payment: the store's number and the split's id. One account of the channel is one dispatcher's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PaymentId {
    /// The store.
    pub store: StoreNo,
    /// The split's id in it.
    pub split: String,
}

impl PaymentId {
    /// Of a split.
    #[must_use]
    pub fn of(split: &Split) -> Self {
        Self { store: split.key.store, split: split.id.clone() }
    }
}

impl fmt::Display for PaymentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.store.0, self.split)
    }
}

/// The text is no id of a payment of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("is no payment of this dispatcher")]
pub struct NotOurs;

impl FromStr for PaymentId {
    type Err = NotOurs;

    fn from_str(text: &str) -> Result<Self, NotOurs> {
        let (store, split) = text.split_once(':').ok_or(NotOurs)?;
        let store = store.parse().map(StoreNo).map_err(|_| NotOurs)?;
        Ok(Self { store, split: split.to_owned() })
    }
}

/// A payment to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payment {
    /// Its id: the channel makes one payment for it.
    pub id: PaymentId,
    /// The payment that a refund takes back from.
    pub of: Option<PaymentId>,
    /// The amount.
    pub amount: Minor,
    /// Its currency.
    pub currency: String,
    /// To whom, or from whom.
    pub parts: Vec<PartyAmount>,
    /// Counts the tries, from 1.
    pub try_no: u32,
    /// Whether accounts and balances are checked at once; else it is only queued.
    pub live: bool,
}

/// What the channel says of one payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// It is made, over this amount.
    Paid(Minor),
    /// It will be made, over this amount.
    Queued(Minor),
    /// It is not made.
    Refused(ChannelRefusal),
    /// Its id has another amount there.
    Differs,
    /// Its id is not known.
    NotThere,
}

/// An answer, or the fault that there was none.
pub type Answer<T> = Result<T, ChannelFault>;

/// One line of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its number at the channel; grows.
    pub no: i64,
    /// The id as it stands there.
    pub id: String,
    /// The amount.
    pub amount: Minor,
}

/// Moves money. Every call ends within its limit.
pub trait PaymentChannel: Clone + Send + Sync + 'static {
    /// Makes a payment, or says what became of the one made before under its id.
    fn pay(&self, payment: Payment, limit: Duration) -> impl Future<Output = Answer<Told>> + Send;

    /// What became of payments, in the order asked; none asks whether the channel is there.
    fn ask(
        &self,
        ids: Vec<PaymentId>,
        limit: Duration,
    ) -> impl Future<Output = Answer<Vec<Told>>> + Send;

    /// Payments made in a stretch of time, past a line, in the channel's order; a page of them.
    fn statement(
        &self,
        from: Timestamp,
        until: Timestamp,
        past: i64,
        limit: Duration,
    ) -> impl Future<Output = Answer<Vec<Statement>>> + Send;
}
