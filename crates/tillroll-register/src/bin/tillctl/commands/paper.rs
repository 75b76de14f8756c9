//! `paper`: a virtual printer as a program of its own.

mod archive;
mod control;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use tillroll_escpos::profile::Profile;
use tillroll_machine::StopSignals;
use tillroll_paper::{Behaviour, Device, Fault, Personality, PtyLink, VirtualPrinter};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use self::archive::Archive;
use self::control::{Control, Lines};
use crate::failure::Failure;
use crate::output::Output;

/// Pictures are drawn while the printer rests, so that they do not slow it down.
const REST: Duration = Duration::from_millis(100);

const CONTROL: &str = "\
A line of journal.jsonl:
  {\"number\":1,\"complete\":true,\"cut\":\"partial\",\"blank\":false,\"text_sha256\":\"9f86...\"}

Commands on standard input, a line each; each is answered with a line of JSON:
  paper end | paper near-end | paper ok
  cover open | cover close
  power off | power on
  offline on | offline off
  error cutter | error recoverable | error unrecoverable | error none
  fault NAME | faults clear
  quit

Faults, here and with --fault:
  cut-link-after-bytes=N     the cable is pulled: the other side notices nothing
  reset-after-bytes=N        the connection is reset
  close-after-bytes=N        the connection is closed in order
  stop-reading-after=N       no byte is taken any more
  paper-end-after-bytes=N    the paper ends
  paper-end-after-lines=N    the paper ends after so many printed lines
  power-off-after-bytes=N    the power goes
  slow-reading=BYTES/MS      so many bytes are taken in so many milliseconds
  late-confirmation=MS       answers about print data come later
  linger-after-close=MS      nobody is served for a while after a connection
  mute-replies               answers are lost on their way
  refuse-connections         nobody can connect";

/// Runs a virtual printer and keeps its paper.
///
/// The first line on standard output says where it listens. Each finished ticket becomes NNNN.txt, NNNN.svg
/// and NNNN.png in the folder and a line in its journal.jsonl; a ticket that is not cut off is written when
/// the program ends. It ends on `quit`, on SIGINT and SIGTERM, and when the pipe on its standard input is
/// closed.
#[derive(Debug, Args)]
#[command(after_long_help = CONTROL)]
pub struct Paper {
    /// Where it listens as a network printer. Port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9100")]
    listen: SocketAddr,
    /// What it can prove: token, counter, in_order, realtime or silent.
    #[arg(long, default_value = "token")]
    personality: Personality,
    /// The folder for its paper; made if it is missing. Paper that is there stays.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The model: a name from `printer profiles`.
    #[arg(long, default_value = "virtual", value_parser = profile)]
    profile: &'static Profile,
    /// A fault to begin with. May be repeated.
    #[arg(long = "fault", value_name = "FAULT")]
    faults: Vec<Fault>,
    /// Print speed; without it printing takes no time. A fast printer does 2400 (300 mm/s).
    #[arg(long, value_name = "DOTS_PER_S", value_parser = clap::value_parser!(u32).range(1..))]
    speed: Option<u32>,
    /// Also be a serial printer, on a pseudo terminal that is named on the first line.
    #[arg(long)]
    pty: bool,
    /// Keep text only.
    #[arg(long)]
    no_pictures: bool,
}

/// The first line on standard output.
#[derive(Serialize)]
struct Listening {
    listening: SocketAddr,
    #[serde(skip_serializing_if = "Option::is_none")]
    pty: Option<PathBuf>,
}

impl Paper {
    /// Prints until it is told to end.
    ///
    /// # Errors
    /// When the address or the folder cannot be used.
    pub async fn run(self, output: &Output) -> Result<(), Failure> {
        let mut signals = StopSignals::listen().map_err(Failure::file("listen for", "signals"))?;
        let mut archive = Archive::open(&self.out, !self.no_pictures)?;
        let printer = VirtualPrinter::new(self.behaviour());
        self.faults.iter().for_each(|fault| printer.fault(*fault));
        let listener = self.bind().await?;
        let listening = listener.local_addr().map_err(Failure::file("listen at", "the address"))?;
        let line = self.pty.then(|| printer.serve_pty()).transpose();
        let line = line.map_err(Failure::file("open", "a pseudo terminal"))?;
        let pty = line.as_ref().map(|line: &PtyLink| line.path().to_owned());
        output.json(&Listening { listening, pty })?;
        let stop = CancellationToken::new();
        let serving = tokio::spawn(serve(printer.clone(), listener, stop.clone()));
        let printed = print(&printer, &mut archive, &mut signals, output).await;
        stop.cancel();
        let served = serving.await;
        tracing::debug!(?served, "the network port is closed");
        printed?;
        archive.finish(&printer)
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour {
            device: Device::from(self.profile),
            dots_per_second: self.speed,
            ..Behaviour::new(self.personality)
        }
    }

    async fn bind(&self) -> Result<TcpListener, Failure> {
        let address = self.listen;
        TcpListener::bind(address).await.map_err(|source| Failure::Listen { address, source })
    }
}

async fn serve(printer: VirtualPrinter, listener: TcpListener, stop: CancellationToken) {
    if let Err(error) = printer.serve_tcp(listener, stop.cancelled()).await {
        tracing::error!(%error, "the network port failed");
    }
}

/// Keeps what comes out, and does what it is told, until it is told to end.
async fn print(
    printer: &VirtualPrinter,
    archive: &mut Archive,
    signals: &mut StopSignals,
    output: &Output,
) -> Result<(), Failure> {
    let mut changes = printer.changes();
    let mut lines = Lines::of_stdin();
    loop {
        changes.borrow_and_update();
        archive.take(printer)?;
        tokio::select! {
            () = signals.next() => return Ok(()),
            changed = changes.changed() => if changed.is_err() { return Ok(()) },
            line = lines.next() => {
                let control = line.parse::<Control>();
                if matches!(control, Ok(Control::Quit)) {
                    return Ok(());
                }
                control::answer(&line, control, printer, output);
            }
            () = tokio::time::sleep(REST), if archive.has_undrawn() => archive.draw_next()?,
        }
    }
}

fn profile(name: &str) -> Result<&'static Profile, String> {
    let unknown = || "is no profile; see: tillctl printer profiles".to_owned();
    Profile::named(name).ok_or_else(unknown)
}
