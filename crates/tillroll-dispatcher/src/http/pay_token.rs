//! Pay tokens: issued, found, consumed, completed, for those who may know of them.

mod shape;

use std::time::Duration;

use serde_json::{Value, json};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_wire::Code;

pub(super) use self::shape::{CompleteBody, ConsumeBody};
pub use self::shape::{PayTokenState, PayTokenView};
use super::api::Api;
use super::guard::{Device, Shop};
use super::problem::{Fingerprints, Refusal};
use crate::job::RegisterNo;
use crate::secret::draw_pay_token;
use crate::store::{
    Completed, Consumed, Issued, NewPayToken, PayTokenKey, PayTokens as _, StoreRecord,
};

/// A token that nobody consumed in this time is worth nothing.
const COUNTS_FOR: Duration = Duration::from_secs(5 * 60);
/// The longest id, in bytes.
const ID: usize = 128;
/// The longest result, in bytes of JSON.
const RESULT: usize = 16 * 1024;

/// Who may know of which tokens: a business system of all in its store, a register of its own.
pub(super) struct Holder {
    store: StoreRecord,
    register: Option<RegisterNo>,
}

impl From<Shop> for Holder {
    fn from(shop: Shop) -> Self {
        Self { store: shop.store, register: None }
    }
}

impl From<Device> for Holder {
    fn from(device: Device) -> Self {
        let of = device.credential;
        Self { store: of.store, register: Some(of.register.no) }
    }
}

impl Holder {
    /// What is no token names none.
    fn key(&self, token: &str) -> Result<PayTokenKey, Refusal> {
        let digits = token.strip_prefix("pt_").unwrap_or_default();
        let is_one = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_one {
            return Err(no_token());
        }
        let (store, register) = (self.store.no, self.register);
        Ok(PayTokenKey { store, token: token.to_owned(), register })
    }
}

fn no_token() -> Refusal {
    Refusal::not_found("pay token")
}

/// Issues a token for a payment at a register.
pub(super) async fn issue(
    api: &Api,
    register: RegisterNo,
    request_id: String,
    amount_minor: i64,
) -> Result<PayTokenView, Refusal> {
    check_id("request_id", &request_id)?;
    if amount_minor < 1 {
        return Err(Refusal::value("amount_minor", "must be above zero"));
    }
    let now = api.now();
    let expires_at = now.checked_add(COUNTS_FOR);
    let asked = json!({"register": register.no, "amount_minor": amount_minor}).to_string();
    let fingerprint = Fingerprint::of(asked.as_bytes());
    let new = NewPayToken {
        token: draw_pay_token(now)?,
        request_id: request_id.clone(),
        register,
        amount_minor,
        fingerprint,
        now,
        expires_at: expires_at.map_err(|error| Refusal::default().caused_by(error))?,
    };
    match api.store().issue_pay_token(new).await? {
        Issued::New(token) => Ok(PayTokenView::of(token, now, false)),
        Issued::Replayed(token) => Ok(PayTokenView::of(token, now, true)),
        Issued::Conflict { stored } => {
            Err(Refusal::conflict(&request_id, Fingerprints { stored, offered: fingerprint }))
        }
    }
}

/// A token as it stands. One that is completed never changes: it may come from Redis.
pub(super) async fn find(api: &Api, holder: &Holder, token: &str) -> Result<PayTokenView, Refusal> {
    let key = holder.key(token)?;
    let is_known =
        |view: &(RegisterNo, PayTokenView)| holder.register.is_none_or(|no| no == view.0);
    if let Some((_, view)) = api.results().recall(&holder.store.uid, token).await.filter(is_known) {
        return Ok(view);
    }
    let found = api.store().pay_token(key).await?.ok_or_else(no_token)?;
    Ok(PayTokenView::of(found, api.now(), false))
}

/// Consumes a token: one asker wins.
pub(super) async fn consume(
    api: &Api,
    holder: &Holder,
    token: &str,
    body: ConsumeBody,
) -> Result<PayTokenView, Refusal> {
    let key = holder.key(token)?;
    check_id("consume_id", &body.consume_id)?;
    let now = api.now();
    let consumed = api.store().consume_pay_token(key, body.consume_id, now).await?;
    match consumed.ok_or_else(no_token)? {
        Consumed::Won(token) => Ok(PayTokenView::of(token, now, false)),
        Consumed::Replayed(token) => Ok(PayTokenView::of(token, now, true)),
        Consumed::Taken(token) => Err(taken(PayTokenView::of(token, now, false))),
        Consumed::Expired(token) => {
            let detail = "nobody consumed the token in time: ask for another one";
            let view = PayTokenView::of(token, now, false);
            Err(Refusal::new(Code::TokenExpired, detail).about(view))
        }
    }
}

/// Stores a token's result, for whoever consumed it.
pub(super) async fn complete(
    api: &Api,
    holder: &Holder,
    token: &str,
    body: CompleteBody,
) -> Result<PayTokenView, Refusal> {
    let key = holder.key(token)?;
    check_id("consume_id", &body.consume_id)?;
    let result = Value::Object(body.result).to_string();
    if result.len() > RESULT {
        return Err(Refusal::value("result", format!("must be at most {RESULT} bytes")));
    }
    let (now, offered) = (api.now(), Fingerprint::of(result.as_bytes()));
    let completed = api.store().complete_pay_token(key, body.consume_id, result, now).await?;
    match completed.ok_or_else(no_token)? {
        Completed::Done(done) => {
            let register = done.register;
            let view = PayTokenView::of(done, now, false);
            api.results().keep(&holder.store.uid, register, &view).await;
            Ok(view)
        }
        Completed::Replayed(token) => Ok(PayTokenView::of(token, now, true)),
        Completed::Taken(token) => Err(taken(PayTokenView::of(token, now, false))),
        Completed::NotConsumed(token) => {
            let view = PayTokenView::of(token, now, false);
            Err(Refusal::new(Code::NotAllowed, "nobody consumed the token").about(view))
        }
        Completed::Conflict(token) => {
            let stored = token.completed.as_ref().map(|(stored, _)| stored.as_str());
            let stored = Fingerprint::of(stored.unwrap_or_default().as_bytes());
            let refusal = Refusal::conflict(&token.token, Fingerprints { stored, offered });
            Err(refusal.about(PayTokenView::of(token, now, false)))
        }
    }
}

fn taken(view: PayTokenView) -> Refusal {
    let detail = match view.state {
        PayTokenState::Completed => "somebody else consumed the token and stored its result",
        PayTokenState::Issued | PayTokenState::Consumed | PayTokenState::Expired => {
            "somebody else consumed the token; its result is not known yet"
        }
    };
    Refusal::new(Code::TokenConsumed, detail).about(view)
}

fn check_id(field: &str, id: &str) -> Result<(), Refusal> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._~:/-".contains(&byte);
    if (1..=ID).contains(&id.len()) && id.bytes().all(plain) {
        return Ok(());
    }
    Err(Refusal::value(field, format!("must be 1 to {ID} of A-Z a-z 0-9 . _ ~ : / -")))
}
