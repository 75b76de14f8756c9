//! Days of counters in Redis, each for a second: however many screens of however many nodes ask for a store's day,
//! the database adds it up once a second. The rows are the truth; what is lost here is read from them.

use std::time::Duration;

use jiff::civil::Date;
use redis::cmd;

use super::counters::CounterDayView;
use crate::redis::Redis;

/// How long a day is believed.
const KEPT: Duration = Duration::from_secs(1);
/// A longer view, in bytes, is not kept.
const LONGEST: usize = 1 << 18;

/// The days that were asked for. Without Redis none is found.
pub(crate) struct DayViews {
    redis: Option<Redis>,
}

impl DayViews {
    pub fn new(redis: Option<Redis>) -> Self {
        Self { redis }
    }

    /// A day of a store as it was within the last second.
    pub(super) async fn recall(&self, uid: &str, day: Date) -> Option<CounterDayView> {
        let redis = self.redis.as_ref()?;
        let kept = redis.call::<Option<String>>(cmd("GET").arg(key(uid, day))).await;
        serde_json::from_str(&kept.ok()??).ok()
    }

    /// Keeps a day. It is no loss when that fails.
    pub(super) async fn keep(&self, uid: &str, view: &CounterDayView) {
        let Some(redis) = &self.redis else { return };
        let text = serde_json::to_string(view).unwrap_or_default();
        if text.is_empty() || text.len() > LONGEST {
            return;
        }
        let mut set = cmd("SET");
        set.arg(key(uid, view.day)).arg(text).arg("PX").arg(KEPT.as_millis());
        if let Err(error) = redis.call::<()>(&set).await {
            tracing::debug!(%error, "a day was not kept in Redis");
        }
    }
}

fn key(uid: &str, day: Date) -> String {
    format!("tillroll:{{{uid}}}:counters:{day}")
}
