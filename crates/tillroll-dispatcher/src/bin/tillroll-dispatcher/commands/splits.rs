//! `splits`: what is left to people, and the comparison with the channel.

use clap::{Args, Subcommand};
use tillroll_dispatcher::admin::Command;
use tillroll_dispatcher::payments::Round;
use tillroll_domain::splits::{SplitState, Verb};
use tillroll_wire::split::{SplitList, SplitView};

use crate::desk::Desk;
use crate::failure::Failure;
use crate::output;

/// Looks at splits, settles those left to people, and compares all with the channel.
#[derive(Debug, Subcommand)]
pub enum Splits {
    /// Has a store's registers share each sale and refund from now on, or no more.
    Share(Sharing),
    /// Lists a store's newest splits.
    List(List),
    /// Tries a split again with its whole time; the channel is asked first.
    Retry(Act),
    /// Says that a split is paid, with the evidence.
    Settle(Act),
    /// Takes a split back that is certainly not paid, with the reason.
    Cancel(Act),
    /// Compares with the channel and repairs what one side misses; exit code 1 when amounts differ.
    Check(Check),
}

/// Which store, and whether.
#[derive(Debug, Args)]
pub struct Sharing {
    /// The store's uid.
    #[arg(long)]
    store: String,
    /// No more.
    #[arg(long)]
    off: bool,
}

/// Which splits.
#[derive(Debug, Args)]
pub struct List {
    /// The store's uid.
    #[arg(long)]
    store: String,
    /// Only those in this state, such as manual.
    #[arg(long)]
    state: Option<SplitState>,
    /// At most so many, up to 500.
    #[arg(long, default_value_t = 50)]
    limit: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Which split, by whom and why.
#[derive(Debug, Args)]
pub struct Act {
    /// The store's uid.
    #[arg(long)]
    store: String,
    /// The split's id.
    split: String,
    /// The person.
    #[arg(long)]
    by: String,
    /// The reason, or the evidence.
    #[arg(long)]
    note: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// How it is shown.
#[derive(Debug, Args)]
pub struct Check {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Splits {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] when there is no such store or split, or its state does not allow it.
    pub async fn run(self, desk: &Desk) -> Result<(), Failure> {
        match self {
            Self::Share(Sharing { store, off }) => {
                desk.ask::<()>(Command::ShareOrders { store, on: !off }).await
            }
            Self::List(list) => list.run(desk).await,
            Self::Retry(act) => act.run(desk, Verb::Retry).await,
            Self::Settle(act) => act.run(desk, Verb::Settle).await,
            Self::Cancel(act) => act.run(desk, Verb::Cancel).await,
            Self::Check(check) => check.run(desk).await,
        }
    }
}

impl List {
    async fn run(self, desk: &Desk) -> Result<(), Failure> {
        let Self { store, state, limit, json } = self;
        let list: SplitList = desk.ask(Command::Splits { store, state, limit }).await?;
        if json {
            return output::json(&list);
        }
        show(list.splits)
    }
}

impl Act {
    async fn run(self, desk: &Desk, verb: Verb) -> Result<(), Failure> {
        let Self { store, split, by, note, json } = self;
        if verb != Verb::Retry && note.as_deref().unwrap_or_default().trim().is_empty() {
            return Err(Failure::Usage("say why, or what proves it, with --note".to_owned()));
        }
        let command = Command::ActOnSplit { store, split, verb, by, note };
        let split: SplitView = desk.ask(command).await?;
        if json { output::json(&split) } else { show(vec![split]) }
    }
}

impl Check {
    async fn run(self, desk: &Desk) -> Result<(), Failure> {
        let round: Round = desk.ask(Command::CheckSplits {}).await?;
        if self.json {
            output::json(&round)?;
        } else {
            let figures =
                [round.there, round.here, round.repairs, round.differences, round.foreign];
            let headings = ["at the channel", "here", "repaired", "differ", "foreign"];
            output::table(headings, vec![figures.map(|figure| figure.to_string())], "")?;
        }
        match round.differences + round.foreign {
            0 => Ok(()),
            found => Err(Failure::Differs(found)),
        }
    }
}

fn show(splits: Vec<SplitView>) -> Result<(), Failure> {
    let headings = ["split", "state", "reason", "amount", "tries", "changed"];
    output::table(headings, splits.into_iter().map(row).collect(), "no splits")
}

fn row(split: SplitView) -> [String; 6] {
    [
        split.split_id,
        split.state,
        split.reason.unwrap_or_default(),
        format!("{} {}", split.amount_minor, split.currency),
        split.tries.to_string(),
        split.changed_at.to_string(),
    ]
}
