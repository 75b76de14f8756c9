//! Faults that can be armed on a virtual printer.

use std::{str::FromStr, time::Duration};

use super::link::Fate;

/// One way to fail. Byte counts run from the moment the fault is armed, over all connections, and
/// the answer to the last counted byte is lost where the link or the power ends with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The cable is pulled: the host sees nothing at all, no end and no reset.
    CutLinkAfterBytes(u64),
    /// The connection is reset.
    ResetAfterBytes(u64),
    /// The connection is closed in order.
    CloseAfterBytes(u64),
    /// No byte is taken any more, the connection stays.
    StopReadingAfter(u64),
    /// The paper ends when that many bytes were received.
    PaperEndAfterBytes(u64),
    /// The paper ends when that many lines were printed.
    PaperEndAfterLines(u64),
    /// The power goes: buffers are lost, the host sees nothing, nobody can connect.
    PowerOffAfterBytes(u64),
    /// Answers are lost on their way.
    MuteReplies,
    /// At most that many bytes are taken in each period.
    SlowReading {
        /// Bytes taken at once.
        bytes: usize,
        /// Pause after them.
        per: Duration,
    },
    /// Answers that confirm print data come that much later.
    LateConfirmation(Duration),
    /// Nobody can connect.
    RefuseConnections,
    /// After a connection ends nobody is served for that long.
    LingerAfterClose(Duration),
}

/// Not a fault.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error(
    "bad fault {0:?}: expected NAME=N with one of cut-link-after-bytes, reset-after-bytes, \
     close-after-bytes, stop-reading-after, paper-end-after-bytes, paper-end-after-lines, \
     power-off-after-bytes; slow-reading=BYTES/MS, late-confirmation=MS, linger-after-close=MS, \
     mute-replies or refuse-connections"
)]
pub struct BadFault(String);

impl FromStr for Fault {
    type Err = BadFault;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| BadFault(text.into()))
    }
}

fn parse(text: &str) -> Option<Fault> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let count = || value.parse().ok();
    let time = |ms: &str| ms.parse().ok().map(Duration::from_millis);
    Some(match name {
        "cut-link-after-bytes" => Fault::CutLinkAfterBytes(count()?),
        "reset-after-bytes" => Fault::ResetAfterBytes(count()?),
        "close-after-bytes" => Fault::CloseAfterBytes(count()?),
        "stop-reading-after" => Fault::StopReadingAfter(count()?),
        "paper-end-after-bytes" => Fault::PaperEndAfterBytes(count()?),
        "paper-end-after-lines" => Fault::PaperEndAfterLines(count()?),
        "power-off-after-bytes" => Fault::PowerOffAfterBytes(count()?),
        "slow-reading" => {
            let (bytes, per) = value.split_once('/')?;
            Fault::SlowReading { bytes: bytes.parse().ok().filter(|n| *n > 0)?, per: time(per)? }
        }
        "late-confirmation" => Fault::LateConfirmation(time(value)?),
        "linger-after-close" => Fault::LingerAfterClose(time(value)?),
        "mute-replies" if value.is_empty() => Fault::MuteReplies,
        "refuse-connections" if value.is_empty() => Fault::RefuseConnections,
        _ => return None,
    })
}

/// What happens when a counting fault has counted to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strike {
    Link(Fate),
    StopReading,
    PaperEnd,
    PowerOff,
}

/// A limit on reading.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) bytes: usize,
    pub(crate) per: Duration,
}

/// The armed faults. Those that count bytes strike once, the others last.
#[derive(Debug, Default)]
pub(crate) struct Armed {
    counting: Vec<(u64, Strike)>,
    pub(crate) mute: bool,
    pub(crate) pace: Option<Pace>,
    pub(crate) late_confirmation: Option<Duration>,
    pub(crate) refuse: bool,
    pub(crate) linger: Option<Duration>,
}

/// Counting faults armed at once.
const MAX_COUNTING: usize = 64;

impl Armed {
    /// Arms a fault; `PaperEndAfterLines` is the machine's to count.
    pub(crate) fn arm(&mut self, fault: Fault) {
        match fault {
            Fault::CutLinkAfterBytes(bytes) => self.count_to(bytes, Strike::Link(Fate::Sever)),
            Fault::ResetAfterBytes(bytes) => self.count_to(bytes, Strike::Link(Fate::Reset)),
            Fault::CloseAfterBytes(bytes) => self.count_to(bytes, Strike::Link(Fate::Close)),
            Fault::StopReadingAfter(bytes) => self.count_to(bytes, Strike::StopReading),
            Fault::PaperEndAfterBytes(bytes) => self.count_to(bytes, Strike::PaperEnd),
            Fault::PowerOffAfterBytes(bytes) => self.count_to(bytes, Strike::PowerOff),
            Fault::PaperEndAfterLines(_) => {}
            Fault::MuteReplies => self.mute = true,
            Fault::SlowReading { bytes, per } => self.pace = Some(Pace { bytes, per }),
            Fault::LateConfirmation(delay) => self.late_confirmation = Some(delay),
            Fault::RefuseConnections => self.refuse = true,
            Fault::LingerAfterClose(time) => self.linger = Some(time),
        }
    }

    /// Bytes until the next counting fault strikes.
    pub(crate) fn bytes_left(&self) -> Option<u64> {
        self.counting.iter().map(|(left, _)| *left).min()
    }

    /// Counts received bytes; what strikes with the last of them.
    pub(crate) fn count(&mut self, bytes: u64) -> Vec<Strike> {
        for (left, _) in &mut self.counting {
            *left = left.saturating_sub(bytes);
        }
        self.counting.extract_if(.., |(left, _)| *left == 0).map(|(_, strike)| strike).collect()
    }

    fn count_to(&mut self, bytes: u64, strike: Strike) {
        if self.counting.len() < MAX_COUNTING {
            self.counting.push((bytes, strike));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_from_text() {
        assert_eq!("reset-after-bytes=40".parse(), Ok(Fault::ResetAfterBytes(40)));
        let slow = Fault::SlowReading { bytes: 4096, per: Duration::from_millis(50) };
        assert_eq!("slow-reading=4096/50".parse(), Ok(slow));
        assert_eq!("mute-replies".parse(), Ok(Fault::MuteReplies));
        for bad in ["", "reset-after-bytes", "slow-reading=0/5", "mute-replies=1", "fire=1"] {
            assert!(bad.parse::<Fault>().is_err(), "{bad}");
        }
    }

    #[test]
    fn counting_fault_fires_once_at_its_byte() {
        let mut armed = Armed::default();
        armed.arm(Fault::ResetAfterBytes(3));
        assert_eq!(armed.bytes_left(), Some(3));
        assert_eq!(armed.count(2), []);
        assert_eq!(armed.count(1), [Strike::Link(Fate::Reset)]);
        assert_eq!(armed.bytes_left(), None);
    }
}
