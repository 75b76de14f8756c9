//! The kept records that a batch meets, and the rows it adds to them: read once before, written once
//! after, whatever the size of the batch.

use std::collections::{BTreeMap, HashMap};

use deadpool_postgres::Transaction;
use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::outbox::RecordKind;
use tillroll_wire::record::Record;
use tokio_postgres::Row;

use super::columns::{all, column, fingerprint, get, ms, optional_word, run, text};
use super::fault::Fault;
use super::numbers;
use crate::job::RegisterNo;
use crate::store::fact::{self, Refused};
use crate::store::hour_sets::hour;

/// A kept record, as a later one of its id is judged by it.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) seq: i64,
    pub(super) register: i64,
    pub(super) fingerprint: Fingerprint,
    /// The day in whose books it counts as refused.
    day: Option<Date>,
}

/// A row that is written at the end.
struct Change<'a> {
    /// The record, if its row is new.
    new: Option<&'a Record>,
    refused: Option<Refused>,
    day: Option<Date>,
}

/// A record whose row is settled.
pub(super) struct Keeping {
    pub(super) seq: i64,
    /// The day whose books counted its earlier refusal.
    pub(super) counted_on: Option<Date>,
}

/// What is kept of the ids of a batch.
pub(super) struct Kept<'a> {
    register: RegisterNo,
    /// Of any register of the store, by request id.
    stored: HashMap<&'a str, Known>,
    /// Of this register, by request id, first to last.
    refusals: HashMap<&'a str, Vec<Known>>,
    /// Flow numbers of refused receipts, by the number of their record.
    refused_receipts: HashMap<i64, i64>,
    last_seq: i64,
    changes: BTreeMap<i64, Change<'a>>,
}

impl<'a> Kept<'a> {
    /// Reads what is kept. Batches of a store are taken one after the other from here on.
    pub(super) async fn load(
        db: &Transaction<'_>,
        register: RegisterNo,
        records: &'a [Record],
    ) -> Result<Self, Fault> {
        let last_seq = numbers::last_record(db, register.store).await?;
        let may_be_kept = records.iter().filter(|record| fact::check_request_id(record).is_ok());
        let ids: Vec<&'a str> = may_be_kept.map(|record| record.request_id.as_str()).collect();
        let flows: Vec<i64> = records.iter().filter_map(|record| record.flow_no).collect();
        let (store, no) = (register.store.0, register.no);
        let stored = all(db, STORED, &[&store, &ids], known).await?;
        let refused = all(db, REFUSALS, &[&store, &no, &ids], known).await?;
        let receipts = [&store as _, &no as _, &flows as _];
        let receipts = all(db, REFUSED_RECEIPTS, &receipts, |row| Ok((get(row, 0)?, get(row, 1)?)));
        let refused_receipts = receipts.await?.into_iter().collect();
        let by_id: HashMap<&str, &'a str> = ids.iter().map(|id| (*id, *id)).collect();
        let asked = |(id, known): (String, Known)| Some((*by_id.get(id.as_str())?, known));
        let stored = stored.into_iter().filter_map(asked).collect();
        let mut refusals: HashMap<&str, Vec<Known>> = HashMap::new();
        for (id, known) in refused.into_iter().filter_map(asked) {
            refusals.entry(id).or_default().push(known);
        }
        let changes = BTreeMap::new();
        Ok(Self { register, stored, refusals, refused_receipts, last_seq, changes })
    }

    /// The stored record of an id, whichever register of the store it is of.
    pub(super) fn stored(&self, record: &Record) -> Option<&Known> {
        self.stored.get(record.request_id.as_str())
    }

    /// This register's refused records of an id, first to last.
    pub(super) fn refusals(&self, record: &Record) -> &[Known] {
        self.refusals.get(record.request_id.as_str()).map_or(&[], Vec::as_slice)
    }

    /// Whether a receipt of this flow number was refused.
    pub(super) fn has_refused_receipt(&self, flow_no: i64) -> bool {
        self.refused_receipts.values().any(|refused| *refused == flow_no)
    }

    /// Keeps a record with its verdict, or changes that of its earlier refusal.
    pub(super) fn keep(
        &mut self,
        record: &'a Record,
        refused: Option<Refused>,
        day: Option<Date>,
        earlier: Option<i64>,
    ) -> Keeping {
        let counted_on = earlier.and_then(|seq| self.forget(record, seq)?.day);
        let seq = earlier.unwrap_or(self.last_seq + 1);
        self.last_seq = self.last_seq.max(seq);
        self.note(record, seq, refused.is_some(), day);
        // A row keeps the flow number that it came with first.
        if let Some(flow_no) = record.flow_no
            && record.kind == RecordKind::Receipt
            && refused.is_some()
            && earlier.is_none()
        {
            self.refused_receipts.insert(seq, flow_no);
        }
        match self.changes.get_mut(&seq) {
            Some(change) => (change.refused, change.day) = (refused, day),
            None => {
                let new = earlier.is_none().then_some(record);
                self.changes.insert(seq, Change { new, refused, day });
            }
        }
        Keeping { seq, counted_on }
    }

    fn forget(&mut self, record: &Record, seq: i64) -> Option<Known> {
        let refusals = self.refusals.get_mut(record.request_id.as_str())?;
        let place = refusals.iter().position(|known| known.seq == seq)?;
        Some(refusals.remove(place))
    }

    fn note(&mut self, record: &'a Record, seq: i64, is_refused: bool, day: Option<Date>) {
        let known = Known { seq, register: self.register.no, fingerprint: record.fingerprint, day };
        let id = record.request_id.as_str();
        if !is_refused {
            self.stored.insert(id, known);
            self.refused_receipts.remove(&seq);
            return;
        }
        let refusals = self.refusals.entry(id).or_default();
        refusals.push(known);
        refusals.sort_unstable_by_key(|known| known.seq);
    }

    /// Writes the rows that are new or judged anew.
    pub(super) async fn write(self, db: &Transaction<'_>, now: Timestamp) -> Result<(), Fault> {
        let new: Vec<_> = self.changes.iter().filter_map(new_row).collect();
        let again: Vec<_> =
            self.changes.iter().filter(|(_, change)| change.new.is_none()).collect();
        insert(db, self.register, &new, now).await?;
        judge_again(db, self.register, &again, now).await?;
        if new.is_empty() {
            return Ok(());
        }
        numbers::set_last_record(db, self.register.store, self.last_seq).await
    }
}

fn known(row: &Row) -> Result<(String, Known), Fault> {
    let (seq, register, fingerprint) = (get(row, 1)?, get(row, 2)?, fingerprint(row, 3)?);
    Ok((get(row, 0)?, Known { seq, register, fingerprint, day: optional_word(row, 4)? }))
}

pub(super) const STORED: &str = "SELECT request_id, seq, register, fingerprint, day FROM records
    WHERE store = $1 AND request_id = ANY ($2) AND verdict = 'accepted'";
pub(super) const REFUSALS: &str = "SELECT request_id, seq, register, fingerprint, day FROM records
    WHERE store = $1 AND register = $2 AND request_id = ANY ($3) AND verdict = 'rejected'
    ORDER BY seq";
pub(super) const REFUSED_RECEIPTS: &str = "SELECT seq, flow_no FROM records
    WHERE store = $1 AND register = $2 AND flow_no = ANY ($3) AND verdict = 'rejected'
        AND kind = 'receipt'";

/// A row to insert: its number, its record, and what became of it.
type NewRow<'a> = (i64, &'a Record, &'a Change<'a>);

fn new_row<'a>((seq, change): (&i64, &'a Change<'a>)) -> Option<NewRow<'a>> {
    change.new.map(|record| (*seq, record, change))
}

fn code(change: &Change<'_>) -> Option<&'static str> {
    change.refused.as_ref().map(|refused| refused.code.as_str())
}

fn detail(change: &Change<'_>) -> Option<String> {
    change.refused.as_ref().map(|refused| text(&refused.detail))
}

fn day(change: &Change<'_>) -> Option<String> {
    change.day.map(|day| day.to_string())
}

async fn insert(
    db: &Transaction<'_>,
    register: RegisterNo,
    rows: &[NewRow<'_>],
    now: Timestamp,
) -> Result<(), Fault> {
    if rows.is_empty() {
        return Ok(());
    }
    let params = [
        &register.store.0 as _,
        &register.no as _,
        &ms(now) as _,
        &column(rows, |(seq, ..)| *seq) as _,
        &column(rows, |(_, record, _)| record.request_id.as_str()) as _,
        &column(rows, |(_, record, _)| record.kind.as_str()) as _,
        &column(rows, |(_, record, _)| &record.fingerprint.as_bytes()[..]) as _,
        &column(rows, |(_, record, _)| record.flow_no) as _,
        &column(rows, |(_, record, _)| i64::from(record.epoch)) as _,
        &column(rows, |(_, record, _)| hour(record)) as _,
        &column(rows, |(_, record, _)| ms(record.recorded_at)) as _,
        &column(rows, |(.., change)| code(change)) as _,
        &column(rows, |(.., change)| detail(change)) as _,
        &column(rows, |(.., change)| day(change)) as _,
        &column(rows, |(_, record, _)| record.body.to_string()) as _,
    ];
    run(db, INSERT, &params).await.map(drop)
}

const INSERT: &str = "INSERT INTO records (store, seq, register, request_id, kind, fingerprint,
        flow_no, epoch, hour, recorded_at, judged_at, verdict, code, detail, day, body)
    SELECT $1, seq, $2, request_id, kind, fingerprint, flow_no, epoch, hour, recorded_at, $3,
        CASE WHEN code IS NULL THEN 'accepted' ELSE 'rejected' END, code, detail, day, body
    FROM unnest($4::bigint[], $5::text[], $6::text[], $7::bytea[], $8::bigint[], $9::bigint[],
            $10::bigint[], $11::bigint[], $12::text[], $13::text[], $14::text[], $15::text[])
        AS taken (seq, request_id, kind, fingerprint, flow_no, epoch, hour, recorded_at, code,
            detail, day, body)";

async fn judge_again(
    db: &Transaction<'_>,
    register: RegisterNo,
    rows: &[(&i64, &Change<'_>)],
    now: Timestamp,
) -> Result<(), Fault> {
    if rows.is_empty() {
        return Ok(());
    }
    let params = [
        &register.store.0 as _,
        &ms(now) as _,
        &column(rows, |(seq, _)| **seq) as _,
        &column(rows, |(_, change)| code(change)) as _,
        &column(rows, |(_, change)| detail(change)) as _,
        &column(rows, |(_, change)| day(change)) as _,
    ];
    run(db, JUDGE_AGAIN, &params).await.map(drop)
}

const JUDGE_AGAIN: &str = "UPDATE records SET code = to_code, detail = to_detail, day = to_day,
        judged_at = $2, verdict = CASE WHEN to_code IS NULL THEN 'accepted' ELSE 'rejected' END
    FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[])
        AS judged (of_seq, to_code, to_detail, to_day)
    WHERE store = $1 AND seq = of_seq";
