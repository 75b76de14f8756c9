//! What a printer can prove, found out at set-up by asking it, and stored.
//!
//! The probe feeds and cuts a short piece of paper. A device that counts must have counted exactly that; `GS r`
//! behind it is timed, since a device that answers before it can have moved the paper does not answer
//! in order.

use std::time::Duration;

use tillroll_domain::printer::{ConfirmationLevel, StopReason};
use tillroll_escpos::command;
use tillroll_escpos::status::Reply;
use tokio::time::Instant;

use crate::device::{self, DeviceUri, OpenError, VirtualPrinters};
use crate::session::{Broken, Counters, Session};
use crate::timings::Timings;

/// Lines fed before the cut: at 200 mm/s and 8 dots/mm this takes over 50 ms on any thermal printer.
const FED_LINES: u8 = 4;
/// The token asked for; any four characters do.
const TOKEN: [u8; 4] = *b"till";

/// What a printer answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probed {
    /// What it can prove.
    pub level: ConfirmationLevel,
    /// Its maker, where it tells.
    pub maker: Option<String>,
    /// Its model, where it tells.
    pub model: Option<String>,
    /// It answers real-time status.
    pub realtime: bool,
    /// It counts lines and cuts, and counted those of the probe.
    pub counts: bool,
    /// It answers `GS r`, but before it can have printed: not in order.
    pub answers_too_soon: bool,
    /// Why it cannot print now, where it tells; the probe is then incomplete.
    pub blocked: Option<StopReason>,
}

impl Probed {
    /// A printer that answered nothing.
    fn nothing() -> Self {
        Self {
            level: ConfirmationLevel::Silent,
            maker: None,
            model: None,
            realtime: false,
            counts: false,
            answers_too_soon: false,
            blocked: None,
        }
    }
}

/// Why the probe came to nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The device cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The link broke in the middle.
    #[error("the link broke during the probe")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<Broken> for ProbeError {
    fn from(broken: Broken) -> Self {
        Self::Broken(Box::new(broken))
    }
}

/// Asks a printer what it can prove. It must not be in use.
///
/// # Errors
/// [`ProbeError`] when it cannot be reached or the link breaks.
pub async fn probe(
    uri: &DeviceUri,
    timings: &Timings,
    virtuals: &VirtualPrinters,
) -> Result<Probed, ProbeError> {
    let link = device::open(uri, &timings.device, virtuals).await?;
    let mut session = Session::new(link);
    let probed = ask(&mut session, timings).await?;
    // What was fed is all there was to lose.
    let _ = session.finish(timings.device.close).await;
    Ok(probed)
}

async fn ask(session: &mut Session, timings: &Timings) -> Result<Probed, Broken> {
    let answer = timings.answer;
    let mut probed = Probed::nothing();
    if !session.can_reply() {
        return Ok(probed);
    }
    probed.realtime = session.ask_condition(answer).await?;
    if probed.realtime {
        probed.level = ConfirmationLevel::Realtime;
    }
    probed.blocked = session.blocked();
    if probed.blocked.is_some() {
        return Ok(probed);
    }
    probed.maker = ask_text(session, &command::GS_I_MAKER, answer).await?;
    probed.model = ask_text(session, &command::GS_I_MODEL, answer).await?;
    session.ask_counters(answer).await?;
    let before = session.counters;
    let in_order = ask_in_order(session, answer).await?;
    probed.answers_too_soon = in_order.is_some_and(|waited| waited < timings.fastest_cut);
    session.ask_counters(answer).await?;
    probed.counts = has_counted(before, session.counters);
    if ask_token(session, answer).await? {
        probed.level = ConfirmationLevel::Token;
    } else if in_order.is_some() && probed.counts {
        probed.level = ConfirmationLevel::Counter;
    } else if in_order.is_some() && !probed.answers_too_soon {
        probed.level = ConfirmationLevel::InOrder;
    }
    Ok(probed)
}

/// Whether the counters moved by what the probe fed and cut. Counted in order with it, so that the time
/// of an answer does not matter.
fn has_counted(before: Option<Counters>, after: Option<Counters>) -> bool {
    match (before, after) {
        (Some(before), Some(after)) => after.lines > before.lines && after.cuts == before.cuts + 1,
        (None, _) | (_, None) => false,
    }
}

async fn ask_text(
    session: &mut Session,
    question: &[u8],
    answer: Duration,
) -> Result<Option<String>, Broken> {
    session.forget();
    session.send(question).await?;
    let text =
        |reply: &Reply| if let Reply::Text(text) = reply { Some(text.clone()) } else { None };
    session.expect(answer, |session| session.take(text)).await
}

/// Feeds, cuts and asks in order; how long the answer took.
async fn ask_in_order(session: &mut Session, answer: Duration) -> Result<Option<Duration>, Broken> {
    session.forget();
    let mut bytes = command::feed_lines(FED_LINES).to_vec();
    bytes.extend(command::cut_partial_feed());
    bytes.extend(command::GS_R_PAPER);
    let asked = Instant::now();
    session.send(&bytes).await?;
    let in_order = |reply: &Reply| matches!(reply, Reply::InOrder(_)).then_some(());
    let answered = session.expect(answer, |session| session.take(in_order)).await?;
    Ok(answered.map(|()| asked.elapsed()))
}

async fn ask_token(session: &mut Session, answer: Duration) -> Result<bool, Broken> {
    session.send(&command::token(TOKEN)).await?;
    let heard = |session: &mut Session| session.tokens.contains(&TOKEN).then_some(());
    Ok(session.expect(answer, heard).await?.is_some())
}
