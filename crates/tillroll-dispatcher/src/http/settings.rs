//! The bounds of the API.

use std::time::Duration;

/// Bounds of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpSettings {
    /// A proxy stands in front; the address it saw last in `X-Forwarded-For` is the caller's.
    pub behind_proxy: bool,
    /// The largest print job, in bytes: raw jobs carry up to 4 MiB of base64.
    pub job_limit: usize,
    /// The largest other body but a batch of records, in bytes.
    pub body_limit: usize,
    /// Bodies above [`HttpSettings::body_limit`] that are read at the same time.
    pub large_bodies: usize,
    /// From the head of a request to its answer, the reading of its body included.
    pub request_timeout: Duration,
    /// From the first byte of a request, or the last answer, to the end of its head.
    pub header_timeout: Duration,
    /// Connections that ask, at the same time; more wait at the door.
    pub connections: usize,
    /// Registers connected at the same time; more are told to come back.
    pub channels: usize,
    /// How long open requests and channels are given when the server ends.
    pub end_within: Duration,
    /// Time a register has for its hello.
    pub hello_within: Duration,
    /// The largest frame from a register, in bytes.
    pub frame_limit: usize,
    /// A caller or register that does not read what is sent within this is dropped.
    pub write_within: Duration,
    /// A ping goes out this often.
    pub ping_every: Duration,
    /// A register that is silent for so long, its pongs included, is dropped.
    pub silent_after: Duration,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            behind_proxy: false,
            job_limit: 6 * 1024 * 1024,
            body_limit: 64 * 1024,
            large_bodies: 16,
            request_timeout: Duration::from_secs(30),
            header_timeout: Duration::from_secs(15),
            connections: 1_024,
            channels: 20_000,
            end_within: Duration::from_secs(3),
            hello_within: Duration::from_secs(5),
            frame_limit: 256 * 1024,
            write_within: Duration::from_secs(10),
            ping_every: Duration::from_secs(20),
            silent_after: Duration::from_secs(65),
        }
    }
}
