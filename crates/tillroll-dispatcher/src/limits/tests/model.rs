//! Both kinds of windows against one that keeps every call. The script is asked under a clock of the test, which goes
//! on by leaps and now and then is set back.

use proptest::prelude::*;
use redis::Script;
use tillroll_testkit::RedisServer;
use tokio::runtime::Runtime;

use super::super::local::LocalWindows;
use super::super::passes::Pass;
use super::*;

const LUA: &str = include_str!("../windows.lua");
const CLOCK: &str = "local clock = redis.call('TIME')";
/// Keys would go by the clock of Redis.
const END: &str = "redis.call('PEXPIRE', window.key, math.ceil(window.length / 1000))";

/// Lengths and limits of three windows.
const WINDOWS: [(u64, u32); 3] = [(1_000, 12), (1_000, 8), (2_500, 5)];

/// Every call that was allowed, in milliseconds.
#[derive(Default)]
struct Model(Vec<(u64, u32)>);

impl Model {
    fn ask(&mut self, now: u64, calls: u32) -> Answer {
        let standings = WINDOWS.map(|(length, limit)| self.standing(now, calls, length, limit));
        let waits = standings.map(|(_, wait)| wait);
        let allowed = waits == [0; 3];
        let counted = if allowed { calls } else { 0 };
        if allowed {
            self.0.push((now, calls));
        }
        let left = standings.map(|(used, _)| used + counted);
        let left = [0, 1, 2].map(|n| WINDOWS[n].1.saturating_sub(left[n]));
        Answer {
            allowed,
            remaining: *left.iter().min().unwrap(),
            low: (0..3).any(|n| left[n] * 5 < WINDOWS[n].1),
            retry_after: ms(*waits.iter().max().unwrap()),
        }
    }

    /// Calls in a window, and how long until there is room.
    fn standing(&self, now: u64, calls: u32, length: u64, limit: u32) -> (u32, u64) {
        let used = |now| -> u32 {
            let inside = self.0.iter().filter(|(at, _)| at + length > now);
            inside.map(|(_, calls)| calls).sum()
        };
        let wait = (0..length).find(|wait| used(now + wait) + calls <= limit);
        (used(now), wait.unwrap_or(length))
    }
}

fn passes() -> [Pass<usize>; 3] {
    [0, 1, 2].map(|n| Pass { window: n, length: ms(WINDOWS[n].0), limit: WINDOWS[n].1 })
}

/// Steps of the clock in milliseconds, and calls asked for.
fn steps() -> impl Strategy<Value = Vec<(u64, u32)>> {
    let gap = prop_oneof![4 => 0..300_u64, 2 => Just(0), 2 => Just(1_000), 1 => Just(2_500), 1 => 0..4_000_u64];
    proptest::collection::vec((gap, 1..4_u32), 1..60)
}

struct Lua {
    runtime: Runtime,
    redis: Redis,
    script: Script,
    _server: RedisServer,
}

impl Lua {
    fn start() -> Self {
        let server = RedisServer::start();
        let runtime = Runtime::new().unwrap();
        let addresses: RedisAddresses = [server.address()].into_iter().collect();
        let redis = runtime.block_on(async {
            let redis = Redis::connect(&addresses, PATIENT).unwrap().unwrap();
            while !redis.is_there() {
                tokio::task::yield_now().await;
            }
            redis
        });
        assert!(LUA.contains(CLOCK) && LUA.contains(END));
        let own = "local clock = { ARGV[#ARGV - 1], ARGV[#ARGV] }";
        Self {
            runtime,
            redis,
            script: Script::new(&LUA.replace(CLOCK, own).replace(END, "")),
            _server: server,
        }
    }

    fn forget(&self) {
        self.runtime.block_on(self.redis.call::<()>(&redis::cmd("FLUSHALL"))).unwrap();
    }

    fn ask(&self, now_ms: u64, calls: u32) -> Answer {
        let mut call = self.script.prepare_invoke();
        call.arg(calls);
        for (n, (length, limit)) in WINDOWS.into_iter().enumerate() {
            call.key(format!("window {n}")).arg(length * 1_000).arg(limit);
        }
        call.arg(now_ms / 1_000).arg(now_ms % 1_000 * 1_000);
        let (allowed, remaining, low, wait) = self.runtime.block_on(self.redis.run(&call)).unwrap();
        Answer { allowed, remaining, low, retry_after: Duration::from_micros(wait) }
    }
}

#[test]
fn script_answers_as_one_who_keeps_every_call() {
    let lua = Lua::start();
    let config = ProptestConfig { cases: 48, ..ProptestConfig::default() };
    proptest!(config, |(steps in steps())| {
        lua.forget();
        let (mut now, mut model) = (1_796_000_000_000, Model::default());
        for (gap, calls) in steps {
            now += gap;
            prop_assert_eq!(lua.ask(now, calls), model.ask(now, calls), "at {}", now);
        }
    });
}

#[test]
fn clock_of_redis_that_is_set_back_blocks_for_a_window_at_most() {
    let lua = Lua::start();
    let began = 1_796_000_000_000;
    assert!(lua.ask(began, 5).allowed);
    let refused = lua.ask(began - 500, 1);
    assert_eq!(refused.retry_after, ms(3_000), "by the clock as it is now");
    assert!(!lua.ask(began + 2_499, 1).allowed);
    assert!(lua.ask(began + 2_500, 5).allowed);
    assert!(lua.ask(began - 3_600_000, 5).allowed, "an hour: nothing is known of before");
    assert!(!lua.ask(began - 3_600_000, 1).allowed);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn windows_in_memory_answer_as_one_who_keeps_every_call(steps in steps()) {
        let (windows, passes) = (LocalWindows::default(), passes());
        let (mut now, mut model) = (0, Model::default());
        for (gap, calls) in steps {
            now += gap;
            prop_assert_eq!(windows.ask(&passes, calls, ms(now)), model.ask(now, calls), "at {}", now);
        }
    }
}
