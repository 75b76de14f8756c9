//! What state the device says it is in, merged from its answers, and the one reason worth showing.

use tillroll_domain::printer::StopReason;

use super::Asb;

/// Which `DLE EOT n` was asked: the answer alone does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RealtimeQuery {
    /// `n` = 1: online or offline.
    Printer,
    /// `n` = 2: why it is offline.
    OfflineCause,
    /// `n` = 3: which error.
    ErrorCause,
    /// `n` = 4: the paper sensors.
    RollPaper,
}

impl RealtimeQuery {
    /// Every query, in the order to ask them: one at a time, or answers may come out of order
    /// (Epson, notes on real-time commands).
    pub const ALL: [Self; 4] =
        [Self::Printer, Self::OfflineCause, Self::ErrorCause, Self::RollPaper];

    /// The `n` of `DLE EOT n`.
    #[must_use]
    pub fn n(self) -> u8 {
        match self {
            Self::Printer => 1,
            Self::OfflineCause => 2,
            Self::ErrorCause => 3,
            Self::RollPaper => 4,
        }
    }
}

/// What the device last said about itself. Each fact holds until an answer that carries it says else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Condition {
    /// Takes no print data.
    pub offline: bool,
    /// Cover open.
    pub cover_open: bool,
    /// The paper end sensor sees no paper.
    pub paper_end: bool,
    /// Printing was stopped because the paper ended.
    pub stopped_by_paper_end: bool,
    /// The near end sensor, where there is one, sees little paper.
    pub paper_near_end: bool,
    /// The feed button is held down, or feeds.
    pub feed_button: bool,
    /// It waits for a key to come back online.
    pub waiting_for_recovery: bool,
    /// Some error; `DLE EOT 3` tells which.
    pub error: bool,
    /// An error that a command or a key ends.
    pub recoverable_error: bool,
    /// The cutter is stuck.
    pub cutter_error: bool,
    /// An error that only switching off and on ends.
    pub unrecoverable_error: bool,
    /// An error that ends by itself: the head is hot, or the cover was opened while printing.
    pub auto_recoverable_error: bool,
    /// Level of pin 3 of the drawer connector. What it means depends on the drawer.
    pub drawer_pin3_high: bool,
}

impl From<Asb> for Condition {
    fn from(asb: Asb) -> Self {
        let [printer, error, paper, _] = asb.bytes();
        Self {
            drawer_pin3_high: any(printer, 0x04),
            offline: any(printer, 0x08),
            cover_open: any(printer, 0x20),
            feed_button: any(printer, 0x40) || any(error, 0x02),
            waiting_for_recovery: any(error, 0x01),
            recoverable_error: any(error, 0x04),
            cutter_error: any(error, 0x08),
            unrecoverable_error: any(error, 0x20),
            auto_recoverable_error: any(error, 0x40),
            error: any(error, 0x6c),
            paper_near_end: any(paper, 0x03),
            paper_end: any(paper, 0x0c),
            stopped_by_paper_end: false,
        }
    }
}

impl Condition {
    /// Takes a status block: it says everything, so it replaces everything.
    pub fn take_asb(&mut self, asb: Asb) {
        *self = asb.into();
    }

    /// Takes the answer to a `DLE EOT` (bits: Epson `DLE EOT` reference).
    pub fn take_realtime(&mut self, query: RealtimeQuery, answer: u8) {
        match query {
            RealtimeQuery::Printer => {
                self.drawer_pin3_high = any(answer, 0x04);
                self.offline = any(answer, 0x08);
                self.waiting_for_recovery = any(answer, 0x20);
                self.feed_button = any(answer, 0x40);
            }
            RealtimeQuery::OfflineCause => {
                self.cover_open = any(answer, 0x04);
                self.feed_button = any(answer, 0x08);
                self.stopped_by_paper_end = any(answer, 0x20);
                self.error = any(answer, 0x40);
            }
            RealtimeQuery::ErrorCause => {
                self.recoverable_error = any(answer, 0x04);
                self.cutter_error = any(answer, 0x08);
                self.unrecoverable_error = any(answer, 0x20);
                self.auto_recoverable_error = any(answer, 0x40);
            }
            RealtimeQuery::RollPaper => {
                self.paper_near_end = any(answer, 0x0c);
                self.paper_end = any(answer, 0x60);
            }
        }
    }

    /// Why the device does not print, the most useful reason first; `None` when nothing stops it.
    ///
    /// The open cover comes before the paper: with the cover open the paper end bit may be wrong
    /// (Epson `GS r` reference). Errors that new paper would not end come before the paper, too.
    #[must_use]
    pub fn block(&self) -> Option<StopReason> {
        let reasons = [
            (self.cover_open, StopReason::CoverOpen),
            (self.unrecoverable_error, StopReason::UnrecoverableError),
            (self.cutter_error, StopReason::CutterError),
            (self.paper_end || self.stopped_by_paper_end, StopReason::PaperEnd),
            (self.recoverable_error, StopReason::RecoverableError),
            (self.auto_recoverable_error, StopReason::HeadHot),
            (self.is_offline(), StopReason::Offline),
        ];
        reasons.into_iter().find_map(|(stops, reason)| stops.then_some(reason))
    }

    fn is_offline(&self) -> bool {
        self.offline || self.error || self.waiting_for_recovery || self.feed_button
    }
}

fn any(byte: u8, bits: u8) -> bool {
    byte & bits != 0
}
