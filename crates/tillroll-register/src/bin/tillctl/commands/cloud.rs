//! `cloud`: how the register stands with the head office, and the manager's list of records.

mod records;

use clap::{Args, Subcommand};
use reqwest::Method;
use tillroll_register::view::{
    CloudState, CloudStatusView, RecordVerb, RecordsAnswered, RecordsBody,
};

pub use self::records::write_records;
use crate::cli::Desk;
use crate::failure::Failure;
use crate::output::{Output, Tone};
use crate::shop::Shop;
use crate::words::counted;

/// Shows how the register stands with the head office.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Cloud {
    /// Print the API's JSON.
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Tries for a connection now, also after a refusal.
    Retry,
    /// Ends the pairing. What was not sent waits for the next one.
    Unpair,
    /// Lists records that were refused, and records that only the head office has.
    Records {
        /// Print the API's JSON.
        #[arg(long)]
        json: bool,
    },
    /// Sends refused records again.
    SendAgain {
        /// Their numbers on the list.
        #[arg(required = true, value_name = "NUMBER")]
        ids: Vec<i64>,
    },
    /// Gives refused records up: they are not sent any more.
    GiveUp {
        /// Their numbers on the list.
        #[arg(required = true, value_name = "NUMBER")]
        ids: Vec<i64>,
        /// Why.
        #[arg(long)]
        reason: String,
    },
    /// Says that records only the head office has were compared with the POS.
    Compared {
        /// Their numbers on the list.
        #[arg(required = true, value_name = "NUMBER")]
        ids: Vec<i64>,
        /// What came of it.
        #[arg(long)]
        reason: String,
    },
}

impl Cloud {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] with what cannot be.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        match self.action {
            None => show(self.json, desk).await,
            Some(Action::Retry) => {
                let answer = desk.api.act(Method::POST, &["cloud", "retry"]).await?;
                write_status(&answer.read()?, &desk.shop, desk.output)
            }
            Some(Action::Unpair) => {
                desk.api.act(Method::DELETE, &["cloud"]).await?;
                desk.output.line("this register is not paired any more")
            }
            Some(Action::Records { json }) => list(json, desk).await,
            Some(Action::SendAgain { ids }) => {
                answer(RecordVerb::SendAgain, RecordsBody { ids, reason: None }, desk).await
            }
            Some(Action::GiveUp { ids, reason }) => {
                answer(RecordVerb::GiveUp, RecordsBody { ids, reason: Some(reason) }, desk).await
            }
            Some(Action::Compared { ids, reason }) => {
                answer(RecordVerb::Compared, RecordsBody { ids, reason: Some(reason) }, desk).await
            }
        }
    }
}

async fn show(json: bool, desk: &Desk<'_>) -> Result<(), Failure> {
    let answer = desk.api.get(&["cloud"]).await?;
    if json {
        return desk.output.line(answer.text());
    }
    write_status(&answer.read()?, &desk.shop, desk.output)
}

async fn list(json: bool, desk: &Desk<'_>) -> Result<(), Failure> {
    let answer = desk.api.get(&["cloud", "records"]).await?;
    if json {
        return desk.output.line(answer.text());
    }
    let records: tillroll_register::view::CloudRecordsView = answer.read()?;
    if records.parked.is_empty() && records.cloud_only.is_empty() {
        return desk.output.line(desk.output.paint(Tone::Good, "no record waits for you"));
    }
    write_records(&records.parked, &records.cloud_only, &desk.shop, desk.output)
}

async fn answer(verb: RecordVerb, body: RecordsBody, desk: &Desk<'_>) -> Result<(), Failure> {
    let answer = desk.api.post(&["cloud", "records", verb.as_str()], &body).await?;
    let RecordsAnswered { answered } = answer.read()?;
    let told = counted(i64::try_from(answered).unwrap_or(i64::MAX), "record");
    desk.output.line(match verb {
        RecordVerb::SendAgain => format!("{told} will be sent again"),
        RecordVerb::GiveUp => format!("{told} given up"),
        RecordVerb::Compared => format!("{told} off the list"),
    })
}

/// Writes how the register stands with the head office.
///
/// # Errors
/// When it cannot be written.
pub fn write_status(cloud: &CloudStatusView, shop: &Shop, output: &Output) -> Result<(), Failure> {
    output.line(output.paint(tone_of(cloud.state), connection(cloud, shop)))?;
    if cloud.state != CloudState::NotPaired {
        let name = cloud.store_name.as_deref().unwrap_or("?");
        output.line(format_args!("store: {name}, at {}", cloud.url.as_deref().unwrap_or("?")))?;
    }
    output.line(unsent(cloud, shop))?;
    if cloud.refused_records > 0 {
        let refused = counted(cloud.refused_records, "record");
        let text = format!("{refused} refused; see: tillctl cloud records");
        output.line(output.paint(Tone::Bad, text))?;
    }
    if let Some(drift) = cloud.drift_ms.filter(|_| cloud.clock_is_wrong) {
        let way = if drift > 0 { "behind" } else { "ahead of" };
        let minutes = counted((drift.abs() / 60_000).max(1), "minute");
        let text = format!("the clock is {minutes} {way} the head office's: set it");
        output.line(output.paint(Tone::Bad, text))?;
    }
    if !cloud.names_taken.is_empty() {
        let names = cloud.names_taken.join(", ");
        let text = format!("another register of the store has printers of these names: {names}");
        output.line(output.paint(Tone::Warn, text))?;
    }
    match &cloud.upload_error {
        Some(error) => output.line(format_args!("the last upload failed: {error}")),
        None => Ok(()),
    }
}

fn connection(cloud: &CloudStatusView, shop: &Shop) -> String {
    let since = cloud.since.map(|at| format!(" since {}", shop.moment(at))).unwrap_or_default();
    let cause = cloud.cause.as_ref().map(|cause| format!(": {cause}")).unwrap_or_default();
    match cloud.state {
        CloudState::NotPaired => "not paired; pair with: tillctl pair CODE --url URL".to_owned(),
        CloudState::Connecting => "connecting".to_owned(),
        CloudState::Online => format!("online{since}"),
        CloudState::Offline => format!("offline{since}{cause}"),
        CloudState::Refused => format!("refused{since}{cause}"),
    }
}

fn unsent(cloud: &CloudStatusView, shop: &Shop) -> String {
    match cloud.oldest_unsent_at {
        None => "everything is sent".to_owned(),
        Some(oldest) => {
            let unsent = counted(cloud.unsent, "record");
            format!("{unsent} not yet sent, the oldest of {}", shop.moment(oldest))
        }
    }
}

fn tone_of(state: CloudState) -> Tone {
    match state {
        CloudState::Online => Tone::Good,
        CloudState::NotPaired | CloudState::Connecting => Tone::Plain,
        CloudState::Offline => Tone::Warn,
        CloudState::Refused => Tone::Bad,
    }
}
