//! The chaos proxy between real sockets.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod chaos_proxy;
