//! The first words on a new link: is it there, can it print, what has it counted; and after an
//! unresolved attempt, a known state first.

use std::time::Duration;

use tillroll_domain::printer::ConfirmationLevel;
use tillroll_escpos::command;
use tillroll_escpos::status::{RealtimeQuery, Reply};

use super::{Broken, Session};
use crate::device::Link;

/// NULs that end any command a torn job left open: more than the parameters of any of them but a
/// picture's, which one repetition of the hello outlasts in time.
const RESET_NULS: usize = 8_192;

/// What a new link begins with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hello {
    /// What the device can prove.
    pub level: ConfirmationLevel,
    /// An attempt before this link is unresolved: the device may wait for the rest of a command.
    pub unresolved: bool,
    /// Limit of each answer.
    pub answer: Duration,
}

/// Greets a device. Afterwards its condition and counters are known, as far as it tells them; whether its
/// buffer was cleared on the way is the second part of the answer.
pub(crate) async fn greet(link: Link, hello: Hello) -> Result<(Session, bool), Broken> {
    let mut session = Session::new(link);
    let mut cleared = false;
    if hello.unresolved {
        cleared = reset(&mut session, hello).await?;
    }
    if session.can_reply() && hello.level != ConfirmationLevel::Silent {
        introduce(&mut session, hello).await?;
    }
    session.forget();
    Ok((session, cleared))
}

/// Brings a device that may be in the middle of a command to a known state.
async fn reset(session: &mut Session, hello: Hello) -> Result<bool, Broken> {
    let answers = session.can_reply() && hello.level != ConfirmationLevel::Silent;
    if answers {
        session.send(&command::clear_buffer()).await?;
        let cleared = session
            .expect(hello.answer, |session| {
                session.take(|reply| matches!(reply, Reply::Cleared).then_some(()))
            })
            .await?;
        if cleared.is_some() {
            return Ok(true);
        }
    }
    session.send(&[0; RESET_NULS]).await?;
    session.send(&command::ESC_AT).await?;
    Ok(false)
}

async fn introduce(session: &mut Session, hello: Hello) -> Result<(), Broken> {
    session.ask_realtime(RealtimeQuery::OfflineCause, hello.answer).await?;
    match hello.level {
        ConfirmationLevel::Token | ConfirmationLevel::Counter | ConfirmationLevel::InOrder => {
            session.send(&command::ESC_AT).await?;
            session.send(&command::GS_A_ALL).await?;
            if session.answers_realtime {
                session.ask_realtime(RealtimeQuery::RollPaper, hello.answer).await?;
            }
        }
        ConfirmationLevel::Realtime => {
            session.ask_realtime(RealtimeQuery::RollPaper, hello.answer).await?;
        }
        ConfirmationLevel::Silent => {}
    }
    let counts = matches!(hello.level, ConfirmationLevel::Token | ConfirmationLevel::Counter);
    // A device that is blocked works nothing off, so it cannot answer in order.
    if counts && session.blocked().is_none() {
        session.ask_counters(hello.answer).await?;
    }
    Ok(())
}
