//! Bodies that were packed.

use axum::body::Bytes;
use bolero::check;
use tillroll_http::{Coding, CodingError};

use crate::inputs::Inputs;

/// Of bytes that stand for more, so many are let out.
const LIMIT: usize = 64 * 1024;

#[test]
fn packed_body_never_becomes_larger_than_its_limit() {
    let inputs = Inputs::to("a packed body");
    check!().for_each(|body: &[u8]| {
        inputs.hold(|| match Coding::Gzip.unpack(Bytes::copy_from_slice(body), LIMIT) {
            Ok(unpacked) => assert!(unpacked.len() <= LIMIT),
            Err(error) => {
                assert!(matches!(error, CodingError::TooLarge(_) | CodingError::Broken(_)));
            }
        });
    });
}
