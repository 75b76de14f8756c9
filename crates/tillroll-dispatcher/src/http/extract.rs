//! What handlers take from a request. Whatever cannot be read is a problem that names the field.

use std::net::IpAddr;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use futures_util::StreamExt as _;
use serde::de::DeserializeOwned;
use tillroll_wire::{Code, Problem, record::BATCH_BYTES};
use tokio::time::timeout;

use super::api::Api;
use super::json::read_json;
use super::problem::{Refusal, stopping};

/// Of a body that is too large so much more is read and dropped, in bytes, so that its sender gets to
/// read the answer.
const DRAINED: usize = 32 * 1024 * 1024;

/// A value of the address.
pub(super) struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match extract::Path::from_request_parts(parts, state).await {
            Ok(extract::Path(value)) => Ok(Self(value)),
            Err(error) => Err(Refusal::new(Code::InvalidValue, error.body_text())),
        }
    }
}

/// The values behind the address.
pub(super) struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        match extract::Query::from_request_parts(parts, state).await {
            Ok(extract::Query(value)) => Ok(Self(value)),
            Err(error) => Err(Refusal::new(Code::InvalidValue, error.body_text())),
        }
    }
}

/// Who is at the other end of the connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub IpAddr);

impl FromRequestParts<Api> for Peer {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, Refusal> {
        let peer = parts.extensions.get().copied().ok_or_else(Refusal::default)?;
        let told = api.settings().behind_proxy.then(|| forwarded_for(&parts.headers)).flatten();
        Ok(told.map_or(peer, Self))
    }
}

/// The address the nearest proxy saw: those before it may be anybody's invention.
fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    last.rsplit(',').next()?.trim().parse().ok()
}

/// A body in JSON.
pub(super) struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Api> for Json<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Refusal> {
        expect_json(request.headers())?;
        let body = read(request.into_body(), api.settings().body_limit, api).await?;
        Ok(Self(read_json(&body)?))
    }
}

/// A body of a batch of records.
pub(super) struct BatchJson<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Api> for BatchJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Refusal> {
        Ok(Self(read_json(&read_large(request, BATCH_BYTES, api).await?)?))
    }
}

/// The bytes of a print job.
pub(super) struct JobBytes(pub Bytes);

impl FromRequest<Api> for JobBytes {
    type Rejection = Refusal;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Refusal> {
        Ok(Self(read_large(request, api.settings().job_limit, api).await?))
    }
}

/// Reads a body that may be large; those that are take turns.
async fn read_large(request: Request, limit: usize, api: &Api) -> Result<Bytes, Refusal> {
    expect_json(request.headers())?;
    let small = api.settings().body_limit;
    if length(request.headers()).is_some_and(|length| length <= small) {
        return read(request.into_body(), small, api).await;
    }
    let _place = api.large_bodies().acquire().await.map_err(|_| stopping())?;
    read(request.into_body(), limit, api).await
}

fn length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// A web page cannot send this type without asking first, and a wrong one means another format.
fn expect_json(headers: &HeaderMap) -> Result<(), Refusal> {
    let named = headers.get(header::CONTENT_TYPE).and_then(|named| named.to_str().ok());
    let essence = named.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let detail = format!("Content-Type must be application/json, not {essence:?}");
    Err(Refusal::new(Code::Unsupported, detail))
}

/// Reads a body of at most `limit` bytes, within the time a request has.
async fn read(body: Body, limit: usize, api: &Api) -> Result<Bytes, Refusal> {
    let read = timeout(api.settings().request_timeout, read_whole(body, limit)).await;
    read.unwrap_or_else(|_| {
        let late = Problem::new(Code::InvalidBody, "the body did not come in time");
        Err(Problem { status: 408, ..late }.into())
    })
}

async fn read_whole(body: Body, limit: usize) -> Result<Bytes, Refusal> {
    let mut frames = body.into_data_stream();
    let mut read = Vec::new();
    while let Some(frame) = frames.next().await {
        let frame = frame.map_err(|error| {
            Refusal::new(Code::InvalidBody, "the body broke off before its end").caused_by(error)
        })?;
        if read.len() + frame.len() > limit {
            drain(frames).await;
            let detail = format!("the body is larger than {limit} bytes");
            return Err(Refusal::new(Code::TooLarge, detail));
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
