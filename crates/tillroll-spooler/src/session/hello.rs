//! The first words on a new link: is it there, can it print, what has it counted; and after a torn job,
//! a known state first.

use std::time::Duration;

use tillroll_domain::printer::ConfirmationLevel;
use tillroll_escpos::command;
use tillroll_escpos::status::Reply;

use super::{Broken, Session};
use crate::device::Link;

/// So many NULs end a question that was torn on an earlier link, which would swallow the first one here.
const LONGEST_QUESTION: usize = 16;

/// What a new link begins with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hello {
    /// What the device can prove.
    pub level: ConfirmationLevel,
    /// A job before this link was cut off: the device may wait for the rest of a command.
    pub torn: bool,
    /// The device left questions in order unanswered, on this link or an earlier one.
    pub owed: bool,
    /// It may count; one that does not is not asked again and again.
    pub counts: bool,
    /// Limit of each answer.
    pub answer: Duration,
    /// So many NULs end any command a torn job left open.
    pub longest_command: usize,
}

/// Greets a device. Afterwards its condition and counters are known, as far as it tells them; whether its
/// buffer was cleared on the way is the second part of the answer.
///
/// A device that says it cannot print is not prepared: it works nothing off. Whoever waits for it
/// prepares it then.
pub(crate) async fn greet(link: Link, hello: Hello) -> Result<(Session, bool), Broken> {
    let mut session = Session::new(link);
    session.torn = hello.torn;
    let mut cleared = false;
    if session.can_reply() && hello.level != ConfirmationLevel::Silent {
        if hello.torn || hello.owed {
            session.send(&[0; LONGEST_QUESTION]).await?;
        }
        cleared = session.torn && session.clear(hello.answer).await?;
        session.torn &= !cleared;
        let answers = session.ask_condition(hello.answer).await?;
        if session.answers_realtime && !answers {
            // What it told first would be believed for ever on a link that tells nothing any more.
            return Err(Broken::Silent);
        }
        session.answers_realtime = answers;
    }
    if session.blocked().is_none() {
        session.prepare(hello).await?;
    } else if !session.torn {
        // Worked off when it goes on, which its automatic status then tells.
        session.send(&initialisation(hello.level)).await?;
    }
    session.forget();
    Ok((session, cleared))
}

/// Initialises a device; one that answers then tells its status by itself.
pub(super) fn initialisation(level: ConfirmationLevel) -> Vec<u8> {
    match level {
        ConfirmationLevel::Silent => command::ESC_AT.to_vec(),
        ConfirmationLevel::Token
        | ConfirmationLevel::Counter
        | ConfirmationLevel::InOrder
        | ConfirmationLevel::Realtime => [&command::ESC_AT[..], &command::GS_A_ALL].concat(),
    }
}

impl Session {
    /// Brings a device that works its buffer off to a known state, and learns what it has counted.
    pub(crate) async fn prepare(&mut self, hello: Hello) -> Result<(), Broken> {
        // What came before answers nothing that is asked here.
        self.forget();
        if self.torn {
            self.send(&vec![0; hello.longest_command]).await?;
        }
        if self.torn || hello.level != ConfirmationLevel::Silent {
            self.send(&initialisation(hello.level)).await?;
        }
        let owed = self.torn || hello.owed || self.owes;
        match hello.level {
            ConfirmationLevel::Token | ConfirmationLevel::Counter => {
                if owed {
                    self.synchronise(owed, hello.answer).await?;
                }
                if hello.counts {
                    self.count(hello.answer).await?;
                }
            }
            ConfirmationLevel::InOrder => self.synchronise(owed, hello.answer).await?,
            ConfirmationLevel::Realtime | ConfirmationLevel::Silent => {}
        }
        // One that is blocked by now answered nothing in order.
        (self.torn, self.prepared) = (false, self.blocked().is_none());
        Ok(())
    }

    /// Erases the device's buffers in real time; whether it knows how.
    async fn clear(&mut self, answer: Duration) -> Result<bool, Broken> {
        self.send(&command::clear_buffer()).await?;
        let cleared = |reply: &Reply| matches!(reply, Reply::Cleared).then_some(());
        let cleared = self.expect(answer, |session| session.take(cleared)).await?.is_some();
        // What came before answers a question that was torn, or asked on an earlier link.
        self.forget();
        Ok(cleared)
    }

    /// Learns what the device has counted. One that fell silent is gone, unlike one that does not count.
    async fn count(&mut self, answer: Duration) -> Result<(), Broken> {
        self.ask_counters(answer).await?;
        if self.answers_realtime && self.counters.is_none() {
            self.answers_realtime = self.is_there(answer).await?;
        }
        Ok(())
    }

    /// A device that answers in order must answer before it is given a job. Answers it still owes come
    /// first, and must not be taken for those to later questions: so it is heard until it says no more.
    async fn synchronise(&mut self, owed: bool, answer: Duration) -> Result<(), Broken> {
        self.forget();
        self.send(&command::GS_R_PAPER).await?;
        let answered = self.says_in_order(answer).await?;
        while owed && self.says_in_order(answer).await? {}
        (self.answers_in_order, self.owes) = (Some(answered), !answered);
        self.forget();
        Ok(())
    }

    /// Whether the device says something in order within the limit.
    async fn says_in_order(&mut self, limit: Duration) -> Result<bool, Broken> {
        let said =
            |reply: &Reply| matches!(reply, Reply::InOrder(_) | Reply::Text(_)).then_some(());
        Ok(self.expect(limit, |session| session.take(said)).await?.is_some())
    }
}
