//! One transaction for each call: begun, worked in, committed, each within its time.

use std::error::Error;
use std::time::Duration;

use deadpool_postgres::{Client, Object, Transaction};
use tokio::time::{sleep, timeout};
use tokio_postgres::IsolationLevel;

use super::PostgresStore;
use super::fault::Fault;
use crate::store::{StoreError, Stored};

/// How long is waited before each further try of a transaction that met another one.
const PAUSES_MS: [u64; 5] = [2, 5, 15, 40, 100];

/// Why a transaction ended without an answer.
enum Failure {
    /// Nothing was stored.
    Fault(Fault),
    /// Nothing was stored, and the connection is of no more use.
    Slow,
    /// It was stored or not; the connection is of no more use.
    Unknown(Box<dyn Error + Send + Sync>),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Fault(fault) => fault.into(),
            Failure::Slow => Self::Unavailable("the database did not answer in time".into()),
            Failure::Unknown(error) => Self::OutcomeUnknown(error),
        }
    }
}

impl PostgresStore {
    /// A transaction that writes. Rows it must not lose a race for are locked by its work.
    pub(super) async fn write<T>(
        &self,
        work: impl AsyncFn(&Transaction<'_>) -> Result<T, Fault> + 'static,
    ) -> Stored<T> {
        let mut tries = Tries::default();
        loop {
            let mut client = self.client().await?;
            let ended = write_once(&mut client, &work, self.options.transaction).await;
            if tries.are_left_after(&ended).await {
                continue;
            }
            return settle(client, ended);
        }
    }

    /// A write of one statement, which is a transaction by itself.
    pub(super) async fn write_statement<T>(
        &self,
        work: impl AsyncFn(&Client) -> Result<T, Fault> + 'static,
    ) -> Stored<T> {
        let mut tries = Tries::default();
        loop {
            let client = self.client().await?;
            let ended = match timeout(self.options.transaction, work(&client)).await {
                Ok(Err(fault)) if !fault.is_of_server() => Err(Failure::Unknown(Box::new(fault))),
                Ok(ended) => ended.map_err(Failure::Fault),
                Err(elapsed) => Err(Failure::Unknown(Box::new(elapsed))),
            };
            if tries.are_left_after(&ended).await {
                continue;
            }
            return settle(client, ended);
        }
    }

    /// A read of one statement.
    pub(super) async fn look_up<T>(
        &self,
        work: impl AsyncFnOnce(&Client) -> Result<T, Fault> + 'static,
    ) -> Stored<T> {
        let client = self.client().await?;
        let ended = match timeout(self.options.transaction, work(&client)).await {
            Ok(ended) => ended.map_err(Failure::Fault),
            Err(_) => Err(Failure::Slow),
        };
        settle(client, ended)
    }

    /// A read of several statements that see the same rows.
    pub(super) async fn read<T>(
        &self,
        work: impl AsyncFnOnce(&Transaction<'_>) -> Result<T, Fault> + 'static,
    ) -> Stored<T> {
        let mut client = self.client().await?;
        let reading = async {
            let begun = client.build_transaction().read_only(true);
            let begun = begun.isolation_level(IsolationLevel::RepeatableRead).start().await;
            work(&begun.map_err(Fault::from)?).await
        };
        let ended = match timeout(self.options.transaction, reading).await {
            Ok(ended) => ended.map_err(Failure::Fault),
            Err(_) => Err(Failure::Slow),
        };
        settle(client, ended)
    }

    async fn client(&self) -> Stored<Client> {
        self.pool.get().await.map_err(|error| StoreError::Unavailable(Box::new(error)))
    }
}

async fn write_once<T>(
    client: &mut Client,
    work: &impl AsyncFn(&Transaction<'_>) -> Result<T, Fault>,
    limit: Duration,
) -> Result<T, Failure> {
    let working = async {
        let transaction = client.transaction().await?;
        let answer = work(&transaction).await?;
        Ok::<_, Fault>((transaction, answer))
    };
    let (transaction, answer) = timeout(limit, working).await.map_err(|_| Failure::Slow)??;
    match timeout(limit, transaction.commit()).await {
        Ok(Ok(())) => Ok(answer),
        Ok(Err(error)) => Err(failed_commit(error)),
        Err(elapsed) => Err(Failure::Unknown(Box::new(elapsed))),
    }
}

/// A server that refuses a commit says so by a code of its class; whatever else ends one leaves open
/// whether it came through.
fn failed_commit(error: tokio_postgres::Error) -> Failure {
    let is_refused = error
        .code()
        .is_some_and(|code| ["22", "23", "40"].iter().any(|class| code.code().starts_with(class)));
    if is_refused { Failure::Fault(error.into()) } else { Failure::Unknown(Box::new(error)) }
}

/// Gives the connection back, unless nobody knows what it is doing.
fn settle<T>(client: Client, ended: Result<T, Failure>) -> Stored<T> {
    if let Err(Failure::Slow | Failure::Unknown(_)) = ended {
        drop(Object::take(client));
    }
    ended.map_err(StoreError::from)
}

/// The tries of one call.
#[derive(Default)]
struct Tries(usize);

impl Tries {
    /// Whether the work is to be done again; waits before it is.
    async fn are_left_after<T>(&mut self, ended: &Result<T, Failure>) -> bool {
        let Err(Failure::Fault(fault)) = ended else { return false };
        let Some(pause) = PAUSES_MS.get(self.0).filter(|_| fault.is_conflict()) else {
            return false;
        };
        self.0 += 1;
        sleep(Duration::from_millis(*pause)).await;
        true
    }
}
