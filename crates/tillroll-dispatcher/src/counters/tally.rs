//! Counting a batch of requests: pure, the same for every engine. An engine reads [`Before`] while nobody else
//! can count for the store, and writes what [`Tally::added`] says.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use tillroll_domain::ids::Part;

use super::day::Figures;
use super::entry::{Entry, EntryKind, Moved};
use super::outcome::{NotCounted, Outcome, Shortage};
use super::request::{
    Change, DAYS_AHEAD, DAYS_BEHIND, FIGURE_MAX, Request, StockChange, Trade, TradeKind,
};
use super::sums::Sums;

/// What a batch is counted against. What is not among it is not there, or not asked for.
#[derive(Debug, Default)]
pub(crate) struct Before {
    /// The store's last flow number.
    pub(crate) last_flow_no: i64,
    /// Entries of the batch's request ids.
    pub(crate) known: HashMap<String, Entry>,
    /// Numbers of registers by name.
    pub(crate) registers: HashMap<Part, i64>,
    /// Stock.
    pub(crate) stock: HashMap<Part, i64>,
    /// Figures of registers on the batch's days.
    pub(crate) days: HashMap<(Date, i64), Figures>,
}

/// What a batch asks about, each once: by this an engine finds [`Before`].
#[derive(Debug, Default)]
pub(crate) struct Asked<'a> {
    /// Request ids.
    pub(crate) ids: BTreeSet<&'a str>,
    /// Names of registers.
    pub(crate) registers: BTreeSet<&'a Part>,
    /// Skus.
    pub(crate) skus: BTreeSet<&'a Part>,
    /// Days and names of the registers that trade on them.
    pub(crate) days: BTreeSet<(Date, &'a Part)>,
}

impl<'a> Asked<'a> {
    /// What these requests ask about.
    pub(crate) fn by(requests: &'a [Request]) -> Self {
        let mut asked = Self::default();
        for request in requests {
            asked.ids.insert(&request.id);
            match &request.change {
                Change::Trade(trade) => {
                    asked.registers.insert(&trade.register);
                    asked.skus.extend(trade.items.keys());
                    asked.days.insert((request.day, &trade.register));
                }
                Change::Stock { sku, .. } => {
                    asked.skus.insert(sku);
                }
            }
        }
        asked
    }
}

/// A batch being counted.
#[derive(Debug)]
pub(crate) struct Tally {
    now: Before,
    added: Vec<Entry>,
    /// Where the entry of an id of this batch stands in `added`.
    places: HashMap<String, usize>,
}

impl Tally {
    /// Begins a batch.
    pub(crate) fn new(before: Before) -> Self {
        Self { now: before, added: Vec::new(), places: HashMap::new() }
    }

    /// Counts requests in their order.
    pub(crate) fn count_all(&mut self, requests: &[Request]) -> Vec<Outcome> {
        requests.iter().map(|request| self.count(request)).collect()
    }

    /// Counts one request.
    pub(crate) fn count(&mut self, request: &Request) -> Outcome {
        if let Some(known) = self.known(&request.id) {
            let is_same = known.fingerprint == request.fingerprint;
            return if is_same {
                Outcome::Replayed(known.clone())
            } else {
                Outcome::Conflict { stored: known.fingerprint }
            };
        }
        match self.entry(request) {
            Ok(entry) => {
                self.keep(entry.clone());
                Outcome::Counted(entry)
            }
            Err(refused) => Outcome::Refused(refused),
        }
    }

    /// The entries the batch adds to the ledger, in the order of their flow numbers.
    pub(crate) fn added(&self) -> &[Entry] {
        &self.added
    }

    /// What the batch adds to the figures beside the ledger.
    pub(crate) fn sums(&self) -> Sums {
        Sums::of(&self.added)
    }

    /// What is left of each sku that moved.
    pub(crate) fn left(&self) -> BTreeMap<&Part, i64> {
        let moved = self.added.iter().flat_map(|entry| &entry.moved);
        moved.map(|moved| (&moved.sku, moved.left)).collect()
    }

    fn known(&self, id: &str) -> Option<&Entry> {
        let of_this_batch = || self.places.get(id).and_then(|place| self.added.get(*place));
        self.now.known.get(id).or_else(of_this_batch)
    }

    fn entry(&self, request: &Request) -> Result<Entry, NotCounted> {
        check_day(request)?;
        let flow_no = grown("flow_no", self.now.last_flow_no, 1)?;
        let blank = |kind, moved| Entry {
            flow_no,
            request_id: request.id.clone(),
            fingerprint: request.fingerprint,
            day: request.day,
            kind,
            register: None,
            amount_minor: 0,
            moved,
            register_count: 0,
            register_net_minor: 0,
            counted_at: request.at,
        };
        match &request.change {
            Change::Trade(trade) => {
                let moved = self.goods(trade)?;
                self.trade(trade, blank(kind_of(trade.kind), moved))
            }
            Change::Stock { sku, change } => {
                let (kind, moved) = self.stock(sku, *change)?;
                Ok(blank(kind, vec![moved]))
            }
        }
    }

    fn trade(&self, trade: &Trade, entry: Entry) -> Result<Entry, NotCounted> {
        let name = &trade.register;
        let known = self.now.registers.get(name);
        let register = *known.ok_or_else(|| NotCounted::NoRegister(name.clone()))?;
        let entry = Entry { register: Some(register), amount_minor: trade.amount_minor, ..entry };
        let mut figures = self.now.days.get(&(entry.day, register)).copied().unwrap_or_default();
        figures.add(&entry);
        for (figure, value) in figures.named() {
            grown(figure, value, 0)?;
        }
        Ok(Entry {
            register_count: figures.sales + figures.refunds,
            register_net_minor: figures.gross_minor - figures.refunded_minor,
            ..entry
        })
    }

    /// Everything that moves, or everything that is short.
    fn goods(&self, trade: &Trade) -> Result<Vec<Moved>, NotCounted> {
        let there = |sku: &Part| self.now.stock.get(sku).copied().unwrap_or(0);
        let takes = trade.kind == TradeKind::Sale;
        let short = trade.items.iter().filter(|(sku, asked)| takes && there(sku) < **asked);
        let short = short.map(|(sku, asked)| Shortage {
            sku: sku.clone(),
            there: there(sku),
            asked: *asked,
        });
        let short: Vec<_> = short.collect();
        if !short.is_empty() {
            return Err(NotCounted::Short(short));
        }
        let each = trade.items.iter().map(|(sku, quantity)| {
            let by = trade.kind.moves(*quantity);
            Ok(Moved { sku: sku.clone(), by, left: grown(sku.as_str(), there(sku), by)? })
        });
        each.collect()
    }

    fn stock(&self, sku: &Part, change: StockChange) -> Result<(EntryKind, Moved), NotCounted> {
        let there = self.now.stock.get(sku).copied().unwrap_or(0);
        let (kind, by) = match change {
            StockChange::Set(to) => (EntryKind::Set, to - there),
            StockChange::Adjust(by) => (EntryKind::Adjust, by),
        };
        if there + by < 0 {
            let short = Shortage { sku: sku.clone(), there, asked: -by };
            return Err(NotCounted::Short(vec![short]));
        }
        Ok((kind, Moved { sku: sku.clone(), by, left: grown(sku.as_str(), there, by)? }))
    }

    fn keep(&mut self, entry: Entry) {
        self.now.last_flow_no = entry.flow_no;
        for Moved { sku, left, .. } in &entry.moved {
            self.now.stock.insert(sku.clone(), *left);
        }
        if let Some(register) = entry.register {
            self.now.days.entry((entry.day, register)).or_default().add(&entry);
        }
        self.places.insert(entry.request_id.clone(), self.added.len());
        self.added.push(entry);
    }
}

fn kind_of(kind: TradeKind) -> EntryKind {
    match kind {
        TradeKind::Sale => EntryKind::Sale,
        TradeKind::Refund => EntryKind::Refund,
    }
}

fn check_day(request: &Request) -> Result<(), NotCounted> {
    let today = TimeZone::UTC.to_datetime(request.at).date();
    let ahead = today.until(request.day).map_or(i32::MAX, |span| span.get_days());
    if (-DAYS_BEHIND..=DAYS_AHEAD).contains(&ahead) { Ok(()) } else { Err(NotCounted::Day) }
}

/// A figure after it grew; stored ones are far from what 64 bits hold.
fn grown(figure: &str, value: i64, by: i64) -> Result<i64, NotCounted> {
    let grown = value.checked_add(by).filter(|grown| *grown <= FIGURE_MAX);
    grown.ok_or_else(|| NotCounted::Overflow(figure.to_owned()))
}

#[cfg(test)]
mod tests;
