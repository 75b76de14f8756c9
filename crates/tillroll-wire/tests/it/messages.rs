//! One of every message, with every field set.

mod channel;
mod requests;

use std::fmt::Debug;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::ids::{JobId, Part};
use tillroll_wire::channel::ClockReading;

/// Something that is checked of every message.
pub trait Check {
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(
        &mut self,
        name: &str,
        message: &T,
    );
}

/// Goes through all messages.
pub fn each(check: &mut impl Check) {
    channel::each(check);
    requests::each(check);
}

fn id() -> JobId {
    "S1:0001:kitchen:v1".parse().unwrap()
}

fn part(name: &str) -> Part {
    name.parse().unwrap()
}

fn fingerprint() -> Fingerprint {
    Fingerprint::of(b"{}")
}

fn at() -> Timestamp {
    "2026-10-12T10:00:00.123Z".parse().unwrap()
}

fn clock() -> ClockReading {
    ClockReading { now: at(), boot_ms: 86_400_123 }
}

const INSTALLATION: &str = "0123456789abcdef0123456789abcdef";
