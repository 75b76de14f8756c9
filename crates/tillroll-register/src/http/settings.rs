//! The bounds of the API.

use std::time::Duration;

/// Bounds of the API, and which web pages may use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSettings {
    /// Origins of web pages that may call the API, as browsers send them: `https://pos.example`.
    pub allowed_origins: Vec<String>,
    /// The largest receipt, in bytes: raw jobs carry up to 4 MiB of base64.
    pub receipt_limit: usize,
    /// The largest other body, in bytes.
    pub body_limit: usize,
    /// Receipts above [`HttpSettings::body_limit`] that are read at the same time.
    pub large_receipts: usize,
    /// From the head of a request to its answer, the reading of its body included.
    pub request_timeout: Duration,
    /// From the first byte of a request, or the last answer, to the end of its head.
    pub header_timeout: Duration,
    /// A client that does not read what it is sent within this is dropped.
    pub write_within: Duration,
    /// Connections at the same time; more wait at the door.
    pub connections: usize,
    /// Listeners for events at the same time; more are refused.
    pub listeners: usize,
    /// How long open requests are given when the server ends.
    pub end_within: Duration,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            allowed_origins: Vec::new(),
            receipt_limit: 6 * 1024 * 1024,
            body_limit: 64 * 1024,
            large_receipts: 8,
            request_timeout: Duration::from_secs(30),
            header_timeout: Duration::from_secs(15),
            write_within: Duration::from_secs(15),
            connections: 256,
            listeners: 64,
            end_within: Duration::from_secs(3),
        }
    }
}
