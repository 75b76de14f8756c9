//! `pair`: joins the register to a head office.

use clap::Args;
use tillroll_register::view::PairCloudBody;

use super::cloud::write_status;
use crate::cli::Desk;
use crate::failure::Failure;

/// Pairs the register with a head office by the one-time code it shows.
///
/// The code counts once. An earlier pairing is replaced; what was not sent yet goes to the new one.
#[derive(Debug, Args)]
pub struct Pair {
    /// The one-time code, as the head office shows it.
    code: String,
    /// The address of the head office's dispatcher; https, unless it runs on this machine.
    #[arg(long)]
    url: String,
    /// Print the API's JSON.
    #[arg(long)]
    json: bool,
}

impl Pair {
    /// Does it.
    ///
    /// # Errors
    /// [`Failure::Refused`] when the code does not count or the head office is not reached.
    pub async fn run(self, desk: &Desk<'_>) -> Result<(), Failure> {
        let body = PairCloudBody { url: self.url, code: self.code };
        let answer = desk.api.post(&["cloud", "pair"], &body).await?;
        if self.json {
            return desk.output.line(answer.text());
        }
        write_status(&answer.read()?, &desk.shop, desk.output)
    }
}
