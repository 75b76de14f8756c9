//! Development only: rows of attacks, what an API may answer to hostile input, clocks turned by hand or by
//! simulated time, chance by seed, a TCP proxy and an in-memory line that break links, doors and certificates of
//! servers, sample receipts, fonts, servers of PostgreSQL and Redis, the routes of an API.
//!
//! What fails here fails a test, so builders panic with the reason instead of returning it.

pub mod answers;
pub mod attack;
pub mod authority;
pub mod chaos_proxy;
pub mod clock;
pub mod dice;
pub mod door;
pub mod fonts;
pub mod line;
pub mod openapi;
pub mod pictures;
pub mod postgres;
pub mod receipts;
pub mod redis;
pub mod simulated_clock;
pub mod small_disk;

pub use self::attack::Attack;
pub use self::authority::Authority;
pub use self::chaos_proxy::{Break, ChaosProxy, Cut, Exchange, Faults, Side};
pub use self::clock::ManualClock;
pub use self::dice::Dice;
pub use self::door::{Door, Leads};
pub use self::line::{Call, Line, Noticed, Way, Weather};
pub use self::postgres::PostgresServer;
pub use self::redis::{RedisCluster, RedisServer};
pub use self::simulated_clock::SimulatedClock;
pub use self::small_disk::SmallDisk;
