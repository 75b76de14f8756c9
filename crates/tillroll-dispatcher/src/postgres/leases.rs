//! Nodes that live, and the registers that are connected to them.

use std::time::Duration;

use deadpool_postgres::{Client, GenericClient, Transaction};

use super::PostgresStore;
use super::columns::{all, column, first, get, run};
use super::fault::Fault;
use crate::job::{RegisterNo, StoreNo};
use crate::nodes::{Beat, Lease, LostLease, NodeNo};
use crate::store::Stored;

/// The database's clock, in milliseconds.
macro_rules! now {
    () => {
        "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    };
}
pub(super) use now;

/// Nodes that ended without a word are forgotten after so long.
const FORGET_AFTER: Duration = Duration::from_secs(24 * 3600);
/// A node that lost a lease finds that out within so long, or has long ended.
const LOST_FOR: Duration = Duration::from_secs(60);

impl PostgresStore {
    /// Makes a node that lives for `lease` from now.
    ///
    /// # Errors
    /// When nothing can be stored.
    pub async fn join(&self, name: String, lease: Duration) -> Stored<NodeNo> {
        self.aside().write(async move |db| join(db, &name, lease).await).await
    }

    /// Prolongs a node's life and its duty, takes the duty where nobody has it, and tells what it lost.
    ///
    /// # Errors
    /// When the database does not answer; the node's life may have been prolonged.
    pub async fn beat(&self, node: NodeNo, lease: Duration) -> Stored<Beat> {
        self.aside().write(async move |db| beat(db, node, lease).await).await
    }

    /// Ends a node: its registers are free, its duty too.
    ///
    /// # Errors
    /// When nothing can be stored.
    pub async fn leave(&self, node: NodeNo) -> Stored<()> {
        self.aside().write(async move |db| leave(db, node).await).await
    }

    /// Takes a register over, from whoever has it.
    ///
    /// # Errors
    /// When there is no such register, or nothing can be stored.
    pub async fn take_lease(
        &self,
        register: RegisterNo,
        node: NodeNo,
    ) -> Stored<(Lease, Option<NodeNo>)> {
        self.write_statement(async move |db| take(db, register, node).await).await
    }

    /// Gives registers back that are away; those that were still the lease's own.
    ///
    /// # Errors
    /// When nothing can be stored.
    pub async fn give_back(&self, leases: Vec<(RegisterNo, Lease)>) -> Stored<Vec<RegisterNo>> {
        self.write_statement(async move |db| give_back(db, &leases).await).await
    }

    /// The node that lost a register last, if it may not know it yet.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn loser(&self, register: RegisterNo) -> Stored<Option<(NodeNo, LostLease)>> {
        self.look_up(async move |db| loser(db, register).await).await
    }
}

async fn join(db: &Transaction<'_>, name: &str, lease: Duration) -> Result<NodeNo, Fault> {
    let forget = concat!("DELETE FROM nodes WHERE until < ", now!(), " - $1");
    run(db, forget, &[&ms(FORGET_AFTER)]).await?;
    let sql = concat!(
        "INSERT INTO nodes (name, started_at, until) VALUES ($1, ",
        now!(),
        ", ",
        now!(),
        " + $2::bigint) RETURNING node"
    );
    let joined = first(db, sql, &[&name, &ms(lease)], |row| Ok(NodeNo(get(row, 0)?))).await?;
    joined.ok_or(Fault::Refused("no node was made"))
}

async fn beat(db: &Transaction<'_>, node: NodeNo, lease: Duration) -> Result<Beat, Fault> {
    let params = [&node.0 as _, &ms(lease) as _];
    if run(db, PROLONG, &params).await? == 0 {
        return Ok(Beat::default());
    }
    let on_duty = run(db, TAKE_DUTY, &params).await? > 0;
    let lost = all(db, LOST, &[&node.0, &ms(LOST_FOR)], |row| {
        let register = RegisterNo { store: StoreNo(get(row, 0)?), no: get(row, 1)? };
        Ok(LostLease { register, generation: get(row, 2)?, is_revoked: get(row, 3)? })
    })
    .await?;
    Ok(Beat { lives: true, on_duty, lost })
}

pub(super) const PROLONG: &str =
    concat!("UPDATE nodes SET until = ", now!(), " + $2 WHERE node = $1 AND until > ", now!());
const TAKE_DUTY: &str = concat!(
    "INSERT INTO duties (duty, node, until) VALUES ('sweep', $1, ",
    now!(),
    " + $2::bigint)
     ON CONFLICT (duty) DO UPDATE SET node = excluded.node, until = excluded.until
         WHERE duties.node = excluded.node OR duties.until <= ",
    now!()
);
pub(super) const LOST: &str = concat!(
    "SELECT store, register, generation, node IS NULL FROM register_leases
     WHERE former = $1 AND taken_at > ",
    now!(),
    " - $2"
);

async fn leave(db: &Transaction<'_>, node: NodeNo) -> Result<(), Fault> {
    run(db, LEAVE, &[&node.0]).await?;
    for sql in ["DELETE FROM duties WHERE node = $1", "DELETE FROM nodes WHERE node = $1"] {
        run(db, sql, &[&node.0]).await?;
    }
    Ok(())
}

pub(super) const LEAVE: &str = concat!(
    "UPDATE register_leases SET node = NULL, former = NULL, taken_at = ",
    now!(),
    " WHERE node = $1"
);

async fn take(
    db: &Client,
    register: RegisterNo,
    node: NodeNo,
) -> Result<(Lease, Option<NodeNo>), Fault> {
    let taken = first(db, TAKE, &[&register.store.0, &register.no, &node.0], |row| {
        let former = get::<Option<i64>>(row, 1)?.map(NodeNo);
        Ok((Lease { node, generation: get(row, 0)? }, former))
    })
    .await?;
    taken.ok_or(Fault::Refused("no lease was taken"))
}

pub(super) const TAKE: &str = concat!(
    "INSERT INTO register_leases AS held (store, register, node, generation, taken_at)
     VALUES ($1, $2, $3, 1, ",
    now!(),
    ")
     ON CONFLICT (store, register) DO UPDATE SET node = excluded.node,
         generation = held.generation + 1, taken_at = excluded.taken_at,
         former = CASE WHEN held.node <> excluded.node THEN held.node ELSE held.former END
     RETURNING generation, former"
);

async fn give_back(db: &Client, leases: &[(RegisterNo, Lease)]) -> Result<Vec<RegisterNo>, Fault> {
    let params = [
        &column(leases, |(register, _)| register.store.0) as _,
        &column(leases, |(register, _)| register.no) as _,
        &column(leases, |(_, lease)| lease.node.0) as _,
        &column(leases, |(_, lease)| lease.generation) as _,
    ];
    all(db, GIVE_BACK, &params, |row| {
        Ok(RegisterNo { store: StoreNo(get(row, 0)?), no: get(row, 1)? })
    })
    .await
}

pub(super) const GIVE_BACK: &str = concat!(
    "UPDATE register_leases SET node = NULL, former = NULL, taken_at = ",
    now!(),
    " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
         AS given (of_store, of_register, of_node, of_generation)
     WHERE store = of_store AND register = of_register AND node = of_node
         AND generation = of_generation
     RETURNING store, register"
);

/// Takes a lease away from the node that has it: the register's credential no longer counts.
pub(super) async fn end(db: &Transaction<'_>, register: RegisterNo) -> Result<(), Fault> {
    let sql = concat!(
        "UPDATE register_leases SET former = node, node = NULL, generation = generation + 1,
             taken_at = ",
        now!(),
        " WHERE store = $1 AND register = $2 AND node IS NOT NULL"
    );
    run(db, sql, &[&register.store.0, &register.no]).await.map(drop)
}

async fn loser(
    db: &impl GenericClient,
    register: RegisterNo,
) -> Result<Option<(NodeNo, LostLease)>, Fault> {
    let sql = "SELECT former, generation, node IS NULL FROM register_leases
         WHERE store = $1 AND register = $2 AND former IS NOT NULL";
    first(db, sql, &[&register.store.0, &register.no], |row| {
        let lost = LostLease { register, generation: get(row, 1)?, is_revoked: get(row, 2)? };
        Ok((NodeNo(get(row, 0)?), lost))
    })
    .await
}

fn ms(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
