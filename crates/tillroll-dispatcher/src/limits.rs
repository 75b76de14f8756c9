//! How often a store's business systems, a register, and whoever tries pairing codes may call. Sliding
//! windows on the boot clock; a refused call does not count.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tillroll_domain::limits::SlidingWindow;

use crate::job::{RegisterNo, StoreNo};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);

/// Uses of pairing codes from one address in a minute.
const PAIRINGS_OF_ONE: u32 = 10;
/// Uses of pairing codes from everywhere in a minute. Of 2^60 codes a day's trying hits one of a
/// thousand open ones with a chance of 1 in 10^9.
const PAIRINGS_OF_ALL: u32 = 600;
/// Addresses remembered; when there are more, those that were quiet for a minute are forgotten.
const ADDRESSES: usize = 4_096;

/// Calls allowed in a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    /// Of all business systems to one store.
    pub store_per_s: u32,
    /// Of one register.
    pub register_per_s: u32,
}

impl Default for Rates {
    fn default() -> Self {
        Self { store_per_s: 1_000, register_per_s: 100 }
    }
}

/// The windows. Those of stores and registers are bounded by the rows there are.
#[derive(Debug)]
pub(crate) struct Limits {
    rates: Rates,
    stores: Windows<StoreNo>,
    registers: Windows<RegisterNo>,
    addresses: Windows<IpAddr>,
    pairings: Mutex<SlidingWindow>,
}

/// A call that comes too early, and when it may come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMany {
    pub retry_after: Duration,
}

impl Limits {
    pub fn new(rates: Rates) -> Self {
        Self {
            rates,
            stores: Windows::new(SECOND),
            registers: Windows::new(SECOND),
            addresses: Windows::new(MINUTE),
            pairings: Mutex::new(SlidingWindow::new(MINUTE)),
        }
    }

    pub fn store(&self, store: StoreNo, now: Duration) -> Result<(), TooMany> {
        self.stores.ask(store, now, self.rates.store_per_s)
    }

    pub fn register(&self, register: RegisterNo, now: Duration) -> Result<(), TooMany> {
        self.registers.ask(register, now, self.rates.register_per_s)
    }

    /// One use of a pairing code.
    pub fn pairing(&self, from: IpAddr, now: Duration) -> Result<(), TooMany> {
        self.addresses.forget_quiet(now);
        self.addresses.ask(from, now, PAIRINGS_OF_ONE)?;
        ask(&mut locked(&self.pairings), now, PAIRINGS_OF_ALL)
    }
}

#[derive(Debug)]
struct Windows<K> {
    window: Duration,
    of: Mutex<HashMap<K, (SlidingWindow, Duration)>>,
}

impl<K: Eq + Hash> Windows<K> {
    fn new(window: Duration) -> Self {
        Self { window, of: Mutex::default() }
    }

    fn ask(&self, key: K, now: Duration, limit: u32) -> Result<(), TooMany> {
        let mut of = locked(&self.of);
        let (window, asked_at) =
            of.entry(key).or_insert_with(|| (SlidingWindow::new(self.window), now));
        *asked_at = now;
        ask(window, now, limit)
    }

    /// Called before [`Self::ask`] where keys come from outside.
    fn forget_quiet(&self, now: Duration) {
        let mut of = locked(&self.of);
        if of.len() >= ADDRESSES {
            of.retain(|_, (_, asked_at)| now.saturating_sub(*asked_at) < self.window);
        }
        if of.len() >= ADDRESSES {
            // The limit over all addresses stands; so many cannot all have asked and been counted there.
            of.clear();
        }
    }
}

fn ask(window: &mut SlidingWindow, now: Duration, limit: u32) -> Result<(), TooMany> {
    let answer = window.ask(now, limit);
    if answer.allowed { Ok(()) } else { Err(TooMany { retry_after: answer.retry_after }) }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    #[test]
    fn register_over_its_rate_is_told_when_and_no_other_is() {
        let limits = Limits::new(Rates { store_per_s: 1, register_per_s: 2 });
        let register = |no| RegisterNo { store: StoreNo(1), no };
        let at = Duration::from_millis;
        for now in [at(0), at(10)] {
            assert_eq!(limits.register(register(1), now), Ok(()));
        }
        let refused = limits.register(register(1), at(20)).unwrap_err();
        assert_eq!(refused.retry_after, at(980));
        assert_eq!(limits.register(register(2), at(20)), Ok(()));
        assert_eq!(limits.register(register(1), at(1_000)), Ok(()));
    }

    #[test]
    fn trying_codes_is_slow_from_one_address_and_from_all() {
        let limits = Limits::new(Rates::default());
        let one = IpAddr::from(Ipv4Addr::LOCALHOST);
        let allowed = (0..100).filter(|_| limits.pairing(one, Duration::ZERO).is_ok()).count();
        assert_eq!(allowed, 10);
        let many = (0..5_000_u32).map(|n| IpAddr::from(Ipv4Addr::from(n)));
        let allowed = many.filter(|from| limits.pairing(*from, Duration::ZERO).is_ok()).count();
        assert_eq!(allowed, 590, "whoever asks");
        assert!(locked(&limits.addresses.of).len() <= ADDRESSES);
    }
}
