//! Taking a batch of records: a verdict, a row and its counters for each.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::ids::Part;
use tillroll_sqlite::rusqlite::{Connection, params};
use tillroll_wire::Code;
use tillroll_wire::record::{Batch, Record, RecordVerdict, Verdict};

use super::columns::{first, ms, optional_word, run};
use super::fault::Fault;
use super::judge::{self, Judgement, Sender};
use super::registers::Seen;
use super::{day_counts, hours, papers, receipts, registers, splits, tenants};
use crate::job::RegisterNo;
use crate::splits::NewSplit;
use crate::store::day_counts::DayCounts;
use crate::store::fact::{self, Fact, Refused, Sale};
use crate::store::hour_sets::{HourSets, hour};

/// Takes a batch of a register.
pub(super) fn take(
    db: &Connection,
    from: RegisterNo,
    batch: &Batch,
    now: Timestamp,
) -> Result<Vec<RecordVerdict>, Fault> {
    let store = tenants::store(db, from.store)?;
    registers::known_name(db, from)?;
    let mut taking = Taking::begin(db, from, &store.code, now)?;
    let mut verdicts = Vec::with_capacity(batch.records.len());
    for record in &batch.records {
        verdicts.push(taking.take(record)?);
    }
    taking.end()?;
    registers::note(db, from, &seen(batch, now))?;
    Ok(verdicts)
}

fn seen(batch: &Batch, now: Timestamp) -> Seen {
    let epoch = batch.records.iter().map(|record| record.epoch).max();
    let flow_no = batch.records.iter().filter_map(|record| record.flow_no).max();
    Seen {
        drift_ms: batch.clock.now.as_millisecond() - now.as_millisecond(),
        at: now,
        high: epoch.map(|epoch| (epoch, flow_no.unwrap_or(0))),
    }
}

/// A batch being taken: its counters are written once, at its end.
struct Taking<'a> {
    db: &'a Connection,
    from: Sender<'a>,
    now: Timestamp,
    next_seq: i64,
    hours: HourSets,
    days: BTreeMap<Date, DayCounts>,
}

impl<'a> Taking<'a> {
    fn begin(
        db: &'a Connection,
        register: RegisterNo,
        store_code: &'a Part,
        now: Timestamp,
    ) -> Result<Self, Fault> {
        let next = first(db, NEXT_SEQ, [register.store.0], |row| Ok(row.get(0)?))?;
        Ok(Self {
            db,
            from: Sender { register, store_code },
            now,
            next_seq: next.unwrap_or(1),
            hours: HourSets::default(),
            days: BTreeMap::new(),
        })
    }

    fn end(self) -> Result<(), Fault> {
        hours::add(self.db, self.from.register, &self.hours)?;
        day_counts::add(self.db, self.from.register, &self.days)
    }

    fn take(&mut self, record: &Record) -> Result<RecordVerdict, Fault> {
        let request_id = record.request_id.clone();
        if let Err(refused) = fact::check_request_id(record) {
            // Nothing is kept under an id that cannot be one.
            let verdict = Verdict::Rejected { code: refused.code, detail: refused.detail };
            return Ok(RecordVerdict { request_id, verdict });
        }
        let judgement = judge::judge(self.db, &self.from, record)?;
        let verdict = match self.share(judgement)? {
            Judgement::Replayed => Verdict::Replayed,
            Judgement::Accepted { fact, books, earlier } => {
                self.accept(record, &fact, books, earlier)?;
                Verdict::Accepted
            }
            Judgement::Rejected { refused, earlier } => {
                self.reject(record, &refused, earlier)?;
                Verdict::Rejected { code: refused.code, detail: refused.detail }
            }
        };
        Ok(RecordVerdict { request_id, verdict })
    }

    /// Prepares and confirms a sale or refund that is to be shared; one that cannot be is refused after all.
    fn share(&self, judgement: Judgement) -> Result<Judgement, Fault> {
        let Judgement::Accepted { fact: Fact::Split(shared), earlier, .. } = &judgement else {
            return Ok(judgement);
        };
        let new = NewSplit::shared(self.from.register.store, shared, self.now);
        Ok(match splits::share(self.db, &new)? {
            Ok(()) => judgement,
            Err(refused) => Judgement::Rejected { refused, earlier: *earlier },
        })
    }

    fn accept(
        &mut self,
        record: &Record,
        fact: &Fact,
        books: bool,
        earlier: Option<i64>,
    ) -> Result<(), Fault> {
        let seq = self.keep(record, None, earlier)?;
        self.hours.add(record);
        match fact {
            Fact::Receipt(sale) if books => self.book(seq, sale),
            Fact::Receipt(_) | Fact::Correction | Fact::Split(_) => Ok(()),
            Fact::Print(paper) => {
                let turned = papers::take(self.db, self.from.register, record, paper)?;
                if let Some((day, by)) = turned {
                    self.day(day).printed += by;
                }
                Ok(())
            }
            Fact::Close(day) => {
                self.day(*day).closed += 1;
                Ok(())
            }
        }
    }

    fn book(&mut self, seq: i64, sale: &Sale) -> Result<(), Fault> {
        let register = self.from.register;
        receipts::insert(self.db, register, seq, sale)?;
        let on_paper = papers::is_on_paper(self.db, register, sale.flow_no)?;
        self.day(sale.day).book(sale, on_paper);
        Ok(())
    }

    fn reject(
        &mut self,
        record: &Record,
        refused: &Refused,
        earlier: Option<i64>,
    ) -> Result<(), Fault> {
        self.keep(record, Some(refused), earlier).map(drop)
    }

    /// Writes the record's row with its verdict, or changes that of its earlier refusal.
    fn keep(
        &mut self,
        record: &Record,
        refused: Option<&Refused>,
        earlier: Option<i64>,
    ) -> Result<i64, Fault> {
        // What only waits behind a refused receipt is not refused itself.
        let counts = refused.filter(|refused| refused.code != Code::ParkedBehind);
        let day = counts.map(|_| fact::day_of(record));
        if let Some(day) = day {
            self.day(day).rejected += 1;
        }
        match earlier {
            Some(seq) => self.judge_again(seq, refused, day).map(|()| seq),
            None => self.insert(record, refused, day),
        }
    }

    fn insert(
        &mut self,
        record: &Record,
        refused: Option<&Refused>,
        day: Option<Date>,
    ) -> Result<i64, Fault> {
        let seq = self.next_seq;
        let register = self.from.register;
        let params = params![
            register.store.0,
            seq,
            register.no,
            record.request_id,
            record.kind.as_str(),
            record.fingerprint.as_bytes(),
            record.flow_no,
            record.epoch,
            hour(record),
            ms(record.recorded_at),
            ms(self.now),
            verdict(refused),
            refused.map(|refused| refused.code.as_str()),
            refused.map(|refused| refused.detail.as_str()),
            day.map(|day| day.to_string()),
            record.body.to_string(),
        ];
        run(self.db, INSERT, params)?;
        self.next_seq += 1;
        Ok(seq)
    }

    fn judge_again(
        &mut self,
        seq: i64,
        refused: Option<&Refused>,
        day: Option<Date>,
    ) -> Result<(), Fault> {
        let store = self.from.register.store.0;
        let counted = first(self.db, COUNTED_ON, params![store, seq], |row| optional_word(row, 0))?;
        if let Some(day) = counted.flatten() {
            self.day(day).rejected -= 1;
        }
        let params = params![
            store,
            seq,
            verdict(refused),
            refused.map(|refused| refused.code.as_str()),
            refused.map(|refused| refused.detail.as_str()),
            day.map(|day| day.to_string()),
            ms(self.now),
        ];
        run(self.db, JUDGE_AGAIN, params).map(drop)
    }

    fn day(&mut self, day: Date) -> &mut DayCounts {
        self.days.entry(day).or_default()
    }
}

fn verdict(refused: Option<&Refused>) -> &'static str {
    if refused.is_some() { "rejected" } else { "accepted" }
}

pub(super) const NEXT_SEQ: &str = "SELECT coalesce(max(seq), 0) + 1 FROM records WHERE store = ?1";
const INSERT: &str =
    "INSERT INTO records (store, seq, register, request_id, kind, fingerprint, flow_no, epoch,
        hour, recorded_at, judged_at, verdict, code, detail, day, body)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";
const COUNTED_ON: &str = "SELECT day FROM records WHERE store = ?1 AND seq = ?2";
const JUDGE_AGAIN: &str =
    "UPDATE records SET verdict = ?3, code = ?4, detail = ?5, day = ?6, judged_at = ?7
    WHERE store = ?1 AND seq = ?2";
