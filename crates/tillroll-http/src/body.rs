//! Bodies of requests: of the right type, whole, of so many bytes in so long.

use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use axum::http::{HeaderMap, header};
use futures_util::StreamExt as _;
use tokio::time::timeout;

/// Of a body that is too large so much more is read and dropped, in bytes, so that its sender gets to
/// read the answer.
const DRAINED: usize = 32 * 1024 * 1024;

/// Why a body was not read.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// It is of this other type, or of none that can be read.
    #[error("Content-Type must be application/json, not {0:?}")]
    NotJson(String),
    /// It has more than so many bytes.
    #[error("the body is larger than {0} bytes")]
    TooLarge(usize),
    /// Its end did not come within the time it has.
    #[error("the body did not come in time")]
    Late,
    /// Its connection ended first, or what came is no HTTP.
    #[error("the body broke off before its end")]
    BrokenOff(#[source] axum::Error),
    /// The program takes no large bodies any more.
    #[error("no more large bodies are read")]
    Ending,
}

/// Refuses a body that is not named JSON. A web page cannot send this type without asking first, and a
/// wrong one means another format.
///
/// # Errors
/// [`BodyError::NotJson`].
pub fn expect_json(headers: &HeaderMap) -> Result<(), BodyError> {
    let named = headers.get(header::CONTENT_TYPE).and_then(|named| named.to_str().ok());
    let essence = named.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(BodyError::NotJson(essence.to_owned()))
}

/// The length a body is said to have, in bytes.
pub(crate) fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Reads a body of at most `limit` bytes.
///
/// # Errors
/// [`BodyError::TooLarge`], [`BodyError::BrokenOff`], [`BodyError::Late`].
pub async fn read_body(body: Body, limit: usize, within: Duration) -> Result<Bytes, BodyError> {
    timeout(within, read_whole(body, limit)).await.unwrap_or(Err(BodyError::Late))
}

async fn read_whole(body: Body, limit: usize) -> Result<Bytes, BodyError> {
    // Its sender is not waited for: not even what is dropped would be enough of it.
    if body.size_hint().lower() > (limit + DRAINED) as u64 {
        return Err(BodyError::TooLarge(limit));
    }
    let mut frames = body.into_data_stream();
    let mut read = Vec::new();
    while let Some(frame) = frames.next().await {
        let frame = frame.map_err(BodyError::BrokenOff)?;
        if read.len() + frame.len() > limit {
            drain(frames).await;
            return Err(BodyError::TooLarge(limit));
        }
        read.extend_from_slice(&frame);
    }
    Ok(read.into())
}

async fn drain(mut frames: BodyDataStream) {
    let mut drained = 0;
    while let Some(Ok(frame)) = frames.next().await {
        drained += frame.len();
        if drained > DRAINED {
            return;
        }
    }
}

#[cfg(test)]
mod tests;
