//! The daily reconciliation: the counters of a day beside what its ledger adds up to. Pure; each difference has a
//! name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use tillroll_domain::ids::Part;
use utoipa::ToSchema;

use super::entry::Entry;
use super::sums::Sums;

/// Most differences that are listed.
pub const DIFFERENCES_MAX: usize = 1_000;
/// Most gaps that are read.
pub(crate) const GAPS_MAX: u32 = 1_000;

/// What a comparison came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DayCheck {
    /// The day.
    #[schema(value_type = String, format = Date)]
    pub day: Date,
    /// Entries of its ledger.
    pub entries: u64,
    /// Flow numbers that are missing around these entries.
    pub flow_gap: i64,
    /// Skus whose stock is not what moved in all.
    pub stock_differences: u64,
    /// How many differences there are.
    pub found: u64,
    /// The differences, at most 1,000.
    pub differences: Vec<Difference>,
}

/// One figure that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Difference {
    /// What was compared.
    pub compared: Compared,
    /// Of which: a register, a register and an hour, a sku, or flow numbers.
    pub name: String,
    /// Which figure.
    pub figure: String,
    /// What stands in the counters.
    pub counter: i64,
    /// What the ledger says.
    pub ledger: i64,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Compared {
    /// A register's day.
    Register,
    /// A register's hour.
    Hour,
    /// What moved of a sku on the day.
    Movement,
    /// Stock now, and opening, adjustments, refunds less sales of all days.
    Stock,
    /// Flow numbers.
    Flow,
}

impl Compared {
    /// The word in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Hour => "hour",
            Self::Movement => "movement",
            Self::Stock => "stock",
            Self::Flow => "flow",
        }
    }
}

/// Counters and ledger of a day, read at one moment.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    /// What stands in the counters.
    pub(crate) counters: Sums,
    /// What the day's entries add up to.
    pub(crate) ledger: Sums,
    /// How many those are.
    pub(crate) entries: u64,
    /// Stock, and what moved on all days, by sku.
    pub(crate) stock: BTreeMap<Part, (i64, i64)>,
    /// First and last of missing flow numbers around the day's entries.
    pub(crate) gaps: Vec<(i64, i64)>,
    /// The last flow number given out, and the last in the ledger.
    pub(crate) last_flow: (i64, i64),
    /// Names of registers.
    pub(crate) names: HashMap<i64, String>,
}

impl Observed {
    /// Takes an entry of the day's ledger; first and last flow number of those taken so far.
    pub(crate) fn see(&mut self, entry: &Entry, around: Option<(i64, i64)>) -> (i64, i64) {
        self.ledger.add(entry);
        self.entries += 1;
        (around.map_or(entry.flow_no, |(first, _)| first), entry.flow_no)
    }

    /// Compares.
    pub(crate) fn compare(&self, day: Date) -> DayCheck {
        let mut differences = self.of_registers();
        differences.extend(self.of_hours());
        differences.extend(self.of_movement());
        let stock = self.of_stock();
        let flow = self.of_flow();
        let flow_gap = flow.iter().map(|gap| (gap.counter - gap.ledger).abs()).sum();
        let stock_differences = stock.len().try_into().unwrap_or(u64::MAX);
        differences.extend(stock);
        differences.extend(flow);
        let found = differences.len().try_into().unwrap_or(u64::MAX);
        differences.truncate(DIFFERENCES_MAX);
        let entries = self.entries;
        DayCheck { day, entries, flow_gap, stock_differences, found, differences }
    }

    fn of_registers(&self) -> Vec<Difference> {
        between(&self.counters.days, &self.ledger.days, Compared::Register, |key, figures| {
            (self.name(key.1), figures.named())
        })
    }

    fn of_hours(&self) -> Vec<Difference> {
        between(&self.counters.hours, &self.ledger.hours, Compared::Hour, |key, figures| {
            (format!("{} {}", self.name(key.1), hour_text(key.2)), figures.named())
        })
    }

    fn of_movement(&self) -> Vec<Difference> {
        between(&self.counters.moved, &self.ledger.moved, Compared::Movement, |key, movement| {
            (key.1.to_string(), movement.named())
        })
    }

    fn of_stock(&self) -> Vec<Difference> {
        let differs = self.stock.iter().filter(|(_, (there, moved))| there != moved);
        let difference = |(sku, (there, moved)): (&Part, &(i64, i64))| Difference {
            compared: Compared::Stock,
            name: sku.to_string(),
            figure: "stock".to_owned(),
            counter: *there,
            ledger: *moved,
        };
        differs.map(difference).collect()
    }

    fn of_flow(&self) -> Vec<Difference> {
        let missing = |(first, last): &(i64, i64)| Difference {
            compared: Compared::Flow,
            name: format!("{first}..{last}"),
            figure: "missing".to_owned(),
            counter: last - first + 1,
            ledger: 0,
        };
        let mut found: Vec<_> = self.gaps.iter().map(missing).collect();
        let (given, kept) = self.last_flow;
        if given != kept {
            found.push(Difference {
                compared: Compared::Flow,
                name: "last".to_owned(),
                figure: "flow_no".to_owned(),
                counter: given,
                ledger: kept,
            });
        }
        found
    }

    fn name(&self, register: i64) -> String {
        self.names.get(&register).cloned().unwrap_or_else(|| format!("number {register}"))
    }
}

fn hour_text(hour: i64) -> String {
    let ms = hour.saturating_mul(3_600_000);
    jiff::Timestamp::from_millisecond(ms).map_or_else(|_| hour.to_string(), |at| at.to_string())
}

/// Every figure that differs; what one side lacks counts as zero.
fn between<K: Ord, V: Default, const N: usize>(
    counters: &BTreeMap<K, V>,
    ledger: &BTreeMap<K, V>,
    compared: Compared,
    named: impl Fn(&K, &V) -> (String, [(&'static str, i64); N]),
) -> Vec<Difference> {
    let none = V::default();
    let keys: BTreeSet<_> = counters.keys().chain(ledger.keys()).collect();
    let mut found = Vec::new();
    for key in keys {
        let (name, counted) = named(key, counters.get(key).unwrap_or(&none));
        let (_, kept) = named(key, ledger.get(key).unwrap_or(&none));
        for ((figure, counter), (_, ledger)) in counted.into_iter().zip(kept) {
            if counter != ledger {
                let (name, figure) = (name.clone(), figure.to_owned());
                found.push(Difference { compared, name, figure, counter, ledger });
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::day::{Figures, Movement};
    use super::*;

    #[test]
    fn each_kind_of_difference_is_named_and_equal_sides_have_none() {
        let day: Date = "2026-11-30".parse().unwrap();
        let sku: Part = "soup".parse().unwrap();
        let mut seen = Observed { last_flow: (3, 3), ..Observed::default() };
        let figures = Figures { sales: 2, gross_minor: 200, ..Figures::default() };
        for side in [&mut seen.counters, &mut seen.ledger] {
            side.days.insert((day, 1), figures);
            side.hours.insert((day, 1, 10), figures);
            side.moved.insert((day, sku.clone()), Movement { sold: 2, ..Movement::default() });
        }
        seen.names.insert(1, "R1".to_owned());
        seen.stock.insert(sku.clone(), (7, 7));
        assert_eq!(seen.compare(day).differences, []);
        seen.counters.days.insert((day, 1), Figures { gross_minor: 201, ..figures });
        seen.ledger.hours.remove(&(day, 1, 10));
        seen.counters.moved.remove(&(day, sku.clone()));
        seen.stock.insert(sku, (7, 6));
        seen.gaps = vec![(5, 7)];
        seen.last_flow = (9, 8);
        let check = seen.compare(day);
        let told: Vec<_> = check
            .differences
            .iter()
            .map(|one| {
                (one.compared, one.name.as_str(), one.figure.as_str(), one.counter, one.ledger)
            })
            .collect();
        assert_eq!(
            told,
            [
                (Compared::Register, "R1", "gross_minor", 201, 200),
                (Compared::Hour, "R1 1970-01-01T10:00:00Z", "sales", 2, 0),
                (Compared::Hour, "R1 1970-01-01T10:00:00Z", "gross_minor", 200, 0),
                (Compared::Movement, "soup", "sold", 0, 2),
                (Compared::Stock, "soup", "stock", 7, 6),
                (Compared::Flow, "5..7", "missing", 3, 0),
                (Compared::Flow, "last", "flow_no", 9, 8),
            ]
        );
        assert_eq!((check.flow_gap, check.stock_differences, check.found), (4, 1, 7));
    }
}
