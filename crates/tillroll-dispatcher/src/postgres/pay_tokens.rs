//! Pay tokens: issued, consumed, completed.

use deadpool_postgres::{GenericClient, Transaction};
use jiff::Timestamp;
use tokio_postgres::Row;

use super::PostgresStore;
use super::columns::{at, fingerprint, first, get, ms, optional_at};
use super::fault::Fault;
use crate::job::{RegisterNo, StoreNo};
use crate::store::{
    Completed, Consumed, Issued, NewPayToken, PayToken, PayTokenKey, PayTokens, Stored,
};

impl PayTokens for PostgresStore {
    async fn issue_pay_token(&self, new: NewPayToken) -> Stored<Issued> {
        self.write(async move |db| issue(db, &new).await).await
    }

    async fn pay_token(&self, key: PayTokenKey) -> Stored<Option<PayToken>> {
        self.look_up(async move |db| find(db, &key).await).await
    }

    async fn consume_pay_token(
        &self,
        key: PayTokenKey,
        consume_id: String,
        now: Timestamp,
    ) -> Stored<Option<Consumed>> {
        self.write(async move |db| consume(db, &key, &consume_id, now).await).await
    }

    async fn complete_pay_token(
        &self,
        key: PayTokenKey,
        consume_id: String,
        result: String,
        now: Timestamp,
    ) -> Stored<Option<Completed>> {
        self.write(async move |db| complete(db, &key, &consume_id, &result, now).await).await
    }
}

/// What [`read`] reads, in its order.
macro_rules! columns {
    () => {
        "token, request_id, fingerprint, store, register, (SELECT name FROM registers r
             WHERE r.store = pay_tokens.store AND r.register = pay_tokens.register),
         amount_minor, issued_at, expires_at, consume_id, consumed_at, result, completed_at"
    };
}

fn read(row: &Row) -> Result<PayToken, Fault> {
    Ok(PayToken {
        token: get(row, 0)?,
        request_id: get(row, 1)?,
        fingerprint: fingerprint(row, 2)?,
        register: RegisterNo { store: StoreNo(get(row, 3)?), no: get(row, 4)? },
        register_name: get(row, 5)?,
        amount_minor: get(row, 6)?,
        issued_at: at(row, 7)?,
        expires_at: at(row, 8)?,
        consumed: get::<Option<String>>(row, 9)?.zip(optional_at(row, 10)?),
        completed: get::<Option<String>>(row, 11)?.zip(optional_at(row, 12)?),
    })
}

/// The row that another transaction put first is waited for, and then seen by the look behind it.
async fn issue(db: &Transaction<'_>, new: &NewPayToken) -> Result<Issued, Fault> {
    let (store, fingerprint) = (new.register.store.0, &new.fingerprint.as_bytes()[..]);
    let (issued_at, expires_at) = (ms(new.now), ms(new.expires_at));
    let params = [
        &store as _,
        &new.token as _,
        &new.request_id as _,
        &fingerprint as _,
        &new.register.no as _,
        &new.amount_minor as _,
        &issued_at as _,
        &expires_at as _,
    ];
    if let Some(issued) = first(db, ISSUE, &params, read).await? {
        return Ok(Issued::New(issued));
    }
    let known = first(db, BY_REQUEST, &[&store, &new.request_id], read).await?;
    let known = known.ok_or(Fault::Refused("that token is taken already"))?;
    Ok(new.meets(known))
}

const ISSUE: &str = concat!(
    "INSERT INTO pay_tokens (store, token, request_id, fingerprint, register, amount_minor, issued_at,
         expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (store, request_id) DO NOTHING RETURNING ",
    columns!()
);
pub(super) const BY_REQUEST: &str =
    concat!("SELECT ", columns!(), " FROM pay_tokens WHERE store = $1 AND request_id = $2");

async fn find(db: &impl GenericClient, key: &PayTokenKey) -> Result<Option<PayToken>, Fault> {
    let register = key.register.map(|register| register.no);
    first(db, BY_TOKEN, &[&key.store.0, &key.token, &register], read).await
}

pub(super) const BY_TOKEN: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM pay_tokens WHERE store = $1 AND token = $2 AND ($3::bigint IS NULL OR register = $3)"
);

/// Of several that change the row at once the first wins: the others wait, and then no longer meet its
/// condition.
async fn consume(
    db: &Transaction<'_>,
    key: &PayTokenKey,
    consume_id: &str,
    now: Timestamp,
) -> Result<Option<Consumed>, Fault> {
    let register = key.register.map(|register| register.no);
    let now = ms(now);
    let params = [&key.store.0 as _, &key.token as _, &register as _, &consume_id as _, &now as _];
    if let Some(won) = first(db, CONSUME, &params, read).await? {
        return Ok(Some(Consumed::Won(won)));
    }
    Ok(find(db, key).await?.map(|token| token.not_consumed_by(consume_id)))
}

pub(super) const CONSUME: &str = concat!(
    "UPDATE pay_tokens SET consume_id = $4, consumed_at = $5
     WHERE store = $1 AND token = $2 AND ($3::bigint IS NULL OR register = $3)
         AND consume_id IS NULL AND expires_at > $5 RETURNING ",
    columns!()
);

async fn complete(
    db: &Transaction<'_>,
    key: &PayTokenKey,
    consume_id: &str,
    result: &str,
    now: Timestamp,
) -> Result<Option<Completed>, Fault> {
    let register = key.register.map(|register| register.no);
    let now = ms(now);
    let params = [
        &key.store.0 as _,
        &key.token as _,
        &register as _,
        &consume_id as _,
        &result as _,
        &now as _,
    ];
    if let Some(done) = first(db, COMPLETE, &params, read).await? {
        return Ok(Some(Completed::Done(done)));
    }
    Ok(find(db, key).await?.map(|token| token.not_completed_by(consume_id, result)))
}

pub(super) const COMPLETE: &str = concat!(
    "UPDATE pay_tokens SET result = $5, completed_at = $6
     WHERE store = $1 AND token = $2 AND ($3::bigint IS NULL OR register = $3)
         AND consume_id = $4 AND completed_at IS NULL RETURNING ",
    columns!()
);
