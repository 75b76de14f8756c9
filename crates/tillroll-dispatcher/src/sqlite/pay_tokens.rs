//! Pay tokens: issued, consumed, completed.

use jiff::Timestamp;
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use super::SqliteStore;
use super::columns::{at, fingerprint, first, ms, optional_at, run};
use super::fault::Fault;
use crate::job::{RegisterNo, StoreNo};
use crate::store::{
    Completed, Consumed, Issued, NewPayToken, PayToken, PayTokenKey, PayTokens, Stored,
};

impl PayTokens for SqliteStore {
    async fn issue_pay_token(&self, new: NewPayToken) -> Stored<Issued> {
        self.write(move |db| issue(db, &new)).await
    }

    async fn pay_token(&self, key: PayTokenKey) -> Stored<Option<PayToken>> {
        self.look_up(move |db| find(db, &key)).await
    }

    async fn consume_pay_token(
        &self,
        key: PayTokenKey,
        consume_id: String,
        now: Timestamp,
    ) -> Stored<Option<Consumed>> {
        let known = self.pay_token(key.clone()).await?;
        match known {
            // Nothing is written for whoever comes late.
            Some(known) if known.consumed.is_some() => Ok(Some(known.not_consumed_by(&consume_id))),
            Some(_) => self.write(move |db| consume(db, &key, &consume_id, now)).await,
            None => Ok(None),
        }
    }

    async fn complete_pay_token(
        &self,
        key: PayTokenKey,
        consume_id: String,
        result: String,
        now: Timestamp,
    ) -> Stored<Option<Completed>> {
        self.write(move |db| complete(db, &key, &consume_id, &result, now)).await
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

fn read(row: &Row<'_>) -> Result<PayToken, Fault> {
    Ok(PayToken {
        token: row.get(0)?,
        request_id: row.get(1)?,
        fingerprint: fingerprint(row, 2)?,
        register: RegisterNo { store: StoreNo(row.get(3)?), no: row.get(4)? },
        register_name: row.get(5)?,
        amount_minor: row.get(6)?,
        issued_at: at(row, 7)?,
        expires_at: at(row, 8)?,
        consumed: row.get::<_, Option<String>>(9)?.zip(optional_at(row, 10)?),
        completed: row.get::<_, Option<String>>(11)?.zip(optional_at(row, 12)?),
    })
}

fn issue(db: &Connection, new: &NewPayToken) -> Result<Issued, Fault> {
    let store = new.register.store;
    if let Some(known) = first(db, BY_REQUEST, params![store.0, new.request_id], read)? {
        return Ok(new.meets(known));
    }
    let params = params![
        store.0,
        new.token,
        new.request_id,
        new.fingerprint.as_bytes(),
        new.register.no,
        new.amount_minor,
        ms(new.now),
        ms(new.expires_at)
    ];
    let issued = first(db, ISSUE, params, read)?;
    issued.map(Issued::New).ok_or(Fault::Refused("the token was not issued"))
}

pub(super) const BY_REQUEST: &str =
    concat!("SELECT ", columns!(), " FROM pay_tokens WHERE store = ?1 AND request_id = ?2");
const ISSUE: &str = concat!(
    "INSERT INTO pay_tokens (store, token, request_id, fingerprint, register, amount_minor, issued_at,
         expires_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING ",
    columns!()
);

fn find(db: &Connection, key: &PayTokenKey) -> Result<Option<PayToken>, Fault> {
    let register = key.register.map(|register| register.no);
    first(db, BY_TOKEN, params![key.store.0, key.token, register], read)
}

pub(super) const BY_TOKEN: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM pay_tokens WHERE store = ?1 AND token = ?2 AND (?3 IS NULL OR register = ?3)"
);

fn consume(
    db: &Connection,
    key: &PayTokenKey,
    consume_id: &str,
    now: Timestamp,
) -> Result<Option<Consumed>, Fault> {
    let Some(before) = find(db, key)? else { return Ok(None) };
    let params = params![key.store.0, key.token, consume_id, ms(now)];
    if run(db, CONSUME, params)? == 0 {
        return Ok(Some(before.not_consumed_by(consume_id)));
    }
    Ok(find(db, key)?.map(Consumed::Won))
}

pub(super) const CONSUME: &str = "UPDATE pay_tokens SET consume_id = ?3, consumed_at = ?4
    WHERE store = ?1 AND token = ?2 AND consume_id IS NULL AND expires_at > ?4";

fn complete(
    db: &Connection,
    key: &PayTokenKey,
    consume_id: &str,
    result: &str,
    now: Timestamp,
) -> Result<Option<Completed>, Fault> {
    let Some(before) = find(db, key)? else { return Ok(None) };
    let params = params![key.store.0, key.token, consume_id, result, ms(now)];
    if run(db, COMPLETE, params)? == 0 {
        return Ok(Some(before.not_completed_by(consume_id, result)));
    }
    Ok(find(db, key)?.map(Completed::Done))
}

pub(super) const COMPLETE: &str = "UPDATE pay_tokens SET result = ?4, completed_at = ?5
    WHERE store = ?1 AND token = ?2 AND consume_id = ?3 AND completed_at IS NULL";
