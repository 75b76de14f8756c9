//! Commands that begin with GS: sizes, codes, pictures, cuts, status.

use super::{Command, Effect, Rest, Stop};
use crate::raw::What;

/// Two bytes choose the function of a graphics or symbol command.
const FUNCTION_LEN: usize = 2;
/// Characters that a bar code ended by NUL takes at most (Epson GS k reference).
const BAR_CODE_MAX: usize = 255;
const STATUS_REQUEST: Effect = Effect::Remove(What::StatusRequest);

pub(super) fn next(rest: Rest<'_>) -> Result<Command, Stop> {
    match rest.byte(1)? {
        b'a' | b'j' => rest.fixed(3, Effect::Remove(What::StatusBack)),
        b'r' | b'I' => rest.fixed(3, STATUS_REQUEST),
        // GS g 0 sets a maintenance counter to zero, GS g 2 reads one.
        b'g' if matches!(rest.byte(2)?, b'0' | b'2') => rest.fixed(6, STATUS_REQUEST),
        b'!' | b'B' | b'H' | b'T' | b'b' | b'f' | b'h' | b'w' => rest.fixed(3, Effect::Mode),
        b'$' | b'L' | b'P' | b'W' | b'\\' => rest.fixed(4, Effect::Mode),
        // GS / prints the downloaded picture, GS c the running number.
        b'/' => rest.fixed(3, Effect::BlockInk),
        b'c' => rest.fixed(2, Effect::LineInk),
        b'V' => cut(rest),
        b'k' => bar_code(rest),
        b'v' => raster(rest),
        b'*' => rest.picture(4, 8 * square(rest)?, Effect::Mode),
        b'(' => with_length(rest),
        b'8' => with_long_length(rest),
        _ => Err(Stop::Unknown),
    }
}

/// `GS * x y`: the picture has x times y times 8 bytes.
fn square(rest: Rest<'_>) -> Result<usize, Stop> {
    Ok(usize::from(rest.byte(2)?) * usize::from(rest.byte(3)?))
}

/// `GS V m`, and `GS V m n` where the paper is fed first.
fn cut(rest: Rest<'_>) -> Result<Command, Stop> {
    match rest.byte(2)? {
        0 | 1 | b'0' | b'1' => rest.fixed(3, Effect::Cut),
        65 | 66 | 97 | 98 | 103 | 104 => rest.fixed(4, Effect::Cut),
        _ => Err(Stop::Unknown),
    }
}

/// `GS k m d... NUL` (function A) and `GS k m n d...` (function B).
fn bar_code(rest: Rest<'_>) -> Result<Command, Stop> {
    match rest.byte(2)? {
        0..=6 => rest.nul_ended(3, BAR_CODE_MAX, Effect::BlockInk),
        65..=79 => rest.fixed(4 + usize::from(rest.byte(3)?), Effect::BlockInk),
        _ => Err(Stop::Unknown),
    }
}

/// `GS v 0 m xL xH yL yH d(x*y)`.
fn raster(rest: Rest<'_>) -> Result<Command, Stop> {
    if rest.byte(2)? != b'0' {
        return Err(Stop::Unknown);
    }
    rest.picture(8, rest.word(4)? * rest.word(6)?, Effect::BlockInk)
}

/// `GS ( x pL pH ...`.
///
/// The test print, user settings and memory functions are not in the grammar: some reset the device,
/// some answer, none belongs on a receipt.
fn with_length(rest: Rest<'_>) -> Result<Command, Stop> {
    let size = rest.word(3)?;
    let effect = match rest.byte(2)? {
        b'H' => STATUS_REQUEST,
        b'L' => return graphics(rest, 5, size),
        b'k' if size >= FUNCTION_LEN => symbol(rest)?,
        // Lines and boxes of page mode.
        b'Q' => Effect::LineInk,
        b'D' | b'K' | b'N' | b'P' => Effect::Mode,
        _ => return Err(Stop::Unknown),
    };
    rest.fixed(5 + size, effect)
}

/// `GS 8 L p1 p2 p3 p4 ...`: graphics with a length of four bytes.
fn with_long_length(rest: Rest<'_>) -> Result<Command, Stop> {
    if rest.byte(2)? != b'L' {
        return Err(Stop::Unknown);
    }
    let (low, high) = (rest.word(3)?, rest.word(5)?);
    graphics(rest, 7, high << 16 | low)
}

/// Graphics: `m fn ...` from `at` on, `size` bytes in all.
fn graphics(rest: Rest<'_>, at: usize, size: usize) -> Result<Command, Stop> {
    /// `m fn a bx by c xL xH yL yH` before the picture.
    const RASTER_HEAD: usize = 10;
    if size < FUNCTION_LEN {
        return Err(Stop::Unknown);
    }
    let len = at.checked_add(size).ok_or(Stop::Truncated)?;
    match rest.byte(at + 1)? {
        // Capacities and lists of keys.
        0 | 3 | 4 | 48 | 51 | 52 | 64 | 80 => rest.fixed(len, STATUS_REQUEST),
        2 | 50 | 69 | 85 => rest.fixed(len, Effect::BlockInk),
        112 if size >= RASTER_HEAD => {
            rest.picture(at + RASTER_HEAD, size - RASTER_HEAD, Effect::Mode)
        }
        _ => rest.fixed(len, Effect::Mode),
    }
}

/// `GS ( k pL pH cn fn ...`: QR and other two-dimensional codes.
fn symbol(rest: Rest<'_>) -> Result<Effect, Stop> {
    Ok(match rest.byte(6)? {
        81 => Effect::BlockInk,
        82 => STATUS_REQUEST,
        _ => Effect::Mode,
    })
}
