//! Promotions as they are known here: read from the store now and then, and ended to the instant.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Now;
use crate::job::StoreNo;
use crate::store::{Promotion, Promotions, Stored};

/// What was read is believed for so long: a promotion that was begun at another node counts here by then.
const BELIEVED: Duration = Duration::from_secs(5);
/// The limits as they are without a promotion.
const WHOLE: u32 = 100;

/// The promotions of stores. Bounded by the stores there are.
pub(super) struct KnownPromotions<S> {
    store: S,
    known: Mutex<HashMap<StoreNo, Known>>,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    promotion: Option<Promotion>,
    read_at: Duration,
}

impl<S: Promotions> KnownPromotions<S> {
    pub(super) fn new(store: S) -> Self {
        Self { store, known: Mutex::default() }
    }

    /// The limits of a store's actions now, in percent of the usual ones.
    pub(super) async fn percent(&self, store: StoreNo, now: Now) -> u32 {
        let promotion = self.promotion(store, now.boot).await;
        promotion.filter(|promotion| now.at < promotion.until).map_or(WHOLE, |one| one.percent)
    }

    /// Begins a promotion, or ends the one that runs.
    pub(super) async fn set(&self, store: StoreNo, promotion: Option<Promotion>) -> Stored<()> {
        self.store.set_promotion(store, promotion).await?;
        self.locked().remove(&store);
        Ok(())
    }

    /// While nothing can be read, what was read last counts.
    async fn promotion(&self, store: StoreNo, now: Duration) -> Option<Promotion> {
        let known = self.locked().get(&store).copied();
        if let Some(known) = known
            && now.saturating_sub(known.read_at) < BELIEVED
        {
            return known.promotion;
        }
        let promotion = match self.store.promotion(store).await {
            Ok(promotion) => promotion,
            Err(error) => {
                tracing::warn!(%error, "a promotion cannot be read");
                known.and_then(|known| known.promotion)
            }
        };
        self.locked().insert(store, Known { promotion, read_at: now });
        promotion
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<StoreNo, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
