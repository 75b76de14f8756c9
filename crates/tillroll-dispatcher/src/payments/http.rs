//! A channel over HTTP, as [`super::contract`] says.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::money::Minor;
use tillroll_domain::splits::{ChannelFault, ChannelRefusal};

use super::contract::{
    PAGE, PayRequest, PaymentStatus, Query, QueryAnswer, Reason, StatementAnswer, StatementRequest,
    Status,
};
use super::{
    Answer, Payment, PaymentChannel, PaymentId, SEALED_AT, SIGNATURE, Seal, Statement, Told,
};
use crate::hooks::{InvalidAddress, check_address};
use crate::schedule::SteadyClock;

/// The longest answer, in bytes.
const ANSWER: usize = 256 * 1_024;

/// A channel at an address. Clones share its connections.
#[derive(Debug, Clone)]
pub struct HttpChannel {
    client: Client,
    base: Url,
    seal: Arc<Seal>,
    clock: SteadyClock,
}

/// Why an address is no channel's.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoChannel {
    /// The address cannot be used.
    #[error("splits.channel: {0}")]
    Address(#[from] InvalidAddress),
    /// The system's certificates cannot be used.
    #[error("splits cannot be paid: {0}")]
    Client(#[from] reqwest::Error),
}

impl HttpChannel {
    /// A channel at `https`, or `http` on the loopback.
    ///
    /// # Errors
    /// [`NoChannel`].
    pub fn at(address: &str, seal: Seal, clock: SteadyClock) -> Result<Self, NoChannel> {
        let base = check_address(address)?;
        let client = Client::builder()
            .user_agent(concat!("tillroll-dispatcher/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .no_proxy()
            .build()?;
        Ok(Self { client, base, seal: Arc::new(seal), clock })
    }

    async fn post(
        &self,
        path: &str,
        body: &impl Serialize,
        limit: Duration,
    ) -> Answer<(StatusCode, Vec<u8>)> {
        let url = format!("{}{path}", self.base.as_str().trim_end_matches('/'));
        let body = serde_json::to_string(body).map_err(|_| ChannelFault::Unreached)?;
        let now = self.clock.now();
        let request = self
            .client
            .post(url)
            .timeout(limit)
            .header(CONTENT_TYPE, "application/json")
            .header(SEALED_AT, now.as_second().to_string())
            .header(SIGNATURE, self.seal.sign(path, now, &body))
            .body(body);
        let answer = request.send().await.map_err(|error| fault(&error))?;
        let status = answer.status();
        Ok((status, read(answer).await?))
    }

    async fn call<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
        limit: Duration,
    ) -> Answer<T> {
        let (status, answer) = self.post(path, body, limit).await?;
        if status != StatusCode::OK {
            return Err(fault_of(status));
        }
        serde_json::from_slice(&answer).map_err(|_| ChannelFault::Unanswered)
    }
}

/// A connection that was never made carried nothing.
fn fault(error: &reqwest::Error) -> ChannelFault {
    tracing::debug!(%error, "the channel did not answer");
    if error.is_connect() { ChannelFault::Unreached } else { ChannelFault::Unanswered }
}

/// A channel that does not know this dispatcher did nothing either.
fn fault_of(status: StatusCode) -> ChannelFault {
    match status {
        StatusCode::TOO_MANY_REQUESTS
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::UNAUTHORIZED => ChannelFault::Busy,
        _ => ChannelFault::Unanswered,
    }
}

async fn read(mut answer: Response) -> Answer<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|_| ChannelFault::Unanswered)? {
        body.extend_from_slice(&chunk);
        if body.len() > ANSWER {
            return Err(ChannelFault::Unanswered);
        }
    }
    Ok(body)
}

fn told(status: &PaymentStatus) -> Answer<Told> {
    let amount = status.amount_minor.ok_or(ChannelFault::Unanswered);
    Ok(match status.status {
        Status::Paid => Told::Paid(amount?),
        Status::Queued => Told::Queued(amount?),
        Status::Unknown => Told::NotThere,
        Status::Refused => Told::Refused(match status.reason {
            Some(Reason::Frozen) => ChannelRefusal::Frozen,
            Some(Reason::NoBalance) => ChannelRefusal::NoBalance,
            Some(Reason::Rejected) | None => ChannelRefusal::Rejected,
        }),
    })
}

/// What is told of one payment: of another id, or over another amount, it is none.
fn told_of(status: &PaymentStatus, id: &str, amount: Minor) -> Answer<Told> {
    if status.id != id {
        return Err(ChannelFault::Unanswered);
    }
    Ok(match told(status)? {
        Told::Paid(other) | Told::Queued(other) if other != amount => Told::Differs,
        same @ (Told::Paid(_)
        | Told::Queued(_)
        | Told::Refused(_)
        | Told::Differs
        | Told::NotThere) => same,
    })
}

impl PaymentChannel for HttpChannel {
    async fn pay(&self, payment: Payment, limit: Duration) -> Answer<Told> {
        let request = PayRequest {
            id: payment.id.to_string(),
            of: payment.of.map(|of| of.to_string()),
            amount_minor: payment.amount,
            currency: payment.currency,
            parts: payment.parts,
            try_no: payment.try_no,
            live: payment.live,
        };
        let (status, answer) = self.post("/v1/pay", &request, limit).await?;
        match status {
            StatusCode::OK => {
                let status =
                    serde_json::from_slice(&answer).map_err(|_| ChannelFault::Unanswered)?;
                told_of(&status, &request.id, payment.amount)
            }
            StatusCode::CONFLICT => Ok(Told::Differs),
            StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY => {
                Ok(Told::Refused(ChannelRefusal::Rejected))
            }
            status => Err(fault_of(status)),
        }
    }

    async fn ask(&self, ids: Vec<PaymentId>, limit: Duration) -> Answer<Vec<Told>> {
        let ids: Vec<_> = ids.iter().map(PaymentId::to_string).collect();
        let query = Query { ids };
        let answer: QueryAnswer = self.call("/v1/query", &query, limit).await?;
        let fits = answer.payments.iter().map(|status| &status.id).eq(&query.ids);
        if !fits {
            return Err(ChannelFault::Unanswered);
        }
        answer.payments.iter().map(told).collect()
    }

    async fn statement(
        &self,
        from: Timestamp,
        until: Timestamp,
        past: i64,
        limit: Duration,
    ) -> Answer<Vec<Statement>> {
        let request = StatementRequest { from, until, past, limit: PAGE };
        let answer: StatementAnswer = self.call("/v1/statement", &request, limit).await?;
        let line = |line: super::StatementLine| Statement {
            no: line.no,
            id: line.id,
            amount: line.amount_minor,
        };
        Ok(answer.lines.into_iter().map(line).collect())
    }
}
