//! `bank-sim`: a simulated bank that splits can be paid to.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use tillroll_dispatcher::bank_sim::{BankFaults, BankOptions, BankSim as Bank};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_dispatcher::payments::PaymentSecret;
use tillroll_machine::StopSignals;

use crate::failure::Failure;
use crate::{logs, output};

const FAULTS: &str = "\
While it runs its faults are changed with PUT /admin/faults, and shown with GET:
  {\"down\":false,\"delay_ms\":0,\"jitter_ms\":0,\"lose_requests\":0,\"lose_answers\":0,\"late\":0,
   \"late_ms\":0,\"busy\":0,\"frozen\":[\"agent:A7\"],\"no_balance\":false}

The line on standard output:
  {\"listening\":\"127.0.0.1:9330\"}";

/// Runs a simulated bank with a ledger of its own; it moves no money.
#[derive(Debug, Args)]
#[command(after_long_help = FAULTS)]
pub struct BankSim {
    /// The folder of its ledger; made where it is missing.
    #[arg(long, value_name = "DIR")]
    ledger: PathBuf,
    /// Where it listens. Port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9330")]
    listen: SocketAddr,
    /// The secret shared with the dispatcher: whsec_ and base64.
    #[arg(long, env = "TILLROLL_BANK_SECRET", hide_env_values = true, value_parser = secret)]
    secret: PaymentSecret,
    /// It answers after so many milliseconds.
    #[arg(long, default_value_t = 0)]
    delay_ms: u32,
    /// And after up to so many more.
    #[arg(long, default_value_t = 0)]
    jitter_ms: u32,
    /// Percent of the requests that are lost.
    #[arg(long, default_value_t = 0)]
    lose_requests: u32,
    /// Percent of the answers that are lost.
    #[arg(long, default_value_t = 0)]
    lose_answers: u32,
    /// Percent of the payments that are made late.
    #[arg(long, default_value_t = 0)]
    late: u32,
    /// How many milliseconds late.
    #[arg(long, default_value_t = 0)]
    late_ms: u32,
}

fn secret(text: &str) -> Result<PaymentSecret, String> {
    PaymentSecret::try_from(text.to_owned()).map_err(|error| error.to_string())
}

/// The one line on standard output.
#[derive(Serialize)]
struct Listening {
    listening: SocketAddr,
}

impl BankSim {
    /// Runs until a signal comes.
    ///
    /// # Errors
    /// [`Failure::Bank`]; trouble after that is logged.
    pub async fn run(self) -> Result<(), Failure> {
        let mut signals = StopSignals::listen().map_err(Failure::system("listen for signals"))?;
        logs::start()?;
        let no_secret = || Failure::Usage("name the secret with --secret".to_owned());
        let faults = BankFaults {
            delay_ms: self.delay_ms,
            jitter_ms: self.jitter_ms,
            lose_requests: self.lose_requests,
            lose_answers: self.lose_answers,
            late: self.late,
            late_ms: self.late_ms,
            ..BankFaults::default()
        };
        let options = BankOptions {
            data: self.ledger,
            listen: self.listen,
            seal: self.secret.seal().ok_or_else(no_secret)?,
            faults,
            clock: Arc::new(SystemClock),
            random: || getrandom::u32().unwrap_or_default(),
        };
        let bank = Bank::start(options).await?;
        output::json(&Listening { listening: bank.address() })?;
        signals.next().await;
        bank.stop().await;
        Ok(())
    }
}
