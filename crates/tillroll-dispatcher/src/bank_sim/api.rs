//! What a simulated bank answers.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tillroll_domain::clock::Clock;

use super::ledger::{BankFailure, Ledger, LedgerSums, Taken};
use super::{BankFaults, BankOptions};
use crate::payments::{
    PayRequest, PaymentStatus, Query, QueryAnswer, Reason, SEALED_AT, SIGNATURE, Seal,
    StatementAnswer, StatementRequest, Status,
};

/// The bank behind its routes.
pub(super) struct Bank {
    ledger: Ledger,
    seal: Seal,
    faults: Mutex<BankFaults>,
    clock: Arc<dyn Clock>,
    random: fn() -> u32,
}

impl Bank {
    pub fn new(ledger: Ledger, options: BankOptions) -> Self {
        let BankOptions { seal, faults, clock, random, .. } = options;
        Self { ledger, seal, faults: Mutex::new(faults), clock, random }
    }

    pub fn set_faults(&self, faults: BankFaults) {
        *self.faults.lock().unwrap_or_else(PoisonError::into_inner) = faults;
    }

    pub async fn sums(&self) -> Result<LedgerSums, BankFailure> {
        self.ledger.sums(self.clock.now()).await
    }

    pub fn close(&self) {
        self.ledger.close();
    }

    fn faults(&self) -> BankFaults {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn happens(&self, percent: u32) -> bool {
        BankFaults::happens(percent, (self.random)())
    }

    /// The body of a call that is signed, fresh and not lost, and how the answer fares.
    async fn take<T: DeserializeOwned>(
        &self,
        path: &str,
        headers: &HeaderMap,
        body: &str,
    ) -> Result<(T, BankFaults), Response> {
        let faults = self.faults();
        let jitter = (self.random)() % (faults.jitter_ms + 1);
        let delay = Duration::from_millis(u64::from(faults.delay_ms) + u64::from(jitter));
        tokio::time::sleep(delay).await;
        if faults.down || self.happens(faults.lose_requests) {
            return Err(broken_off());
        }
        if self.happens(faults.busy) {
            return Err(StatusCode::SERVICE_UNAVAILABLE.into_response());
        }
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let (at, sign) = (header(SEALED_AT).unwrap_or(""), header(SIGNATURE).unwrap_or(""));
        if !self.seal.fits(path, at, body, sign, self.clock.now()) {
            return Err(StatusCode::UNAUTHORIZED.into_response());
        }
        let asked =
            serde_json::from_str(body).map_err(|_| StatusCode::BAD_REQUEST.into_response())?;
        Ok((asked, faults))
    }

    fn answer(&self, answer: impl Serialize, faults: &BankFaults) -> Response {
        if self.happens(faults.lose_answers) { broken_off() } else { Json(answer).into_response() }
    }

    async fn pay(&self, request: PayRequest, faults: &BankFaults) -> Result<Response, BankFailure> {
        let now = self.clock.now();
        if request.live
            && let Some(reason) = refusal(&request, faults)
        {
            let (id, status) = (request.id, Status::Refused);
            let refused = PaymentStatus { id, status, reason: Some(reason), amount_minor: None };
            return Ok(self.answer(refused, faults));
        }
        let is_late = !request.live || self.happens(faults.late);
        let due_at = is_late.then(|| later(now, faults.late_ms));
        match self.ledger.pay(request, now, due_at, !faults.without_memory).await? {
            Taken::Status(status) => Ok(self.answer(status, faults)),
            Taken::Differs => Ok(StatusCode::CONFLICT.into_response()),
        }
    }
}

/// What was refused is not kept: its id may be asked for again.
fn refusal(request: &PayRequest, faults: &BankFaults) -> Option<Reason> {
    let whole: i64 = request.parts.iter().map(|part| part.amount_minor.0).sum();
    if whole != request.amount_minor.0 || request.amount_minor.0 <= 0 {
        return Some(Reason::Rejected);
    }
    if request.parts.iter().any(|part| faults.frozen.contains(&part.party)) {
        return Some(Reason::Frozen);
    }
    faults.no_balance.then_some(Reason::NoBalance)
}

fn later(now: Timestamp, ms: u32) -> Timestamp {
    now.checked_add(Duration::from_millis(ms.into())).unwrap_or(now)
}

/// An answer whose connection breaks before its body.
fn broken_off() -> Response {
    let broken = futures_util::stream::once(async {
        Err::<Bytes, _>(io::Error::from(io::ErrorKind::ConnectionReset))
    });
    Response::new(Body::from_stream(broken))
}

fn failed(error: &BankFailure) -> Response {
    tracing::error!(%error, "the bank's ledger failed");
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}

pub(super) fn routes(bank: Arc<Bank>) -> Router {
    Router::new()
        .route("/v1/pay", post(pay))
        .route("/v1/query", post(query))
        .route("/v1/statement", post(statement))
        .route("/admin/faults", put(set_faults).get(get_faults))
        .route("/admin/sums", get(get_sums))
        .with_state(bank)
}

type Shared = State<Arc<Bank>>;

async fn pay(State(bank): Shared, headers: HeaderMap, body: String) -> Response {
    let (request, faults) = match bank.take("/v1/pay", &headers, &body).await {
        Ok(taken) => taken,
        Err(response) => return response,
    };
    bank.pay(request, &faults).await.unwrap_or_else(|error| failed(&error))
}

async fn query(State(bank): Shared, headers: HeaderMap, body: String) -> Response {
    let (asked, faults): (Query, _) = match bank.take("/v1/query", &headers, &body).await {
        Ok(taken) => taken,
        Err(response) => return response,
    };
    match bank.ledger.query(asked.ids, bank.clock.now()).await {
        Ok(payments) => bank.answer(QueryAnswer { payments }, &faults),
        Err(error) => failed(&error),
    }
}

async fn statement(State(bank): Shared, headers: HeaderMap, body: String) -> Response {
    let (asked, faults): (StatementRequest, _) =
        match bank.take("/v1/statement", &headers, &body).await {
            Ok(taken) => taken,
            Err(response) => return response,
        };
    match bank.ledger.statement(asked, bank.clock.now()).await {
        Ok(lines) => bank.answer(StatementAnswer { lines }, &faults),
        Err(error) => failed(&error),
    }
}

/// Open to whoever reaches it: it is a simulator.
async fn set_faults(State(bank): Shared, Json(faults): Json<BankFaults>) -> StatusCode {
    bank.set_faults(faults);
    StatusCode::NO_CONTENT
}

async fn get_faults(State(bank): Shared) -> Json<BankFaults> {
    Json(bank.faults())
}

async fn get_sums(State(bank): Shared) -> Response {
    match bank.sums().await {
        Ok(sums) => Json(sums).into_response(),
        Err(error) => failed(&error),
    }
}
