//! Windows in Redis, shared by all nodes: one script call for all that a call passes.
//!
//! The clock is that of Redis (`TIME`, read inside the script), and no node's: nodes' clocks differ, and a
//! window shared by several must be measured by one. The keys of a store hold its uid as hash tag, so they
//! lie together in Redis Cluster; each ends by itself when its calls have left it.

use std::time::Duration;

use redis::Script;
use tillroll_domain::limits::Answer;

use super::passes::{Pass, Window};
use crate::redis::{Redis, RedisError};

const SCRIPT: &str = include_str!("windows.lua");

/// The windows in Redis.
pub(super) struct SharedWindows {
    redis: Redis,
    script: Script,
}

impl SharedWindows {
    pub(super) fn new(redis: Redis) -> Self {
        Self { redis, script: Script::new(SCRIPT) }
    }

    /// Asks for so many calls through several windows of a store.
    pub(super) async fn ask(
        &self,
        uid: &str,
        passes: &[Pass<Window>],
        calls: u32,
    ) -> Result<Answer, RedisError> {
        let mut call = self.script.prepare_invoke();
        call.arg(calls);
        for pass in passes {
            call.key(key(uid, pass.window)).arg(micros(pass.length)).arg(pass.limit);
        }
        let (allowed, remaining, low, wait) = self.redis.run(&call).await?;
        Ok(Answer { allowed, remaining, low, retry_after: Duration::from_micros(wait) })
    }

    pub(super) fn is_there(&self) -> bool {
        self.redis.is_there()
    }
}

fn key(uid: &str, window: Window) -> String {
    match window {
        Window::Store(_) => format!("tillroll:{{{uid}}}:limit"),
        Window::Register(register) => format!("tillroll:{{{uid}}}:limit:{}", register.no),
        Window::Action(register, action) => {
            format!("tillroll:{{{uid}}}:limit:{}:{}", register.no, action.as_str())
        }
    }
}

fn micros(length: Duration) -> u64 {
    u64::try_from(length.as_micros()).unwrap_or(u64::MAX)
}
