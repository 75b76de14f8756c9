//! What schedules make of short outages, in simulated time.

use tillroll_domain::splits::Pace;

/// Requests of one figure, their beginnings spread evenly over the outage.
const REQUESTS: u32 = 20_000;
/// Tries of one request.
const TRIES: u32 = 5;
/// Lengths of the outage in seconds, and what is published for a schedule of retries.
const PUBLISHED: [(u64, &str); 4] = [(1, "98 %"), (3, "92 %"), (5, "85 %"), (10, "60 %")];

/// The wait after a try, in milliseconds, by its number and a number evenly drawn.
type Wait = fn(u32, u32) -> u64;

fn fixed(_: u32, _: u32) -> u64 {
    1_000
}

fn linear(tries: u32, _: u32) -> u64 {
    500 * u64::from(tries)
}

fn exponential(tries: u32, random: u32) -> u64 {
    u64::try_from(Pace::Till.wait(tries, random).as_millis()).unwrap_or(u64::MAX)
}

/// Numbers evenly drawn: the same in every run.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(self.0 >> 32).unwrap_or(u32::MAX)
    }
}

/// Of the requests, how many a schedule brings through in so many tries, in tenths of a percent.
fn success(wait: Wait, outage_s: u64, most: u32) -> u32 {
    let mut draw = Draw(7);
    let outage = outage_s * 1_000;
    let passes = |begins: u64, draw: &mut Draw| {
        let mut at = begins;
        (1..=most).any(|tries| {
            let is_there = at >= outage;
            at += wait(tries, draw.next());
            is_there
        })
    };
    let begins = |n: u32| outage * u64::from(n) / u64::from(REQUESTS);
    let passed = (0..REQUESTS).filter(|n| passes(begins(*n), &mut draw)).count();
    u32::try_from(passed).unwrap_or(u32::MAX) * 1_000 / REQUESTS
}

pub fn print() {
    println!("outage   fixed 1 s  linear 0.5 s  ours at the till  published  ours in the end");
    for (outage, published) in PUBLISHED {
        let percent = |wait, most| {
            let tenths = success(wait, outage, most);
            format!("{}.{} %", tenths / 10, tenths % 10)
        };
        println!(
            "{outage:>4} s  {:>9}  {:>12}  {:>16}  {published:>9}  {:>15}",
            percent(fixed, TRIES),
            percent(linear, TRIES),
            percent(exponential, TRIES),
            percent(exponential, 1_000),
        );
    }
}
