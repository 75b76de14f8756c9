//! How a virtual printer behaves: what it answers, how fast it is, whom it lets in.

use std::{str::FromStr, time::Duration};

use crate::{
    device::Device,
    effect::Question,
    paper::{Element, RollLimit},
};

/// Classes of printers by what they can prove about a job, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Personality {
    /// Answers everything, job tokens included.
    Token,
    /// Knows no tokens; answers in order and counts cuts and lines.
    Counter,
    /// Answers in order, counts nothing.
    InOrder,
    /// Tells its status now and on change, nothing about the job.
    Realtime,
    /// Never answers.
    Silent,
}

impl Personality {
    /// Every personality, strongest first.
    pub const ALL: [Self; 5] =
        [Self::Token, Self::Counter, Self::InOrder, Self::Realtime, Self::Silent];

    /// Its name, as [`FromStr`] reads it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Token => "token",
            Self::Counter => "counter",
            Self::InOrder => "in_order",
            Self::Realtime => "realtime",
            Self::Silent => "silent",
        }
    }

    /// Whether it answers real-time status and reports changes.
    pub(crate) fn reports_status(self) -> bool {
        self != Self::Silent
    }

    /// Whether it answers the question at all.
    pub(crate) fn answers(self, question: Question) -> bool {
        match question {
            Question::Token(_) => self == Self::Token,
            Question::Counter(_) => matches!(self, Self::Token | Self::Counter),
            Question::Paper | Question::Drawer | Question::PaperByEscV | Question::Identity(_) => {
                matches!(self, Self::Token | Self::Counter | Self::InOrder)
            }
        }
    }
}

impl FromStr for Personality {
    type Err = UnknownPersonality;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|personality| personality.name() == name);
        found.ok_or_else(|| UnknownPersonality(name.into()))
    }
}

/// Not the name of a personality.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("unknown personality {0:?}: expected token, counter, in_order, realtime or silent")]
pub struct UnknownPersonality(String);

/// How many hosts may be connected over the network at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Connections {
    /// Any number; their bytes mix.
    Many,
    /// One; the next is not served until it closes (Epson UB-E02).
    OneThenWait,
    /// One; others are turned away.
    OneThenRefuse,
}

/// Everything about a virtual printer that does not change while it runs.
#[derive(Debug, Clone)]
pub struct Behaviour {
    /// The model.
    pub device: Device,
    /// What it answers.
    pub personality: Personality,
    /// Receive buffer in bytes; a full buffer closes the window to the host.
    pub buffer_bytes: usize,
    /// Print speed; `None` prints in no time.
    pub dots_per_second: Option<u32>,
    /// Time one cut takes.
    pub cut_time: Duration,
    /// Effects interpreted ahead of the print head. Above 0, in-order status is answered when
    /// interpreted, before the print data in front of it is on paper, as many firmwares do.
    pub print_ahead: usize,
    /// Time between a question and its answer.
    pub answer_delay: Duration,
    /// Knows `DLE DC4` fn 8, clear buffers.
    pub clear_buffer: bool,
    /// Keeps tokens that could not be sent and sends them to the next host.
    pub keep_answers: bool,
    /// Reports status changes without being asked from power on, as network boards do.
    pub reports_at_power_on: bool,
    /// Network connections at once.
    pub connections: Connections,
    /// Receive buffer of the TCP stack in bytes, beside the printer's own; `None` leaves it to the
    /// operating system, which takes far more than a printer board.
    pub tcp_window: Option<u32>,
    /// What the roll remembers.
    pub roll: RollLimit,
    /// Received bytes remembered; the oldest beyond it are forgotten.
    pub journal_bytes: usize,
}

impl Behaviour {
    /// An 80 mm printer of that personality, printing in no time, with a 4 KiB buffer.
    pub fn new(personality: Personality) -> Self {
        Self {
            device: Device::mm80(),
            personality,
            buffer_bytes: 4096,
            dots_per_second: None,
            cut_time: Duration::ZERO,
            print_ahead: 0,
            answer_delay: Duration::ZERO,
            clear_buffer: matches!(personality, Personality::Token | Personality::Counter),
            keep_answers: false,
            reports_at_power_on: false,
            connections: Connections::OneThenWait,
            tcp_window: Some(16 << 10),
            roll: RollLimit::default(),
            journal_bytes: 16 << 20,
        }
    }

    /// Print time of an element.
    pub(crate) fn print_time(&self, element: &Element) -> Duration {
        match self.dots_per_second {
            Some(speed) if speed > 0 => {
                Duration::from_secs_f64(f64::from(element.height()) / f64::from(speed))
            }
            _ => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for personality in Personality::ALL {
            assert_eq!(personality.name().parse(), Ok(personality));
        }
        assert!("mute".parse::<Personality>().is_err());
    }
}
