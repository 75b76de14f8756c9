//! What handlers take from a request. Whatever cannot be read is a problem that names the field.

use std::net::IpAddr;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use tillroll_http::{Coding, Reading, read_json, read_large};
pub(super) use tillroll_http::{Json, Path, Peer, Query};
use tillroll_wire::record::BATCH_BYTES;
use tokio::sync::Semaphore;

use super::api::Api;
use super::problem::Refusal;

impl Reading for Api {
    type Problem = Refusal;

    fn body_limit(&self) -> usize {
        self.settings().body_limit
    }

    fn body_within(&self) -> Duration {
        self.settings().request_timeout
    }

    fn large_bodies(&self) -> &Semaphore {
        self.large_bodies()
    }
}

/// Who asks: the peer, or whom a proxy in front of the program names.
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

/// A body of a batch of records, which may be packed.
pub(super) struct BatchJson<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Api> for BatchJson<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Refusal> {
        let coding = Coding::of(request.headers())?;
        let body = read_large(request, BATCH_BYTES, api).await?;
        Ok(Self(read_json(&coding.unpack(body, BATCH_BYTES)?)?))
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
