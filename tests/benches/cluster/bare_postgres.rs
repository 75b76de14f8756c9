//! Bare PostgreSQL: connections that write rows and nothing else, without checks or answers.

use anyhow::Result;
use futures_util::future::{join_all, try_join_all};
use tokio_postgres::{Client, NoTls, Statement};

use crate::callers::Caller;

/// So few futures are polled in their order when they are joined.
const IN_ORDER: usize = 16;

/// A connection, kept by a task of its own.
pub async fn connect(address: &str) -> Result<Client> {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await?;
    // Its end is seen by the client's next call.
    tokio::spawn(async move { drop(connection.await) });
    Ok(client)
}

/// What is done for each row: statements that take its number as text, in one transaction.
pub struct Rows {
    client: Client,
    statements: Vec<Statement>,
    a_commit: u64,
    is_repeated: bool,
}

impl Rows {
    /// Rows of one connection, so many a commit. The statements' only parameter is the row's own id.
    pub async fn new(address: &str, statements: &[&str], a_commit: u64) -> Result<Self> {
        let client = connect(address).await?;
        let prepared = try_join_all(statements.iter().map(|sql| client.prepare(sql))).await?;
        Ok(Self { client, statements: prepared, a_commit, is_repeated: false })
    }

    /// The same row again and again.
    pub fn repeated(self) -> Self {
        Self { is_repeated: true, ..self }
    }

    fn id(&self, call: u64, nth: u64) -> String {
        if self.is_repeated { format!("{:016}", 0) } else { format!("{:016}", call * 1_000 + nth) }
    }
}

impl Caller for Rows {
    /// Everything of a transaction leaves together, so that its length costs no round trips: statements go out
    /// in the order in which they are polled first.
    async fn call(&mut self, n: u64) -> Result<u64> {
        let (client, statements) = (&self.client, &self.statements);
        let ids: Vec<String> = (0..self.a_commit).map(|nth| self.id(n, nth)).collect();
        if let ([id], [statement]) = (&ids[..], &statements[..]) {
            client.execute(statement, &[id]).await?;
            return Ok(1);
        }
        let rows = ids.iter().map(async |id| {
            let done =
                statements.iter().map(async |statement| client.execute(statement, &[id]).await);
            join_all(done).await
        });
        let mut rows = rows.collect::<Vec<_>>();
        let mut some = Vec::new();
        while !rows.is_empty() {
            some.push(join_all(rows.drain(..rows.len().min(IN_ORDER))));
        }
        let (begin, commit) = (client.batch_execute("BEGIN"), client.batch_execute("COMMIT"));
        let (begun, written, ended) = futures_util::join!(begin, join_all(some), commit);
        begun?;
        written.into_iter().flatten().flatten().collect::<Result<Vec<_>, _>>()?;
        ended?;
        Ok(self.a_commit)
    }
}
