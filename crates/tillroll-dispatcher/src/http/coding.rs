//! How bodies are packed between registers and the dispatcher: batches may come packed, and answers go packed to
//! whoever takes them so.

use axum::http::{HeaderValue, header};
use axum::response::Response;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;

/// An answer below this is one packet anyway.
const WORTH_PACKING: u16 = 1_024;

/// Packs answers.
pub(super) fn packed() -> CompressionLayer<SizeAbove> {
    CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(WORTH_PACKING))
}

/// Says with an answer that bodies may come packed with gzip (RFC 9110 12.5.3).
pub(super) async fn offered(mut response: Response) -> Response {
    response.headers_mut().insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    response
}
