//! Numbers that a person asks for by the environment: how much is tried, and from which seed.

use std::fmt::Display;
use std::str::FromStr;

/// The number of this name in the environment, if there is one.
///
/// # Panics
/// When it is no number: less would be tried than was meant, and nobody would see it.
#[must_use]
pub fn number<T: FromStr<Err: Display>>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{name} is {text:?}: {error}")))
}
