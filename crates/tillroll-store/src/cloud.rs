//! The head office this register is paired with.

use jiff::{SignedDuration, Timestamp};
use tillroll_sqlite::rusqlite::{Connection, params};

use crate::columns::{at, first, ms, optional_at};
use crate::feed::Hint;
use crate::mark::Numbers;
use crate::{ClientId, Store, StoreError, register};

/// The client in whose name the head office prints and answers. It has no token.
pub const CLOUD_CLIENT: &str = "cloud";

/// No register gives out higher numbers; counting on from here never overflows.
const NUMBER_MOST: i64 = 1 << 48;

/// A pairing that was made.
#[derive(Debug, Clone)]
pub struct NewCloud {
    /// Address of the dispatcher.
    pub url: String,
    /// The store's uid there.
    pub store_uid: String,
    /// The store's name there, for people.
    pub store_name: String,
}

/// The head office as this register knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloudRow {
    /// Address of the dispatcher.
    pub url: String,
    /// The store's uid there.
    pub store_uid: String,
    /// The store's name there, for people.
    pub store_name: String,
    /// When they were paired.
    pub paired_at: Timestamp,
    /// The dispatcher's clock less this register's, when they last spoke.
    pub drift: Option<SignedDuration>,
    /// When they last spoke, by this register's clock.
    pub contact_at: Option<Timestamp>,
    /// In whose name it prints and answers.
    pub client: ClientId,
}

impl Store {
    /// The head office; `None` when this register is not paired.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn cloud(&self) -> Result<Option<CloudRow>, StoreError> {
        self.read(|db| {
            first(db, CLOUD, [CLOUD_CLIENT], |row| {
                let drift: Option<i64> = row.get("drift_ms")?;
                Ok(CloudRow {
                    url: row.get("url")?,
                    store_uid: row.get("store_uid")?,
                    store_name: row.get("store_name")?,
                    paired_at: at(row, "paired_at")?,
                    drift: drift.map(SignedDuration::from_millis),
                    contact_at: optional_at(row, "contact_at")?,
                    client: ClientId(row.get("client")?),
                })
            })
        })
        .await
    }

    /// Keeps a pairing, in place of an earlier one. Its credential is saved first.
    ///
    /// # Errors
    /// [`StoreError::Taken`] when a program that uses this register has the head office's name.
    pub async fn pair_cloud(&self, cloud: NewCloud, now: Timestamp) -> Result<(), StoreError> {
        self.write(move |db| pair(db, &cloud, now)).await?;
        self.know_sharing().await?;
        self.feed().hint(Hint::Cloud);
        Ok(())
    }

    /// Goes on above the last numbers that the head office knows of this register, if another machine gave
    /// them out. A session that is open then gets a new Z number.
    ///
    /// # Errors
    /// [`StoreError::Field`] for numbers no register gave out.
    pub async fn go_on_above(&self, flow_no: i64, z_no: i64) -> Result<(), StoreError> {
        if flow_no.max(z_no) > NUMBER_MOST {
            return Err(StoreError::Field { field: "last", must: "must be at most 2^48" });
        }
        let above = Numbers { flow_no, z_no, ..Numbers::default() };
        let raised = self.write(move |db| register::go_on_above(db, above)).await?;
        if raised {
            self.note(above);
            tracing::info!(flow_no, z_no, "numbers go on above those of the machine before");
        }
        Ok(())
    }

    /// Forgets the pairing. Records wait for the next one; what was told stays told.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn unpair_cloud(&self) -> Result<(), StoreError> {
        self.write(|db| {
            db.execute("DELETE FROM cloud", [])?;
            Ok(())
        })
        .await?;
        self.know_sharing().await?;
        self.feed().hint(Hint::Cloud);
        Ok(())
    }

    /// They spoke: how far the clocks are apart.
    ///
    /// # Errors
    /// When the database does not take it.
    pub async fn note_contact(
        &self,
        drift: SignedDuration,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let drift_ms = i64::try_from(drift.as_millis()).unwrap_or(i64::MAX);
        self.write(move |db| {
            let sql = "UPDATE cloud SET drift_ms = ?1, contact_at = ?2 WHERE id = 1";
            db.prepare_cached(sql)?.execute(params![drift_ms, ms(now)])?;
            Ok(())
        })
        .await
    }
}

const CLOUD: &str = "SELECT url, store_uid, store_name, paired_at, drift_ms, contact_at,
        clients.id AS client
    FROM cloud JOIN clients ON clients.name = ?1 WHERE cloud.id = 1";

fn pair(db: &Connection, cloud: &NewCloud, now: Timestamp) -> Result<(), StoreError> {
    add_client(db, now)?;
    let sql = "SELECT store_uid FROM cloud WHERE id = 1";
    let before: Option<String> = first(db, sql, [], |row| Ok(row.get(0)?))?;
    db.execute(
        "INSERT INTO cloud (id, url, store_uid, store_name, paired_at) VALUES (1, ?1, ?2, ?3, ?4)
         ON CONFLICT (id) DO UPDATE SET url = excluded.url, store_uid = excluded.store_uid,
             store_name = excluded.store_name, paired_at = excluded.paired_at,
             drift_ms = NULL, contact_at = NULL, agreed_hour = NULL,
             shares_orders = shares_orders AND store_uid = excluded.store_uid",
        params![cloud.url, cloud.store_uid, cloud.store_name, ms(now)],
    )?;
    if before.is_some_and(|before| before != cloud.store_uid) {
        tracing::warn!(store_uid = %cloud.store_uid, "paired with another store of the head office");
    }
    Ok(())
}

/// A client nobody can be: its token is revoked from the beginning, and no token has its hash.
fn add_client(db: &Connection, now: Timestamp) -> Result<(), StoreError> {
    let sql = "SELECT token_hash = zeroblob(32) FROM clients WHERE name = ?1";
    match first(db, sql, [CLOUD_CLIENT], |row| Ok(row.get(0)?))? {
        Some(true) => return Ok(()),
        Some(false) => {
            return Err(StoreError::Taken { what: "client", name: CLOUD_CLIENT.to_owned() });
        }
        None => {}
    }
    db.execute(
        "INSERT INTO clients (name, token_hash, created_at, revoked_at) VALUES (?1, zeroblob(32), ?2, ?2)",
        params![CLOUD_CLIENT, ms(now)],
    )?;
    Ok(())
}
