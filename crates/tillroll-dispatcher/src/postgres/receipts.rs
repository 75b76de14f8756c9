//! The books: one row for each receipt a register recorded, written once. A batch reads what it may meet
//! once, and writes what it adds once.

use std::collections::HashMap;

use deadpool_postgres::Transaction;
use jiff::civil::Date;
use tillroll_domain::ids::{JobId, JobKind};
use tokio_postgres::Row;

use super::columns::{all, column, get, run, word};
use super::fault::Fault;
use crate::job::RegisterNo;
use crate::store::fact::Sale;

/// Whether a receipt can be booked.
pub(super) enum Place {
    /// Nothing is in its way.
    Free,
    /// The same register recorded the same sale again, perhaps from an older copy of its database: it
    /// stays in the books once.
    SameSale,
    /// Its id belongs to another receipt: of this register, under this flow number.
    IdTaken(i64, i64),
    /// Its flow number belongs to the receipt of this id.
    FlowTaken(String),
}

/// A receipt in the books.
pub(super) struct Booked {
    register: i64,
    pub(super) flow_no: i64,
    pub(super) kind: JobKind,
    pub(super) day: Date,
    takings_minor: i64,
    tenders: String,
}

/// A receipt to write.
struct New {
    record: i64,
    job_id: String,
    z_no: i64,
}

/// The books as far as a batch meets them.
pub(super) struct Books {
    register: RegisterNo,
    /// Of any register of the store.
    by_job: HashMap<String, Booked>,
    /// Ids of this register's receipts.
    by_flow: HashMap<i64, String>,
    new: Vec<New>,
}

impl Books {
    /// Reads the receipts of ids, and those of this register under flow numbers.
    pub(super) async fn load(
        db: &Transaction<'_>,
        register: RegisterNo,
        ids: &[String],
        flows: &[i64],
    ) -> Result<Self, Fault> {
        let params = [&register.store.0 as _, &ids as _, &register.no as _, &flows as _];
        let by_job: HashMap<_, _> = all(db, LOAD, &params, read).await?.into_iter().collect();
        let own = by_job.iter().filter(|(_, booked)| booked.register == register.no);
        let by_flow = own.map(|(id, booked)| (booked.flow_no, id.clone())).collect();
        Ok(Self { register, by_job, by_flow, new: Vec::new() })
    }

    /// Looks whether id and flow number of a receipt are free.
    pub(super) fn place(&self, sale: &Sale) -> Result<Place, Fault> {
        if let Some(booked) = self.by_job.get(&sale.id.to_string()) {
            let same = booked.register == self.register.no
                && booked.day == sale.day
                && booked.takings_minor == sale.takings_minor
                && booked.tenders == tenders(sale)?;
            let taken = Place::IdTaken(booked.register, booked.flow_no);
            return Ok(if same { Place::SameSale } else { taken });
        }
        let holder = self.by_flow.get(&sale.flow_no);
        Ok(holder.map_or(Place::Free, |id| Place::FlowTaken(id.clone())))
    }

    /// Whether a receipt of this register stands under a flow number.
    pub(super) fn has_flow(&self, flow_no: i64) -> bool {
        self.by_flow.contains_key(&flow_no)
    }

    /// The receipt of a job that this register recorded.
    pub(super) fn of_job(&self, id: &JobId) -> Option<&Booked> {
        let booked = self.by_job.get(&id.to_string())?;
        (booked.register == self.register.no).then_some(booked)
    }

    /// Flow numbers of this register's receipts that were met.
    pub(super) fn flows(&self) -> impl Iterator<Item = i64> {
        self.by_flow.keys().copied()
    }

    /// Books a receipt whose place is free.
    pub(super) fn book(&mut self, record: i64, sale: &Sale) -> Result<(), Fault> {
        let job_id = sale.id.to_string();
        let booked = Booked {
            register: self.register.no,
            flow_no: sale.flow_no,
            kind: sale.kind(),
            day: sale.day,
            takings_minor: sale.takings_minor,
            tenders: tenders(sale)?,
        };
        self.by_job.insert(job_id.clone(), booked);
        self.by_flow.insert(sale.flow_no, job_id.clone());
        self.new.push(New { record, job_id, z_no: sale.z_no });
        Ok(())
    }

    /// Writes the receipts that were booked.
    pub(super) async fn write(&self, db: &Transaction<'_>) -> Result<(), Fault> {
        let rows: Vec<(&New, &Booked)> =
            self.new.iter().filter_map(|new| Some((new, self.by_job.get(&new.job_id)?))).collect();
        if rows.is_empty() {
            return Ok(());
        }
        let params = [
            &self.register.store.0 as _,
            &self.register.no as _,
            &column(&rows, |(_, booked)| booked.flow_no) as _,
            &column(&rows, |(new, _)| new.job_id.as_str()) as _,
            &column(&rows, |(new, _)| new.record) as _,
            &column(&rows, |(_, booked)| booked.kind.as_str()) as _,
            &column(&rows, |(_, booked)| booked.day.to_string()) as _,
            &column(&rows, |(new, _)| new.z_no) as _,
            &column(&rows, |(_, booked)| booked.takings_minor) as _,
            &column(&rows, |(_, booked)| booked.tenders.as_str()) as _,
        ];
        run(db, INSERT, &params).await.map(drop)
    }
}

fn tenders(sale: &Sale) -> Result<String, Fault> {
    serde_json::to_string(&sale.tenders).map_err(Fault::unreadable)
}

fn read(row: &Row) -> Result<(String, Booked), Fault> {
    let booked = Booked {
        register: get(row, 1)?,
        flow_no: get(row, 2)?,
        kind: word(row, 3)?,
        day: word(row, 4)?,
        takings_minor: get(row, 5)?,
        tenders: get(row, 6)?,
    };
    Ok((get(row, 0)?, booked))
}

pub(super) const LOAD: &str =
    "SELECT job_id, register, flow_no, kind, day, takings_minor, tenders FROM receipts
        WHERE store = $1 AND job_id = ANY ($2)
    UNION ALL SELECT job_id, register, flow_no, kind, day, takings_minor, tenders FROM receipts
        WHERE store = $1 AND register = $3 AND flow_no = ANY ($4)";
const INSERT: &str =
    "INSERT INTO receipts (store, register, flow_no, job_id, record, kind, day, z_no,
        takings_minor, tenders)
    SELECT $1, $2, flow_no, job_id, record, kind, day, z_no, takings_minor, tenders
    FROM unnest($3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bigint[],
            $9::bigint[], $10::text[])
        AS booked (flow_no, job_id, record, kind, day, z_no, takings_minor, tenders)";
