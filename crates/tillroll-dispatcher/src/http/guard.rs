//! Who asks: a business system by its key, a register by its credential. A missing, malformed, unknown
//! and revoked secret look the same, and so do a store that is not there and one that is another's.
//!
//! A request counts when its handler takes who asks, unless it takes them [`Uncounted`].

use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use tillroll_http::bearer;
use tillroll_wire::Code;

use super::api::Api;
use super::problem::{Refusal, stopping};
use crate::job::RegisterNo;
use crate::secret::hash_of;
use crate::store::{Caller, Credential, DispatcherStore as _, StoreRecord, TokenHash};

/// How a request is called among the actions that are limited.
const REQUEST: &str = "request";

/// A register that asks.
#[derive(Debug, Clone)]
pub(super) struct Device {
    /// Who it is.
    pub credential: Credential,
    /// What it proved that with.
    pub hash: TokenHash,
}

/// A business system that asks for one of its stores.
#[derive(Debug, Clone)]
pub(super) struct Shop {
    /// The number of its key.
    pub key: i64,
    pub store: StoreRecord,
}

impl Shop {
    /// The register of the store that a body names.
    pub async fn register(&self, api: &Api, name: &str) -> Result<RegisterNo, Refusal> {
        let registers = api.store().registers(self.store.no).await?;
        let named = registers.iter().find(|register| register.name.as_str() == name);
        let none = || Refusal::value("register", "names no register of this store");
        named.map(|register| register.no).ok_or_else(none)
    }
}

/// Who asks, where the request counts with what it asks for.
#[derive(Debug, Clone)]
pub(super) struct Uncounted<T>(pub T);

/// Lets business systems in.
pub(super) async fn check_key(
    State(api): State<Api>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let hash = presented(&api, &request)?;
    let (mut parts, body) = request.into_parts();
    let store = asked_for(&mut parts).await;
    let caller = api.store().caller(hash, store).await?.ok_or_else(unauthorized)?;
    parts.extensions.insert(caller);
    Ok(next.run(Request::from_parts(parts, body)).await)
}

/// The store that an address names.
async fn asked_for(parts: &mut Parts) -> Option<String> {
    let path = RawPathParams::from_request_parts(parts, &()).await.ok()?;
    path.iter().find_map(|(name, value)| (name == "store").then(|| value.to_owned()))
}

/// Lets registers in.
pub(super) async fn check_credential(
    State(api): State<Api>,
    mut request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let hash = presented(&api, &request)?;
    let credential = api.store().register_of(hash).await?.ok_or_else(unauthorized)?;
    request.extensions_mut().insert(Device { credential, hash });
    Ok(next.run(request).await)
}

fn presented(api: &Api, request: &Request) -> Result<TokenHash, Refusal> {
    if api.ending().is_cancelled() {
        return Err(stopping());
    }
    bearer(request.headers()).map(hash_of).ok_or_else(unauthorized)
}

fn unauthorized() -> Refusal {
    Refusal::new(Code::Unauthorized, "send `Authorization: Bearer SECRET` with a valid one")
}

impl<S: Sync> FromRequestParts<S> for Uncounted<Device> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        parts.extensions.get().cloned().map(Self).ok_or_else(unauthorized)
    }
}

impl FromRequestParts<Api> for Device {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, Refusal> {
        let Uncounted(device) = Uncounted::<Self>::from_request_parts(parts, api).await?;
        let counted = api.limits().register(&device.credential, api.boot()).await;
        api.metrics().limit_asked(REQUEST, counted.is_ok());
        counted?;
        Ok(device)
    }
}

impl<S: Sync> FromRequestParts<S> for Uncounted<Shop> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        let Caller { key, store } = parts.extensions.get().cloned().ok_or_else(unauthorized)?;
        let store = store.ok_or_else(|| Refusal::not_found("store"))?;
        Ok(Self(Shop { key, store }))
    }
}

impl FromRequestParts<Api> for Shop {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, Refusal> {
        let Uncounted(shop) = Uncounted::<Self>::from_request_parts(parts, api).await?;
        let counted = api.limits().store(&shop.store, api.boot()).await;
        api.metrics().limit_asked(REQUEST, counted.is_ok());
        counted?;
        Ok(shop)
    }
}
