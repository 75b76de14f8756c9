//! A conversation with one device over one open link: what it said is sorted, what is asked is answered
//! within a limit.
//!
//! One request is outstanding at a time. Whatever the device says unasked (status blocks, late
//! tokens) is taken in on the way and never lost.

mod hello;
mod job;
mod patience;
mod proof;

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use tillroll_domain::printer::StopReason;
use tillroll_escpos::command;
use tillroll_escpos::status::{Condition, RealtimeQuery, Reply, ReplyParser};
use tokio::time::{Instant, timeout_at};

use crate::device::Link;

pub(crate) use self::hello::{Hello, greet};
pub(crate) use self::job::{Delivery, Progress};

/// Tokens kept for a late proof.
const TOKENS_KEPT: usize = 64;
/// Replies kept for whoever asks next; of a device that says more, the oldest are forgotten.
const HEARD_KEPT: usize = 64;
/// Parts of what a device has said that are taken in before a job; one that talks on is heard later.
const PARTS_DRAINED: usize = 64;

/// The link is gone: closed by the device, reset, or in error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Broken {
    /// The device closed its side.
    #[error("the device closed the connection")]
    Closed,
    /// The link failed.
    #[error("the link failed: {0}")]
    Io(#[from] io::Error),
    /// The device answered the first questions and no others: a cable was pulled meanwhile.
    #[error("the device fell silent")]
    Silent,
}

/// What the device counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counters {
    pub lines: i64,
    pub cuts: i64,
}

/// An open link and everything the device said over it.
pub(crate) struct Session {
    link: Link,
    parser: ReplyParser,
    heard: VecDeque<Reply>,
    /// When the device last said anything; at first, when the link was opened.
    heard_at: Instant,
    asked: Option<RealtimeQuery>,
    /// What it last said about itself.
    pub condition: Condition,
    /// Tokens it answered with, oldest first, bounded.
    pub tokens: VecDeque<[u8; 4]>,
    /// What it had counted after the last job, where it counts.
    pub counters: Option<Counters>,
    /// It answers real-time questions.
    pub answers_realtime: bool,
    /// Whether it answered in order when it was last asked to before a job; `None` when it never was.
    pub answers_in_order: Option<bool>,
    /// It is in a known state and its counters are known; else it is prepared before the next job.
    pub prepared: bool,
    /// It may be in the middle of a command of a job before.
    pub torn: bool,
    /// A question in order stayed unanswered: its answer may still come, and is not the next one's.
    pub owes: bool,
}

impl Session {
    pub(crate) fn new(link: Link) -> Self {
        Self {
            link,
            parser: ReplyParser::default(),
            heard: VecDeque::new(),
            heard_at: Instant::now(),
            asked: None,
            condition: Condition::default(),
            tokens: VecDeque::new(),
            counters: None,
            answers_realtime: false,
            answers_in_order: None,
            prepared: false,
            torn: false,
            owes: false,
        }
    }

    /// Whether the device has a way to answer.
    pub(crate) fn can_reply(&self) -> bool {
        self.link.can_reply()
    }

    /// Why it does not print now.
    pub(crate) fn blocked(&self) -> Option<StopReason> {
        self.condition.block()
    }

    /// For how long the device has said nothing.
    pub(crate) fn silence(&self) -> Duration {
        self.heard_at.elapsed()
    }

    /// Closes in order.
    ///
    /// # Errors
    /// The end of what was written may be lost.
    pub(crate) async fn finish(self, limit: Duration) -> io::Result<()> {
        self.link.finish(limit).await
    }

    /// Gives the link up: unsent bytes are thrown away.
    pub(crate) fn abort(self) {
        self.link.abort();
    }

    /// Waits until the device says something, and takes it in.
    pub(crate) async fn listen(&mut self) -> Result<(), Broken> {
        let mut bytes = [0; 512];
        let read = self.link.read(&mut bytes).await;
        self.take_in(read, &bytes)
    }

    /// Takes in what the device has said already, without a wait.
    ///
    /// # Errors
    /// The link is known to be gone: a job given to it now would be lost.
    pub(crate) async fn drain(&mut self) -> Result<(), Broken> {
        for _ in 0..PARTS_DRAINED {
            tokio::select! {
                biased;
                heard = self.listen() => heard?,
                () = std::future::ready(()) => break,
            }
        }
        Ok(())
    }

    fn take_in(&mut self, read: io::Result<usize>, bytes: &[u8]) -> Result<(), Broken> {
        match read? {
            0 => Err(Broken::Closed),
            count => {
                self.heard_at = Instant::now();
                let mut replies = Vec::new();
                self.parser.push(&bytes[..count], &mut replies);
                replies.into_iter().for_each(|reply| self.hear(reply));
                Ok(())
            }
        }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "every other reply is kept for whoever asked"
    )]
    fn hear(&mut self, reply: Reply) {
        match reply {
            Reply::Asb(asb) => self.condition.take_asb(asb),
            Reply::Token(token) => keep(&mut self.tokens, token, TOKENS_KEPT),
            Reply::Realtime(answer) => {
                if let Some(query) = self.asked.take() {
                    self.condition.take_realtime(query, answer);
                    self.answers_realtime = true;
                }
            }
            // No answer to anything.
            Reply::Foreign(_) => {}
            reply => keep(&mut self.heard, reply, HEARD_KEPT),
        }
    }

    /// Sends everything, taking in what the device says meanwhile. Bounded by the device's own stall limit.
    pub(crate) async fn send(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        let mut sent = 0;
        let mut said = [0; 512];
        while sent < bytes.len() {
            let (reader, writer) = self.link.split();
            tokio::select! {
                biased;
                read = reader.read(&mut said) => self.take_in(read, &said)?,
                written = writer.write_some(&bytes[sent..]) => sent += written?,
            }
        }
        Ok(())
    }

    /// Listens until `found` finds what it waits for, within the limit. `None` when it does not come.
    pub(crate) async fn expect<T>(
        &mut self,
        limit: Duration,
        mut found: impl FnMut(&mut Self) -> Option<T>,
    ) -> Result<Option<T>, Broken> {
        let deadline = Instant::now() + limit;
        loop {
            if let Some(answer) = found(self) {
                return Ok(Some(answer));
            }
            match timeout_at(deadline, self.listen()).await {
                Ok(heard) => heard?,
                Err(_elapsed) => return Ok(None),
            }
        }
    }

    /// Takes the first reply that fits out of what was heard.
    pub(crate) fn take<T>(&mut self, fits: impl Fn(&Reply) -> Option<T>) -> Option<T> {
        let at = self.heard.iter().position(|reply| fits(reply).is_some())?;
        fits(&self.heard.remove(at)?)
    }

    /// Forgets replies nobody waits for; tokens and condition stay.
    pub(crate) fn forget(&mut self) {
        self.heard.clear();
        self.asked = None;
    }

    /// Asks one real-time question; whether it was answered.
    pub(crate) async fn ask_realtime(
        &mut self,
        query: RealtimeQuery,
        limit: Duration,
    ) -> Result<bool, Broken> {
        self.asked = Some(query);
        self.send(&command::realtime_status(query.n())).await?;
        let answered = self.expect(limit, |session| session.asked.is_none().then_some(())).await?;
        self.asked = None;
        Ok(answered.is_some())
    }

    /// Asks every real-time question; whether the device still answers. Not every device knows every
    /// question, but all that answer know the first.
    pub(crate) async fn ask_condition(&mut self, limit: Duration) -> Result<bool, Broken> {
        for query in RealtimeQuery::ALL {
            let first = query == RealtimeQuery::Printer;
            let answered = self.ask_realtime(query, limit).await?;
            if !answered && (first || !self.is_there(limit).await?) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the device answers in real time.
    pub(crate) async fn is_there(&mut self, limit: Duration) -> Result<bool, Broken> {
        self.ask_realtime(RealtimeQuery::Printer, limit).await
    }

    /// Asks one counter (Epson `GS g 2`), in order with the data.
    async fn ask_counter(&mut self, number: u8, limit: Duration) -> Result<Option<i64>, Broken> {
        self.send(&command::counter(number)).await?;
        let count = self.expect(limit, |session| session.take(Reply::counter)).await?;
        self.owes |= count.is_none();
        Ok(count.and_then(|count| i64::try_from(count).ok()))
    }

    /// Asks what the device has counted; `None` when it does not count or does not answer.
    pub(crate) async fn ask_counters(&mut self, limit: Duration) -> Result<(), Broken> {
        self.counters = None;
        let Some(lines) = self.ask_counter(command::COUNTER_LINES, limit).await? else {
            return Ok(());
        };
        let cuts = self.ask_counter(command::COUNTER_CUTS, limit).await?;
        self.counters = cuts.map(|cuts| Counters { lines, cuts });
        Ok(())
    }
}

/// Keeps the newest.
fn keep<T>(kept: &mut VecDeque<T>, newest: T, most: usize) {
    kept.push_back(newest);
    if kept.len() > most {
        kept.pop_front();
    }
}
