//! The register's side of the cloud against a scripted head office, in memory and on real sockets.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a failing step fails the test")]
#![expect(clippy::wildcard_enum_match_arm, reason = "any other message fails the test")]

mod bad_networks;
mod channel;
mod link_cut;
mod repair;
mod simulated;
mod sockets;
mod support;
mod upload;
