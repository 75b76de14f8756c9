//! Webhooks: where a key's go, and deliveries that wait.

use jiff::Timestamp;

/// Where the webhooks of a key go.
#[derive(Clone, PartialEq, Eq)]
pub struct Hook {
    /// The key.
    pub api_key: i64,
    /// An `https` address, or `http` on the loopback.
    pub url: String,
    /// The shared secret that signs them (Standard Webhooks, `whsec_` and base64).
    pub secret: String,
}

/// The secret is not shown for debugging.
impl std::fmt::Debug for Hook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hook")
            .field("api_key", &self.api_key)
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// One delivery that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookDelivery {
    /// Its number; with the prefix `msg_` its id on the wire.
    pub id: i64,
    /// Where it goes and what signs it.
    pub hook: Hook,
    /// Its body, JSON.
    pub body: String,
    /// Tries so far.
    pub tries: u32,
    /// When the fact was made.
    pub created_at: Timestamp,
}

/// A delivery that was given up: its receiver never took it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenUp {
    /// Its number.
    pub id: i64,
    /// The key whose webhook it was.
    pub api_key: i64,
    /// Its body, JSON.
    pub body: String,
    /// Tries made.
    pub tries: u32,
    /// When the fact was made.
    pub created_at: Timestamp,
    /// When it was given up.
    pub given_up_at: Timestamp,
}
