//! What people and systems ask of one split.

use tillroll_domain::splits::{Event, Refusal, SplitState};

use super::{Cause, Split, SplitChanged};
use crate::job::StoreNo;
use crate::store::{Splits, StoreError};

/// So often a change is made anew that met another one.
const TRIES: usize = 5;

/// Why it was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ActError {
    /// There is none of that id.
    #[error("there is no such split")]
    NotFound,
    /// Its state does not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A refund waits for the split it takes back from.
    #[error("the split it takes back from is {0}: it must be succeeded first")]
    OriginalNotPaid(SplitState),
    /// It changed all the time.
    #[error("the split changes at the moment: ask again")]
    Busy,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Lets a split be paid from now on. One that was confirmed before stays as it is.
///
/// # Errors
/// [`ActError`].
pub async fn confirm<S: Splits>(
    store: &S,
    of: StoreNo,
    id: &str,
    cause: &Cause,
) -> Result<(Split, bool), ActError> {
    let split = store.split(of, id.to_owned()).await?.ok_or(ActError::NotFound)?;
    if split.facts.confirmed {
        return Ok((split, true));
    }
    if let Some(original) = &split.of {
        let original = store.split(of, original.clone()).await?.ok_or(ActError::NotFound)?;
        if original.facts.state != SplitState::Succeeded {
            return Err(ActError::OriginalNotPaid(original.facts.state));
        }
    }
    match act(store, of, id, Event::Confirm, cause).await {
        Ok(split) => Ok((split, false)),
        Err(ActError::Refused(refusal)) => {
            let split = store.split(of, id.to_owned()).await?.ok_or(ActError::NotFound)?;
            if split.facts.confirmed { Ok((split, true)) } else { Err(refusal.into()) }
        }
        Err(error) => Err(error),
    }
}

/// Has an event happen to a split as it stands.
///
/// # Errors
/// [`ActError`].
pub async fn act<S: Splits>(
    store: &S,
    of: StoreNo,
    id: &str,
    event: Event,
    cause: &Cause,
) -> Result<Split, ActError> {
    let mut split = store.split(of, id.to_owned()).await?.ok_or(ActError::NotFound)?;
    for _ in 0..TRIES {
        let change = split.after(event, cause)?;
        match store.change_splits(vec![change]).await?.pop() {
            Some(SplitChanged::Done(done)) => return Ok(done),
            Some(SplitChanged::Stale(is)) => split = is,
            Some(SplitChanged::Gone(_)) | None => return Err(ActError::NotFound),
        }
    }
    Err(ActError::Busy)
}
