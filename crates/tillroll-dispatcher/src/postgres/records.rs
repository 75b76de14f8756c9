//! Taking a batch of records: what it may meet is read, each record is judged, and what came of it is
//! written. The number of statements does not grow with the batch.

use std::collections::{BTreeMap, HashMap};

use deadpool_postgres::Transaction;
use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_wire::Code;
use tillroll_wire::record::{Batch, Record, RecordVerdict, Verdict};

use super::fault::Fault;
use super::judge::{Before, Judgement};
use super::kept::Kept;
use super::papers::Papers;
use super::receipts::Books;
use super::registers::Seen;
use super::splits::Shares;
use super::{day_counts, hours, registers, tenants};
use crate::job::RegisterNo;
use crate::store::day_counts::DayCounts;
use crate::store::fact::{self, Fact, Refused, Sale, Shared};
use crate::store::hour_sets::HourSets;

/// What a record says, or why it is refused.
type Said = Result<Fact, Refused>;

/// Takes a batch of a register.
pub(super) async fn take(
    db: &Transaction<'_>,
    from: RegisterNo,
    batch: &Batch,
    now: Timestamp,
) -> Result<Vec<RecordVerdict>, Fault> {
    let store = tenants::store(db, from.store).await?;
    registers::known_name(db, from).await?;
    let records = &batch.records[..];
    let said: Vec<Said> = records.iter().map(|record| fact::read(record, &store.code)).collect();
    let mut taking = Taking::begin(db, from, records, &said, now).await?;
    let mut verdicts = Vec::with_capacity(records.len());
    for (record, said) in records.iter().zip(said) {
        verdicts.push(taking.take(record, said)?);
    }
    taking.write(db, now).await?;
    registers::note(db, from, &seen(batch, now)).await?;
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

/// A batch being taken: everything is written at its end.
struct Taking<'a> {
    register: RegisterNo,
    names: HashMap<i64, String>,
    kept: Kept<'a>,
    books: Books,
    papers: Papers,
    shares: Shares,
    hours: HourSets,
    days: BTreeMap<Date, DayCounts>,
}

impl<'a> Taking<'a> {
    async fn begin(
        db: &Transaction<'_>,
        register: RegisterNo,
        records: &'a [Record],
        said: &[Said],
        now: Timestamp,
    ) -> Result<Self, Fault> {
        let kept = Kept::load(db, register, records).await?;
        let ids: Vec<String> = said.iter().filter_map(job_id).collect();
        let mut flows: Vec<i64> = records.iter().filter_map(|record| record.flow_no).collect();
        let books = Books::load(db, register, &ids, &flows).await?;
        flows.extend(books.flows());
        let papers = Papers::load(db, register, &flows).await?;
        let shared: Vec<&Shared> = said.iter().filter_map(shared).collect();
        let shares = Shares::load(db, register.store, &shared, now).await?;
        let names = registers::names(db, register.store).await?;
        let (hours, days) = (HourSets::default(), BTreeMap::new());
        Ok(Self { register, names, kept, books, papers, shares, hours, days })
    }

    fn take(&mut self, record: &'a Record, said: Said) -> Result<RecordVerdict, Fault> {
        let request_id = record.request_id.clone();
        if let Err(refused) = fact::check_request_id(record) {
            // Nothing is kept under an id that cannot be one.
            let verdict = Verdict::Rejected { code: refused.code, detail: refused.detail };
            return Ok(RecordVerdict { request_id, verdict });
        }
        let Self { register, names, kept, books, .. } = self;
        let before = Before { register: *register, names, kept, books };
        let judgement = before.judge(record, said)?;
        let verdict = match self.share(judgement)? {
            Judgement::Replayed => Verdict::Replayed,
            Judgement::Accepted { fact, books, earlier } => {
                self.accept(record, &fact, books, earlier)?;
                Verdict::Accepted
            }
            Judgement::Rejected { refused, earlier } => {
                self.reject(record, refused.clone(), earlier);
                Verdict::Rejected { code: refused.code, detail: refused.detail }
            }
        };
        Ok(RecordVerdict { request_id, verdict })
    }

    /// Prepares and confirms a sale or refund that is to be shared; one that cannot be is refused after all.
    fn share(&mut self, judgement: Judgement) -> Result<Judgement, Fault> {
        let Judgement::Accepted { fact: Fact::Split(shared), earlier, .. } = &judgement else {
            return Ok(judgement);
        };
        Ok(match self.shares.share(shared)? {
            Ok(()) => judgement,
            Err(refused) => Judgement::Rejected { refused, earlier: *earlier },
        })
    }

    fn accept(
        &mut self,
        record: &'a Record,
        fact: &Fact,
        books: bool,
        earlier: Option<i64>,
    ) -> Result<(), Fault> {
        let seq = self.keep(record, None, earlier);
        self.hours.add(record);
        match fact {
            Fact::Receipt(sale) if books => self.book(seq, sale)?,
            Fact::Receipt(_) | Fact::Correction | Fact::Split(_) => {}
            Fact::Print(paper) => {
                if let Some((day, by)) = self.papers.take(&self.books, record, paper) {
                    self.day(day).printed += by;
                }
            }
            Fact::Close(day) => self.day(*day).closed += 1,
        }
        Ok(())
    }

    fn book(&mut self, seq: i64, sale: &Sale) -> Result<(), Fault> {
        self.books.book(seq, sale)?;
        let on_paper = self.papers.is_on_paper(sale.flow_no);
        self.day(sale.day).book(sale, on_paper);
        Ok(())
    }

    fn reject(&mut self, record: &'a Record, refused: Refused, earlier: Option<i64>) {
        self.keep(record, Some(refused), earlier);
    }

    /// Keeps the record with its verdict; the number of its row.
    fn keep(&mut self, record: &'a Record, refused: Option<Refused>, earlier: Option<i64>) -> i64 {
        // What only waits behind a refused receipt is not refused itself.
        let counts = refused.as_ref().is_some_and(|refused| refused.code != Code::ParkedBehind);
        let day = counts.then(|| fact::day_of(record));
        if let Some(day) = day {
            self.day(day).rejected += 1;
        }
        let keeping = self.kept.keep(record, refused, day, earlier);
        if let Some(day) = keeping.counted_on {
            self.day(day).rejected -= 1;
        }
        keeping.seq
    }

    fn day(&mut self, day: Date) -> &mut DayCounts {
        self.days.entry(day).or_default()
    }

    async fn write(self, db: &Transaction<'_>, now: Timestamp) -> Result<(), Fault> {
        self.kept.write(db, now).await?;
        self.books.write(db).await?;
        self.papers.write(db).await?;
        self.shares.write(db).await?;
        hours::add(db, self.register, &self.hours).await?;
        day_counts::add(db, self.register, &self.days).await
    }
}

/// The job a record is about.
fn job_id(said: &Said) -> Option<String> {
    match said {
        Ok(Fact::Receipt(sale)) => Some(sale.id.to_string()),
        Ok(Fact::Print(paper)) => Some(paper.id.to_string()),
        Ok(Fact::Close(_) | Fact::Correction | Fact::Split(_)) | Err(_) => None,
    }
}

/// The sale or refund to be shared that a record is about.
fn shared(said: &Said) -> Option<&Shared> {
    match said {
        Ok(Fact::Split(shared)) => Some(shared),
        Ok(Fact::Receipt(_) | Fact::Print(_) | Fact::Close(_) | Fact::Correction) | Err(_) => None,
    }
}
