//! How often a store's business systems, a register, an action at a register, and whoever tries pairing codes
//! may call. Sliding windows, coarse to fine; a call passes all of its windows or counts in none.
//!
//! Invariants:
//! - With Redis the windows are shared by all nodes and measured by the clock of Redis alone; else they are
//!   this program's and measured by its boot clock. Clocks of callers count nowhere.
//! - While Redis is gone nobody waits for it. Where other nodes may be at work each then allows half of every
//!   limit.
//! - Every window is bounded by its limit and forgotten when its calls have left it.

mod local;
mod passes;
mod promotion;
mod shared;

use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::limits::{Action, Answer};

use self::local::LocalWindows;
use self::passes::{Pass, Window};
use self::promotion::KnownPromotions;
use self::shared::SharedWindows;
use crate::job::RegisterNo;
use crate::redis::{Redis, RedisError};
use crate::store::{Credential, Promotion, Promotions, StoreRecord, Stored};

const MINUTE: Duration = Duration::from_secs(60);

/// Uses of pairing codes from one address in a minute.
const PAIRINGS_OF_ONE: u32 = 10;
/// Uses of pairing codes from everywhere in a minute. Of 2^60 codes a day's trying hits one of a
/// thousand open ones with a chance of 1 in 10^9.
const PAIRINGS_OF_ALL: u32 = 600;

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

/// Who else allows calls when nobody can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nodes {
    /// Nobody: the whole limit is this program's.
    One,
    /// Perhaps others, each with half.
    Several,
}

/// The windows.
pub(crate) struct Limits<S> {
    rates: Rates,
    nodes: Nodes,
    shared: Option<SharedWindows>,
    local: LocalWindows<Window>,
    promotions: KnownPromotions<S>,
    pairings: LocalWindows<Tried>,
    alone: AtomicU64,
}

/// How windows are shared by Redis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sharing {
    /// Redis is there.
    pub there: bool,
    /// Calls that were judged without it.
    pub alone: u64,
}

/// A call that comes too early, and when it may come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooMany {
    pub retry_after: Duration,
}

/// Both clocks of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now {
    pub boot: Duration,
    pub at: Timestamp,
}

/// An action that somebody wants to do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wish<'a> {
    pub store: &'a StoreRecord,
    pub register: RegisterNo,
    pub action: Action,
    /// How many times.
    pub calls: u32,
}

/// Whose tries of pairing codes are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Tried {
    From(IpAddr),
    All,
}

impl<S: Promotions> Limits<S> {
    pub fn new(store: S, rates: Rates, nodes: Nodes, redis: Option<Redis>) -> Self {
        Self {
            rates,
            nodes,
            shared: redis.map(SharedWindows::new),
            local: LocalWindows::default(),
            promotions: KnownPromotions::new(store),
            pairings: LocalWindows::default(),
            alone: AtomicU64::new(0),
        }
    }

    /// One request of a business system.
    pub async fn store(&self, store: &StoreRecord, now: Duration) -> Result<(), TooMany> {
        let passes = [Pass::store(store.no, self.rates)];
        require(self.ask(&store.uid, &passes, 1, now).await)
    }

    /// One request of a register.
    pub async fn register(&self, of: &Credential, now: Duration) -> Result<(), TooMany> {
        let passes = [Pass::register(of.register.no, self.rates)];
        require(self.ask(&of.store.uid, &passes, 1, now).await)
    }

    /// One comparison of books with a register, whose request was counted before.
    pub async fn comparison(&self, of: &Credential, now: Now) -> Result<(), TooMany> {
        let percent = self.promotions.percent(of.store.no, now).await;
        let passes = [Pass::action(of.register.no, Action::Sync, percent)];
        require(self.ask(&of.store.uid, &passes, 1, now.boot).await)
    }

    /// Whether an action may be done. It passes the windows of its store and its register too.
    pub async fn wish(&self, wish: Wish<'_>, now: Now) -> Answer {
        let percent = self.promotions.percent(wish.store.no, now).await;
        let passes = [
            Pass::store(wish.store.no, self.rates),
            Pass::register(wish.register, self.rates),
            Pass::action(wish.register, wish.action, percent),
        ];
        self.ask(&wish.store.uid, &passes, wish.calls, now.boot).await
    }

    /// Widens the windows of a store's actions until the promotion ends; none ends one that runs.
    pub async fn promote(&self, store: &StoreRecord, promotion: Option<Promotion>) -> Stored<()> {
        self.promotions.set(store.no, promotion).await
    }

    /// One use of a pairing code.
    pub fn pairing(&self, from: IpAddr, now: Duration) -> Result<(), TooMany> {
        let passes = [
            Pass { window: Tried::From(from), length: MINUTE, limit: PAIRINGS_OF_ONE },
            Pass { window: Tried::All, length: MINUTE, limit: PAIRINGS_OF_ALL },
        ];
        require(self.pairings.ask(&passes, 1, now))
    }

    /// How Redis does; `None` where there is none to be.
    pub fn sharing(&self) -> Option<Sharing> {
        let there = self.shared.as_ref()?.is_there();
        Some(Sharing { there, alone: self.alone.load(Relaxed) })
    }

    async fn ask(&self, uid: &str, passes: &[Pass<Window>], calls: u32, now: Duration) -> Answer {
        if let Some(answer) = self.ask_all_nodes(uid, passes, calls).await {
            if answer.allowed {
                // Known here too when Redis goes.
                self.local.count(passes, calls, now);
            }
            return answer;
        }
        self.alone.fetch_add(1, Relaxed);
        match self.nodes {
            Nodes::One => self.local.ask(passes, calls, now),
            Nodes::Several => {
                let halves: Vec<_> = passes.iter().map(Pass::half).collect();
                self.local.ask(&halves, calls, now)
            }
        }
    }

    async fn ask_all_nodes(
        &self,
        uid: &str,
        passes: &[Pass<Window>],
        calls: u32,
    ) -> Option<Answer> {
        match self.shared.as_ref()?.ask(uid, passes, calls).await {
            Ok(answer) => Some(answer),
            Err(RedisError::Gone) => None,
            Err(error) => {
                tracing::debug!(%error, "a limit was not asked of Redis");
                None
            }
        }
    }
}

fn require(answer: Answer) -> Result<(), TooMany> {
    if answer.allowed { Ok(()) } else { Err(TooMany { retry_after: answer.retry_after }) }
}

#[cfg(test)]
mod tests;
