//! What handlers take from a request. Whatever cannot be read becomes the program's own problem.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::response::IntoResponse;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use crate::body::{BodyError, expect_json, length, read_body};
use crate::json::{JsonError, read_json};

/// A program's state, as far as reading requests goes.
pub trait Reading: Send + Sync {
    /// What the program answers when a request cannot be read.
    type Problem: IntoResponse + From<AddressError> + From<BodyError> + From<JsonError>;

    /// The largest body that needs no turn, in bytes.
    fn body_limit(&self) -> usize;

    /// The time a body has to come.
    fn body_within(&self) -> Duration;

    /// Turns of larger bodies.
    fn large_bodies(&self) -> &Semaphore;
}

/// A value in the address cannot be used; what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct AddressError(String);

/// A value of the address.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Reading> FromRequestParts<S> for Path<T> {
    type Rejection = S::Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, S::Problem> {
        match extract::Path::from_request_parts(parts, state).await {
            Ok(extract::Path(value)) => Ok(Self(value)),
            Err(error) => Err(AddressError(error.body_text()).into()),
        }
    }
}

/// The values behind the address.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Reading> FromRequestParts<S> for Query<T> {
    type Rejection = S::Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, S::Problem> {
        match extract::Query::from_request_parts(parts, state).await {
            Ok(extract::Query(value)) => Ok(Self(value)),
            Err(error) => Err(AddressError(error.body_text()).into()),
        }
    }
}

/// A body in JSON.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Reading> FromRequest<S> for Json<T> {
    type Rejection = S::Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, S::Problem> {
        expect_json(request.headers())?;
        let read = read_body(request.into_body(), state.body_limit(), state.body_within());
        Ok(Self(read_json(&read.await?)?))
    }
}

/// Reads a body in JSON of at most `limit` bytes. Those that are larger than
/// [`Reading::body_limit`], or do not say their length, take turns.
///
/// # Errors
/// [`BodyError`].
pub async fn read_large<S: Reading>(
    request: Request,
    limit: usize,
    state: &S,
) -> Result<Bytes, BodyError> {
    expect_json(request.headers())?;
    let (small, within) = (state.body_limit(), state.body_within());
    if length(request.headers()).is_some_and(|length| length <= small) {
        return read_body(request.into_body(), small, within).await;
    }
    let _turn = state.large_bodies().acquire().await.map_err(|_| BodyError::Ending)?;
    read_body(request.into_body(), limit, within).await
}

#[cfg(test)]
mod tests;
