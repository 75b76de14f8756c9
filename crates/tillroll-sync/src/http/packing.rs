//! Batches go packed with gzip to a dispatcher that says it takes them so: over a line that loses packets it is
//! their number that counts.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use flate2::Compression;
use flate2::write::GzEncoder;
use reqwest::header::ACCEPT_ENCODING;
use reqwest::{Response, StatusCode};

/// A body below this is one packet anyway, in bytes.
const WORTH_PACKING: usize = 1_024;

/// Whether the dispatcher takes packed bodies, as it said last. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct Packing(Arc<AtomicBool>);

impl Packing {
    /// Notes what an answer says of it (RFC 9110 12.5.3). An error of something in between says nothing.
    pub(super) fn note(&self, response: &Response) {
        let status = response.status();
        let is_told = status.is_success()
            || status == StatusCode::SWITCHING_PROTOCOLS
            || could_not_read(status.as_u16());
        if is_told {
            self.0.store(names_gzip(response), Relaxed);
        }
    }

    /// Whether the dispatcher takes packed bodies.
    pub(super) fn is_taken(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// A body packed, where that is worth it and the dispatcher takes it.
    pub(super) fn pack(&self, body: &[u8]) -> Option<Vec<u8>> {
        if body.len() < WORTH_PACKING || !self.is_taken() {
            return None;
        }
        let mut packing = GzEncoder::new(Vec::new(), Compression::fast());
        packing.write_all(body).ok()?;
        packing.finish().ok()
    }
}

/// Whether a request was refused with this status for what its body looks like.
pub(super) fn could_not_read(status: u16) -> bool {
    status == 400 || status == 415
}

fn names_gzip(response: &Response) -> bool {
    let named = response.headers().get(ACCEPT_ENCODING).and_then(|named| named.to_str().ok());
    named.is_some_and(|named| named.split(',').any(|coding| coding.trim() == "gzip"))
}
