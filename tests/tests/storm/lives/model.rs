//! What a register must come to, in numbers.

use std::collections::BTreeMap;
use std::time::Duration;

use tillroll_domain::ids::JobId;
use tillroll_register::view::Accepted;

use crate::wrong::Wrong;

type Papers = BTreeMap<JobId, Vec<Duration>>;

/// Sales that were acknowledged, and how often each may be on paper.
#[derive(Debug, Default)]
pub struct Model {
    sales: BTreeMap<JobId, Sale>,
}

#[derive(Debug)]
struct Sale {
    flow_no: i64,
    /// Once, and once more for each time a person said that it is not on paper.
    may_print: usize,
}

impl Model {
    /// A sale was acknowledged: a known one as a replay under its number.
    pub fn acknowledged(&mut self, accepted: &Accepted) {
        let id: JobId = accepted.id.parse().unwrap();
        match self.sales.get(&id) {
            Some(sale) => {
                Wrong::Doubled.unless(accepted.replayed, || format!("{id} is new again"));
                let (now, first) = (accepted.flow_no, sale.flow_no);
                Wrong::Silent.unless(now == first, || format!("{id}: {now}, once {first}"));
            }
            None => {
                let sale = Sale { flow_no: accepted.flow_no, may_print: 1 };
                self.sales.insert(id, sale);
            }
        }
    }

    /// A person saw that it is not on paper.
    pub fn is_wanted_again(&mut self, id: &JobId) {
        // One that the POS has no answer for yet may be asked about before it has.
        if let Some(sale) = self.sales.get_mut(id) {
            sale.may_print += 1;
        }
    }

    /// Nothing is on paper more often than it may.
    pub fn check(&self, papers: &Papers) {
        for (id, sale) in &self.sales {
            let printed = papers.get(id).map_or(0, Vec::len);
            Wrong::Doubled.unless(printed <= sale.may_print, || {
                format!("{id}: {printed} times on paper, {sale:?}")
            });
        }
    }

    /// When everything is settled each sale is on paper, nothing else is, and no number is missing.
    pub fn check_end(&self, papers: &Papers) {
        self.check(papers);
        for id in self.sales.keys() {
            Wrong::Lost.unless(papers.contains_key(id), || format!("{id} is not on paper"));
        }
        let (papers, sales) = (papers.len(), self.sales.len());
        Wrong::Doubled.unless(papers == sales, || format!("{papers} on paper of {sales} sold"));
        let mut numbers: Vec<_> = self.sales.values().map(|sale| sale.flow_no).collect();
        numbers.sort_unstable();
        let is_whole = numbers.iter().copied().eq(1..=numbers.len() as i64);
        Wrong::Lost.unless(is_whole, || format!("{numbers:?}"));
    }

    /// How many sales there are.
    pub fn sales(&self) -> usize {
        self.sales.len()
    }

    /// How often a person wanted paper again.
    pub fn answers(&self) -> usize {
        self.sales.values().map(|sale| sale.may_print - 1).sum()
    }
}
