//! Commands that begin with FS: double-byte characters and stored pictures.

use super::{Command, Effect, Rest, Stop};
use crate::raw::What;

pub(super) fn next(rest: Rest<'_>) -> Result<Command, Stop> {
    match rest.byte(1)? {
        b'&' | b'.' => rest.fixed(2, Effect::Mode),
        b'!' | b'-' | b'C' | b'W' => rest.fixed(3, Effect::Mode),
        b'S' | b'?' => rest.fixed(4, Effect::Mode),
        // FS p n m: prints a stored picture.
        b'p' => rest.fixed(4, Effect::BlockInk),
        b'q' => stored_pictures(rest),
        b'g' if rest.byte(2)? == b'2' => rest.fixed(10, Effect::Remove(What::StatusRequest)),
        b'(' => with_length(rest),
        _ => Err(Stop::Unknown),
    }
}

/// `FS q n [xL xH yL yH d(x*y*8)]...`.
fn stored_pictures(rest: Rest<'_>) -> Result<Command, Stop> {
    let mut len = 3;
    for _ in 0..rest.byte(2)? {
        let size = rest.word(len)?.saturating_mul(rest.word(len + 2)?).saturating_mul(8);
        len = len.saturating_add(4).saturating_add(size);
    }
    rest.fixed(len, Effect::Mode)
}

/// `FS ( x pL pH ...`.
fn with_length(rest: Rest<'_>) -> Result<Command, Stop> {
    let effect = match rest.byte(2)? {
        // FS ( A: font of double-byte characters.
        b'A' => Effect::Mode,
        // FS ( e: automatic status of options.
        b'e' => Effect::Remove(What::StatusBack),
        _ => return Err(Stop::Unknown),
    };
    rest.fixed(5 + rest.word(3)?, effect)
}
