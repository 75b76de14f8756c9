//! Programs that may use the register: a name, the hash of a token, an order scope, a right.

use jiff::Timestamp;
use tillroll_domain::ids::OrderScope;
use tillroll_sqlite::rusqlite::{Connection, Row, params};

use crate::columns::{all, first, ms, optional_at, word};
use crate::{Store, StoreError};

/// Row of a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub i64);

/// A client program to add.
#[derive(Debug, Clone)]
pub struct NewClient {
    /// Its name.
    pub name: String,
    /// SHA-256 of its token; the token itself is never stored here.
    pub token_hash: [u8; 32],
    /// How far its order numbers are unique.
    pub order_scope: OrderScope,
    /// It may open the drawer without a sale.
    pub may_open_drawer: bool,
    /// It may change printers, routes and clients, and close the day.
    pub may_manage: bool,
}

/// A client program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its row.
    pub id: ClientId,
    /// Its name.
    pub name: String,
    /// How far its order numbers are unique.
    pub order_scope: OrderScope,
    /// It may open the drawer without a sale.
    pub may_open_drawer: bool,
    /// It may change printers, routes and clients, and close the day.
    pub may_manage: bool,
    /// Since when its token no longer counts.
    pub revoked_at: Option<Timestamp>,
}

impl Store {
    /// Adds a client, or gives an existing one of that name a new token and settings.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn put_client(
        &self,
        client: NewClient,
        now: Timestamp,
    ) -> Result<ClientId, StoreError> {
        self.write(move |db| put(db, &client, now)).await
    }

    /// The client whose token has this hash and is not revoked.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn client_by_token(&self, hash: [u8; 32]) -> Result<Option<Client>, StoreError> {
        self.read(move |db| by_token(db, &hash)).await
    }

    /// Every client, revoked ones too.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn clients(&self) -> Result<Vec<Client>, StoreError> {
        self.read(|db| {
            all(db, "SELECT id, name, order_scope, may_open_drawer, may_manage, revoked_at FROM clients ORDER BY id", [], client)
        })
        .await
    }

    /// Takes a client's token away.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] without such a client.
    pub async fn revoke_client(&self, name: String, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |db| {
            let changed = db.execute(
                "UPDATE clients SET revoked_at = ?2 WHERE name = ?1 AND revoked_at IS NULL",
                params![name, ms(now)],
            )?;
            if changed == 1 { Ok(()) } else { Err(StoreError::not_found("client", &name)) }
        })
        .await
    }
}

fn put(db: &Connection, client: &NewClient, now: Timestamp) -> Result<ClientId, StoreError> {
    let id = db
        .prepare_cached(
            "INSERT INTO clients (name, token_hash, order_scope, may_open_drawer, may_manage, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (name) DO UPDATE SET token_hash = excluded.token_hash, order_scope = excluded.order_scope,
                 may_open_drawer = excluded.may_open_drawer, may_manage = excluded.may_manage, revoked_at = NULL
             RETURNING id",
        )?
        .query_row(
            params![
                client.name,
                client.token_hash,
                client.order_scope.as_str(),
                client.may_open_drawer,
                client.may_manage,
                ms(now)
            ],
            |row| row.get(0),
        )?;
    Ok(ClientId(id))
}

fn by_token(db: &Connection, hash: &[u8; 32]) -> Result<Option<Client>, StoreError> {
    first(
        db,
        "SELECT id, name, order_scope, may_open_drawer, may_manage, revoked_at FROM clients
         WHERE token_hash = ?1 AND revoked_at IS NULL",
        [hash],
        client,
    )
}

fn client(row: &Row<'_>) -> Result<Client, StoreError> {
    Ok(Client {
        id: ClientId(row.get("id")?),
        name: row.get("name")?,
        order_scope: word(row, "order_scope")?,
        may_open_drawer: row.get("may_open_drawer")?,
        may_manage: row.get("may_manage")?,
        revoked_at: optional_at(row, "revoked_at")?,
    })
}
