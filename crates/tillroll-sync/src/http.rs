//! The real network: HTTP requests with the register's credential, and the push channel on a WebSocket.
//!
//! Both go through one client, so there is one way to trust a server. It follows no redirect: the
//! credential goes to the address it was issued by and nowhere else.

mod dialing;
mod packing;
mod socket;
mod trust;

use std::sync::Arc;
use std::time::Duration;

use jiff::civil::Date;
use reqwest::header::{
    AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
};
use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde::de::DeserializeOwned;
use tillroll_domain::clock::Clock;
use tillroll_domain::splits::Verb;
use tillroll_store::CloudCredential;
use tillroll_wire::day::CloudDay;
use tillroll_wire::record::{Batch, Verdicts};
use tillroll_wire::repair::{Digests, HourIds};
use tillroll_wire::split::{SplitAction, SplitDayView, SplitList, SplitView};
use tillroll_wire::{Code, Problem};

use self::packing::{Packing, could_not_read};
use crate::{Channel, Lane, Link, LinkError};

/// A connection takes no longer to make.
const CONNECT: Duration = Duration::from_secs(5);
/// A dispatcher closes a connection after 15 s without a request. One that is sent at that moment has no answer, so
/// connections are left alone before.
const REUSED_WITHIN: Duration = Duration::from_secs(10);
/// Names the store in every request, for a load balancer that leads all calls of a store to one node. No
/// dispatcher believes it.
const STORE: HeaderName = HeaderName::from_static("tillroll-store");
/// The largest answer that is read: a page of ids.
const ANSWER_MOST: usize = 8 * 1024 * 1024;

/// The dispatcher over HTTP. Cheap to clone.
#[derive(Clone)]
pub struct HttpLink {
    base: Arc<str>,
    lanes: [Client; 2],
    packing: Packing,
    clock: Arc<dyn Clock>,
}

impl HttpLink {
    /// A link to the dispatcher at an address, with the credential it issued for a register of a store.
    ///
    /// # Errors
    /// When the credential or the store's uid is no header value, or this machine has no TLS.
    pub fn new(
        url: &str,
        credential: &CloudCredential,
        store_uid: &str,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, LinkError> {
        let mut bearer = header(format!("Bearer {}", credential.secret()))?;
        bearer.set_sensitive(true);
        let store = header(store_uid.to_owned())?;
        let headers = HeaderMap::from_iter([(AUTHORIZATION, bearer), (STORE, store)]);
        let lane = || client(headers.clone()).map_err(unreachable);
        let base = url.trim_end_matches('/').into();
        let packing = Packing::default();
        Ok(Self { base, lanes: [lane()?, lane()?], packing, clock })
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn client(&self, lane: Lane) -> &Client {
        match lane {
            Lane::First => &self.lanes[0],
            Lane::Second => &self.lanes[1],
        }
    }

    /// Posts a batch; `coding` says how its body was packed.
    async fn post_records(
        &self,
        lane: Lane,
        body: Vec<u8>,
        coding: Option<&'static str>,
    ) -> Result<Verdicts, LinkError> {
        let request = || {
            let request = self.client(lane).post(self.url("/v1/sync/records"));
            let request = request.header(CONTENT_TYPE, "application/json");
            match coding {
                Some(coding) => request.header(CONTENT_ENCODING, coding),
                None => request,
            }
        };
        let response = dialing::send(request, &body).await.map_err(unreachable)?;
        self.packing.note(&response);
        read(response).await
    }
}

impl std::fmt::Debug for HttpLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpLink").field("base", &self.base).finish_non_exhaustive()
    }
}

fn header(text: String) -> Result<HeaderValue, LinkError> {
    HeaderValue::try_from(text).map_err(|error| LinkError::Unreachable(Box::new(error)))
}

/// A client that follows no redirect.
pub(crate) fn client(headers: HeaderMap) -> reqwest::Result<Client> {
    Client::builder()
        .default_headers(headers)
        .connect_timeout(CONNECT)
        .redirect(reqwest::redirect::Policy::none())
        .pool_idle_timeout(REUSED_WITHIN)
        .build()
}

impl Link for HttpLink {
    async fn send_records(&self, batch: &Batch, lane: Lane) -> Result<Verdicts, LinkError> {
        let body = serde_json::to_vec(batch);
        let body = body.map_err(|error| LinkError::Unreadable(error.to_string()))?;
        if let Some(packed) = self.packing.pack(&body) {
            let answer = self.post_records(lane, packed, Some("gzip")).await;
            // A dispatcher that no longer offers it has refused the coding and not the records.
            if self.packing.is_taken() || !answer.as_ref().is_err_and(was_not_read) {
                return answer;
            }
        }
        self.post_records(lane, body, None).await
    }

    async fn digests(&self, ours: Digests) -> Result<Digests, LinkError> {
        let url = self.url("/v1/sync/digests");
        ask(self.client(Lane::First).post(url).json(&ours)).await
    }

    async fn hour_ids(&self, hour: i64) -> Result<HourIds, LinkError> {
        let url = self.url(&format!("/v1/sync/hours/{hour}"));
        ask(self.client(Lane::First).get(url)).await
    }

    async fn day(&self, day: Date) -> Result<CloudDay, LinkError> {
        let url = self.url(&format!("/v1/sync/days/{day}"));
        ask(self.client(Lane::First).get(url)).await
    }

    async fn split_day(&self, day: Date) -> Result<SplitDayView, LinkError> {
        let url = self.url(&format!("/v1/sync/split-days/{day}"));
        ask(self.client(Lane::First).get(url)).await
    }

    async fn manual_splits(&self) -> Result<SplitList, LinkError> {
        ask(self.client(Lane::First).get(self.url("/v1/sync/splits"))).await
    }

    async fn act_on_split(
        &self,
        id: &str,
        verb: Verb,
        action: &SplitAction,
    ) -> Result<SplitView, LinkError> {
        let url = self.url(&format!("/v1/sync/splits/{id}/{verb}"));
        ask(self.client(Lane::First).post(url).json(action)).await
    }

    async fn open_channel(&self) -> Result<Channel, LinkError> {
        let url = self.url("/v1/channel");
        let clock = Arc::clone(&self.clock);
        socket::open(self.client(Lane::First).get(url), &self.packing, clock).await
    }
}

fn was_not_read(error: &LinkError) -> bool {
    match error {
        LinkError::Refused(problem) => could_not_read(problem.status),
        LinkError::NotOurs { status } => could_not_read(*status),
        LinkError::Unreachable(_)
        | LinkError::Untrusted(_)
        | LinkError::TimedOut(_)
        | LinkError::Dropped(_)
        | LinkError::Unreadable(_) => false,
    }
}

/// Sends a request and reads its answer.
pub(crate) async fn ask<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, LinkError> {
    read(request.send().await.map_err(unreachable)?).await
}

async fn read<T: DeserializeOwned>(response: Response) -> Result<T, LinkError> {
    if !response.status().is_success() {
        return Err(refusal(response).await);
    }
    if !is_json(&response) {
        return Err(LinkError::NotOurs { status: response.status().as_u16() });
    }
    let body = bounded(response).await?;
    serde_json::from_slice(&body).map_err(|error| LinkError::Unreadable(error.to_string()))
}

/// Whether an answer is what a dispatcher sends; the page of a guest network also comes with 200.
fn is_json(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}

/// The body of an answer, as far as one may be long.
async fn bounded(mut response: Response) -> Result<Vec<u8>, LinkError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(dropped)? {
        if body.len() + chunk.len() > ANSWER_MOST {
            return Err(LinkError::Unreadable(format!("longer than {ANSWER_MOST} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Why the answer is no success. A problem document is the dispatcher's own word; anything else came from
/// something in between and says nothing about this register.
pub(crate) async fn refusal(response: Response) -> LinkError {
    let status = response.status();
    let after = retry_after_header(&response);
    let Ok(body) = bounded(response).await else {
        return LinkError::NotOurs { status: status.as_u16() };
    };
    match serde_json::from_slice::<Problem>(&body) {
        Ok(problem) => LinkError::Refused(Problem {
            retry_after_ms: problem.retry_after_ms.or(after),
            ..problem
        }),
        Err(_) if status == StatusCode::SERVICE_UNAVAILABLE && after.is_some() => {
            let problem = Problem::new(Code::Unavailable, "unavailable");
            LinkError::Refused(Problem { retry_after_ms: after, ..problem })
        }
        Err(_) => LinkError::NotOurs { status: status.as_u16() },
    }
}

/// `Retry-After` in seconds (RFC 9110 10.2.3), as milliseconds.
fn retry_after_header(response: &Response) -> Option<u64> {
    let value = response.headers().get(reqwest::header::RETRY_AFTER)?.to_str().ok()?;
    value.parse::<u64>().ok()?.checked_mul(1_000)
}

pub(crate) fn unreachable(error: reqwest::Error) -> LinkError {
    if let Some(distrust) = trust::distrust(&error) {
        return LinkError::Untrusted(distrust);
    }
    if error.is_connect() || error.is_builder() {
        return LinkError::Unreachable(Box::new(told(error)));
    }
    dropped(error)
}

pub(crate) fn dropped(error: reqwest::Error) -> LinkError {
    LinkError::Dropped(Some(Box::new(told(error))))
}

/// The address stands in the settings; what happened is in the innermost source.
fn told(error: reqwest::Error) -> Told {
    let error = error.without_url();
    let mut innermost: &dyn std::error::Error = &error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    Told { text: innermost.to_string(), source: error }
}

/// An error of the client that says what happened first.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
struct Told {
    text: String,
    source: reqwest::Error,
}
