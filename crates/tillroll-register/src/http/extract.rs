//! What handlers take from a request. Whatever cannot be read is a problem that names the field.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;
pub(super) use tillroll_http::{Json, Path, Query};
use tillroll_http::{Reading, expect_json, read_body, read_json, read_large};
use tokio::sync::Semaphore;

use super::api::Api;
use crate::problem::Problem;

impl Reading for Api {
    type Problem = Problem;

    fn body_limit(&self) -> usize {
        self.settings().body_limit
    }

    fn body_within(&self) -> Duration {
        self.settings().request_timeout
    }

    fn large_bodies(&self) -> &Semaphore {
        self.large_receipts()
    }
}

/// A body in JSON, or none at all.
pub(super) struct OptionalJson<T>(pub T);

impl<T: DeserializeOwned + Default> FromRequest<Api> for OptionalJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, api: &Api) -> Result<Self, Problem> {
        let (parts, body) = request.into_parts();
        let body = read_body(body, api.body_limit(), api.body_within()).await?;
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
        Ok(Self(read_large(request, api.settings().receipt_limit, api).await?))
    }
}
