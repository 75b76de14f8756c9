//! What handlers take from a request. Whatever cannot be read is a problem that names the field.

use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::api::Api;
use crate::json::read_json;
use crate::problem::{Code, Problem};

/// Of a body that is too large so much more is read and dropped, in bytes, so that its sender gets to
/// read the answer.
const DRAINED: usize = 32 * 1024 * 1024;

/// A value of the address.
pub(super) struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match extract::Path::from_request_parts(parts, state).await {
            Ok(extract::Path(value)) => Ok(Self(value)),
            Err(error) => Err(Problem::new(Code::InvalidValue, error.body_text())),
        }
    }
}

/// The values behind the address.
pub(super) struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        match extract::Query::from_request_parts(parts, state).await {
            Ok(extract::Query(value)) => Ok(Self(value)),
            Err(error) => Err(Problem::new(Code::InvalidValue, error.body_text())),
        }
    }
}

/// A body in JSON.
pub(super) struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Api> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Problem> {
        expect_json(request.headers())?;
        let body = read(request.into_body(), api.settings().body_limit, api).await?;
        Ok(Self(read_json(&body)?))
    }
}

/// A body in JSON, or none at all.
pub(super) struct OptionalJson<T>(pub T);

impl<T: DeserializeOwned + Default> FromRequest<Api> for OptionalJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let body = read(body, api.settings().body_limit, api).await?;
        if body.is_empty() {
            return Ok(Self(T::default()));
        }
        expect_json(&parts.headers)?;
        if body.trim_ascii() == b"null" {
            return Ok(Self(T::default()));
        }
        Ok(Self(read_json(&body)?))
    }
}

/// The bytes of a receipt; large ones take turns.
pub(super) struct ReceiptBytes(pub Bytes);

impl FromRequest<Api> for ReceiptBytes {
    type Rejection = Problem;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Problem> {
        expect_json(request.headers())?;
        let settings = api.settings();
        if length(request.headers()).is_some_and(|length| length <= settings.body_limit) {
            return Ok(Self(read(request.into_body(), settings.body_limit, api).await?));
        }
        let stopping = |_| Problem::new(Code::Stopping, "the register is stopping");
        let _place = api.large_receipts().acquire().await.map_err(stopping)?;
        Ok(Self(read(request.into_body(), settings.receipt_limit, api).await?))
    }
}

fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// A web page cannot send this type without asking first, and a wrong one means another format.
fn expect_json(headers: &HeaderMap) -> Result<(), Problem> {
    let named = headers.get(header::CONTENT_TYPE).and_then(|named| named.to_str().ok());
    let essence = named.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let detail = format!("Content-Type must be application/json, not {essence:?}");
    Err(Problem::new(Code::Unsupported, detail))
}

/// Reads a body of at most `limit` bytes, within the time a request has.
async fn read(body: Body, limit: usize, api: &Api) -> Result<Bytes, Problem> {
    let within = api.settings().request_timeout;
    let read = timeout(within, read_whole(body, limit)).await;
    read.unwrap_or_else(|_| Err(Problem::new(Code::TimedOut, "the body did not come in time")))
}

async fn read_whole(body: Body, limit: usize) -> Result<Bytes, Problem> {
    let mut frames = body.into_data_stream();
    let mut read = Vec::new();
    while let Some(frame) = frames.next().await {
        let frame = frame.map_err(|error| Problem {
            source: Some(Box::new(error)),
            ..Problem::new(Code::InvalidBody, "the body broke off before its end")
        })?;
        if read.len() + frame.len() > limit {
            drain(frames).await;
            let detail = format!("the body is larger than {limit} bytes");
            return Err(Problem::new(Code::TooLarge, detail));
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
