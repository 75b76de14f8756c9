//! A difference in words, with its cure.

use serde::Deserialize;
use tillroll_domain::reconciliation::Cure;

use crate::shop::Shop;
use crate::words::counted;

/// A difference as the API tells it.
#[derive(Debug, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub(super) enum Shown {
    /// The POS says otherwise.
    Pos { figure: String, pos: i64, register: i64, cure: Cure },
    /// Paper that is not settled.
    Paper { figure: String, count: i64, cure: Cure },
    /// Receipts that were lost sight of.
    Unaccounted { count: i64, cure: Cure },
    /// Flow numbers that are missing.
    FlowGap { after: i64, before: i64, alarm: bool, cure: Cure },
    /// Cash over or short.
    CashDifference { difference_minor: i64, reason: Option<String>, cure: Cure },
    /// Records of the day under way.
    Unsent { count: i64, cure: Cure },
    /// Records of the day that were refused.
    Refused { count: i64, cure: Cure },
    /// The head office says otherwise.
    Cloud { figure: String, register: i64, cloud: i64, cure: Cure },
    /// A wrong clock.
    ClockDrift { drift_ms: i64, cure: Cure },
    /// One of a newer register.
    #[serde(other)]
    Unknown,
}

impl Shown {
    /// What differs, and what to do.
    pub(super) fn tell(&self, shop: &Shop) -> String {
        match self {
            Self::Pos { figure, pos, register, cure } => {
                let (pos, register) = (shown(figure, *pos, shop), shown(figure, *register, shop));
                let figure = figure.trim_end_matches("_minor");
                format!("{figure}: POS {pos}, register {register}. {}", advice(*cure))
            }
            Self::Paper { figure, count, cure } => {
                format!("paper: {count} {figure}. {}", advice(*cure))
            }
            Self::Unaccounted { count, cure } => {
                format!("{count} receipts are in no count. {}", advice(*cure))
            }
            Self::FlowGap { after, before, alarm, cure } => {
                let (first, last) = (after + 1, before - 1);
                let alarm = if *alarm { "ALARM: " } else { "" };
                let missing = if first == last {
                    format!("flow number {first} is missing")
                } else {
                    format!("flow numbers {first} to {last} are missing")
                };
                format!("{alarm}{missing}. {}", advice(*cure))
            }
            Self::CashDifference { difference_minor, reason, cure } => {
                let reason = reason.as_deref().map(|reason| format!(" ({reason})"));
                let amount = shop.money(*difference_minor);
                format!("cash: {amount}{}. {}", reason.unwrap_or_default(), advice(*cure))
            }
            Self::Unsent { count, cure } => {
                format!("{} not yet sent. {}", counted(*count, "record"), advice(*cure))
            }
            Self::Refused { count, cure } => {
                let told = counted(*count, "record");
                format!("{told} refused by the head office. {}", advice(*cure))
            }
            Self::Cloud { figure, register, cloud, cure } => {
                let (ours, theirs) = (shown(figure, *register, shop), shown(figure, *cloud, shop));
                let figure = figure.trim_end_matches("_minor");
                format!("{figure}: register {ours}, cloud {theirs}. {}", advice(*cure))
            }
            Self::ClockDrift { drift_ms, cure } => {
                let minutes = counted((drift_ms.abs() / 60_000).max(1), "minute");
                format!("the clock is off by {minutes}. {}", advice(*cure))
            }
            Self::Unknown => "a difference this program does not know; look at --json".to_owned(),
        }
    }
}

/// Counts as they are, amounts with their decimals.
fn shown(figure: &str, value: i64, shop: &Shop) -> String {
    let is_amount = figure.ends_with("_minor") || figure.starts_with("tenders.");
    if is_amount { shop.amount(value) } else { value.to_string() }
}

fn advice(cure: Cure) -> &'static str {
    match cure {
        Cure::AnswerTodo => "Answer what is on the to-do list.",
        Cure::LookAtPrinter => "Look at the printer; the rest prints by itself.",
        Cure::CompareWithPos => "Compare with the POS's own list.",
        Cure::FindFlowNumber => "Find out where it went.",
        Cure::Recount => "Count again, or keep the reason.",
        Cure::SetClock => "Set the clock.",
        Cure::WaitForNetwork => "See that there is a network; they are sent by themselves.",
        Cure::AnswerRecords => "See tillctl cloud records.",
        Cure::CompareWithCloud => "Compare with the head office's own list.",
    }
}
