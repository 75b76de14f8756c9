//! Redis, where several nodes share one: what they tell each other at once, and what need not last.
//!
//! Invariants:
//! - Nothing durable lives there. Whoever asks has an answer of their own for the time it is gone.
//! - Every call ends within its limit, and while Redis is gone at once.
//! - It comes back without a restart.
//! - Keys of a store hold its uid as hash tag (`{uid}`), so that a script's keys lie together in Redis Cluster.

mod addresses;
mod connection;
mod server;
mod subscription;

pub use self::addresses::{InvalidRedisAddress, RedisAddresses};
pub use self::connection::{Redis, RedisError, RedisSettings};
pub use self::subscription::{Heard, Subscription};
