//! Redis as a node uses it: there, gone and back.

mod cluster;
mod connection;
mod subscription;

use std::time::Duration;

use tillroll_dispatcher::redis::{Redis, RedisAddresses, RedisSettings};

/// Redis at addresses; there when this returns. A machine that is busy with other tests is no Redis that is gone.
pub async fn there(addresses: impl IntoIterator<Item = String>) -> Redis {
    there_within(addresses, patient()).await
}

/// Redis at addresses, with limits of time.
pub async fn there_within(
    addresses: impl IntoIterator<Item = String>,
    settings: RedisSettings,
) -> Redis {
    let redis = connect(addresses, settings);
    until(|| redis.is_there()).await;
    redis
}

pub fn connect(addresses: impl IntoIterator<Item = String>, settings: RedisSettings) -> Redis {
    let addresses: RedisAddresses = addresses.into_iter().collect();
    Redis::connect(&addresses, settings).unwrap().unwrap()
}

pub fn patient() -> RedisSettings {
    let limit = Duration::from_secs(5);
    RedisSettings { call: limit, connect: limit, ..RedisSettings::default() }
}

/// Looks until something holds.
pub async fn until(holds: impl Fn() -> bool) {
    for _ in 0..2_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("it does not come to hold")
}
