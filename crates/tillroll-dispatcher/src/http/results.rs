//! Results of pay tokens in Redis, for ten minutes: whoever is told that a payment was done asks for its result at
//! once. The rows keep them for good.

use std::time::Duration;

use redis::cmd;

use super::pay_token::PayTokenView;
use crate::job::RegisterNo;
use crate::redis::Redis;

/// How long a result lies there.
const KEPT: Duration = Duration::from_secs(10 * 60);

/// The results of tokens that are completed. Without Redis none is found.
pub(crate) struct Results {
    redis: Option<Redis>,
}

impl Results {
    pub fn new(redis: Option<Redis>) -> Self {
        Self { redis }
    }

    /// A completed token of a store and the register it is of.
    pub(super) async fn recall(
        &self,
        uid: &str,
        token: &str,
    ) -> Option<(RegisterNo, PayTokenView)> {
        let redis = self.redis.as_ref()?;
        let kept = redis.call::<Option<String>>(cmd("GET").arg(key(uid, token))).await;
        let (store, no, view) = serde_json::from_str(&kept.ok()??).ok()?;
        Some((RegisterNo { store: crate::job::StoreNo(store), no }, view))
    }

    /// Keeps a completed token. It is no loss when that fails.
    pub(super) async fn keep(&self, uid: &str, register: RegisterNo, view: &PayTokenView) {
        let Some(redis) = &self.redis else { return };
        let Ok(text) = serde_json::to_string(&(register.store.0, register.no, view)) else {
            return;
        };
        let mut set = cmd("SET");
        set.arg(key(uid, &view.token)).arg(text).arg("EX").arg(KEPT.as_secs());
        if let Err(error) = redis.call::<()>(&set).await {
            tracing::debug!(%error, "a result was not kept in Redis");
        }
    }
}

fn key(uid: &str, token: &str) -> String {
    format!("tillroll:{{{uid}}}:pay:{token}")
}
