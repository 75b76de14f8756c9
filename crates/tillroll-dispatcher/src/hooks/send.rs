//! One try: a signed POST, and whether it was taken.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode};

use super::address::{InvalidAddress, check_address};
use super::signature::{InvalidSecret, Signer};
use crate::store::HookDelivery;

/// Of an answer's body so much is read, in bytes, so that its connection can be used again.
const READ: usize = 16 * 1024;

/// Why a try did not succeed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failed {
    /// The receiver answered otherwise than with 2xx.
    #[error("the receiver answered {0}")]
    Answer(StatusCode),
    /// No answer came.
    #[error("no answer came: {0}")]
    NoAnswer(#[from] reqwest::Error),
    /// The address is not one that webhooks go to.
    #[error("the address {0}")]
    Address(#[from] InvalidAddress),
    /// The secret cannot sign.
    #[error(transparent)]
    Secret(#[from] InvalidSecret),
}

impl Failed {
    /// Whether the receiver wants nothing more, or no try can ever succeed.
    #[must_use]
    pub fn is_final(&self) -> bool {
        match self {
            Self::Answer(status) => *status == StatusCode::GONE,
            Self::NoAnswer(_) => false,
            Self::Address(_) | Self::Secret(_) => true,
        }
    }
}

/// Sends webhooks. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sender(Client);

impl Sender {
    /// A sender whose receivers have so much time.
    ///
    /// # Errors
    /// When the system's certificates cannot be used.
    pub fn new(timeout: Duration) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .user_agent(concat!("tillroll-dispatcher/", env!("CARGO_PKG_VERSION")))
            .timeout(timeout)
            .redirect(Policy::none())
            // What is sent is for its receiver alone, and the loopback is behind no proxy.
            .no_proxy()
            .build()?;
        Ok(Self(client))
    }

    /// Sends one delivery, signed as of now.
    ///
    /// # Errors
    /// `Failed` unless the receiver answered 2xx in time.
    pub async fn send(&self, delivery: &HookDelivery, now: Timestamp) -> Result<(), Failed> {
        let url = check_address(&delivery.hook.url)?;
        let id = format!("msg_{}", delivery.id);
        let signature = Signer::of(&delivery.hook.secret)?.sign(&id, now, &delivery.body);
        let request = self
            .0
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", now.as_second().to_string())
            .header("webhook-signature", signature)
            .body(delivery.body.clone());
        let answer = request.send().await?;
        let status = answer.status();
        read_some(answer).await;
        if status.is_success() { Ok(()) } else { Err(Failed::Answer(status)) }
    }
}

/// What the answer says beyond its status does not matter, whether it can be read or not.
async fn read_some(mut answer: Response) {
    let mut read = 0;
    while let Ok(Some(chunk)) = answer.chunk().await {
        read += chunk.len();
        if read > READ {
            return;
        }
    }
}
