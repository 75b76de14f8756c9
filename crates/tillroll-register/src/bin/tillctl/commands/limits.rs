//! `limits`: may an action be done now?

use clap::Subcommand;
use reqwest::Method;
use tillroll_domain::limits::Action;
use tillroll_register::view::{LimitAnswer, PromotionBody};

use crate::cli::Desk;
use crate::failure::Failure;

/// Asks the limits that guard against runaway programs.
#[derive(Debug, Subcommand)]
pub enum Limits {
    /// Asks for one call of an action; it counts when it is allowed. Exits with 1 when it is not.
    Ask {
        /// scan, pay, refund or sync.
        action: Action,
        /// Print the API's JSON.
        #[arg(long)]
        json: bool,
    },
    /// Widens the limits for a while; they end their widening by themselves.
    Promotion {
        /// The limits in percent of the usual ones, 100 to 1000.
        #[arg(long, default_value_t = 150)]
        percent: u32,
        /// How long, in seconds, up to a day.
        #[arg(long, value_name = "SECONDS", default_value_t = 7_200)]
        lasts_s: u64,
    },
}

impl Limits {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Limited`] when the action is not allowed now.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        match self {
            Self::Ask { action, json } => ask(action, json, desk).await,
            Self::Promotion { percent, lasts_s } => {
                let body = PromotionBody { percent: Some(percent), lasts_s: Some(lasts_s) };
                desk.api.call(Method::PUT, &["limits", "promotion"], &body).await?;
                desk.output.line(format_args!("limits are at {percent} % for {lasts_s} s"))
            }
        }
    }
}

async fn ask(action: Action, json: bool, desk: &Desk<'_>) -> Result<(), Failure> {
    let answer = desk.api.act(Method::POST, &["limits", action.as_str()]).await?;
    let LimitAnswer { allowed, remaining, low, retry_after_ms } = answer.read()?;
    if json {
        desk.output.line(answer.text())?;
    } else if allowed {
        let low = if low { ", few" } else { "" };
        desk.output.line(format_args!("{} is allowed; {remaining} left{low}", action.as_str()))?;
    } else {
        let word = action.as_str();
        desk.output.line(format_args!("{word} is not allowed; again in {retry_after_ms} ms"))?;
    }
    if allowed { Ok(()) } else { Err(Failure::Limited) }
}
