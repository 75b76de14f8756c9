//! Lengths of ESC/POS commands (Epson ESC/POS command reference, one page a command).

use crate::control::{DC4, DLE, ENQ, EOT, ESC, FS, GS};

/// Tab stops that `ESC D` takes at most.
const MAX_TAB_STOPS: usize = 32;
/// Characters that a NUL-terminated barcode takes at most.
const MAX_BARCODE: usize = 255;

/// How many bytes the command beginning with `bytes` has, as far as they tell.
///
/// More than `bytes.len()`: at least that many are needed to know or to be complete. Equal: the
/// command is complete. Fewer: what came first is a command by itself, the rest is not part of it.
pub(super) fn required(bytes: &[u8]) -> u64 {
    match bytes {
        [DLE | ESC | FS | GS] => 2,
        [DLE, ..] => dle(bytes),
        [ESC, ..] => esc(bytes),
        [FS, ..] => fs(bytes),
        [GS, ..] => gs(bytes),
        _ => 1,
    }
}

fn dle(bytes: &[u8]) -> u64 {
    match bytes {
        [_, EOT | ENQ | DC4] => 3,
        [_, EOT, 7 | 8 | 18, ..] => 4,
        [_, EOT | ENQ, ..] => 3,
        [_, DC4, 1 | 2, ..] => 5,
        [_, DC4, 3, ..] => 8,
        [_, DC4, 7, ..] => 4,
        [_, DC4, 8, ..] => 10,
        [_, DC4, ..] => 3,
        _ => 1,
    }
}

fn esc(bytes: &[u8]) -> u64 {
    match bytes[1] {
        b'2' | b'<' | b'@' | b'L' | b'S' | b'i' | b'm' | b'v' | 0x0C => 2,
        b'$' | b'\\' | b'c' | b'B' => 4,
        b'p' => 5,
        b'W' => 10,
        b'D' => nul_terminated(bytes, 2, MAX_TAB_STOPS),
        b'(' => with_length16(bytes, 3),
        b'*' => column_image(bytes),
        b'&' => user_characters(bytes),
        b' ' | b'!' | b'%' | b'-' | b'3' | b'=' | b'?' | b'E' | b'G' | b'J' | b'K' | b'M'
        | b'R' | b'T' | b'U' | b'V' | b'a' | b'd' | b'e' | b'r' | b't' | b'u' | b'{' => 3,
        _ => 2,
    }
}

fn fs(bytes: &[u8]) -> u64 {
    match bytes[1] {
        b'!' | b'-' | b'C' | b'W' => 3,
        b'S' | b'p' | b'?' => 4,
        b'2' => 76,
        b'(' => with_length16(bytes, 3),
        b'q' => nv_images(bytes),
        b'g' => match bytes {
            [_, _, b'1', ..] => with_length16(bytes, 8),
            [_, _, b'2', ..] => 10,
            _ => 3,
        },
        _ => 2,
    }
}

fn gs(bytes: &[u8]) -> u64 {
    match bytes[1] {
        b'!' | b'/' | b'B' | b'E' | b'H' | b'I' | b'T' | b'a' | b'b' | b'f' | b'h' | b'j'
        | b'r' | b'w' => 3,
        b'$' | b'L' | b'P' | b'W' | b'\\' => 4,
        b'^' | b'z' => 5,
        b'(' => with_length16(bytes, 3),
        b'8' => with_length32(bytes),
        b'*' => downloaded_image(bytes),
        b'C' => counter_print(bytes),
        b'V' => cut(bytes),
        b'g' => status_counter(bytes),
        b'k' => barcode(bytes),
        b'v' => raster_image(bytes),
        b'Q' => raster_image(bytes),
        _ => 2,
    }
}

/// `pL pH` at `at`, then that many bytes.
fn with_length16(bytes: &[u8], at: usize) -> u64 {
    let header = at + 2;
    match bytes.get(at..header) {
        Some(length) => header as u64 + u16_at(length, 0),
        None => header as u64,
    }
}

/// `GS 8 L p1 p2 p3 p4` and that many bytes.
fn with_length32(bytes: &[u8]) -> u64 {
    match bytes {
        [_, _, _, a, b, c, d, ..] => 7 + u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        _ => 7,
    }
}

/// Parameters from `at` up to NUL, `limit` of them at most.
fn nul_terminated(bytes: &[u8], at: usize, limit: usize) -> u64 {
    let parameters = &bytes[at.min(bytes.len())..];
    let ended = parameters.last() == Some(&0) || parameters.len() > limit;
    bytes.len() as u64 + u64::from(!ended)
}

/// `ESC * m nL nH` and one or three bytes a column.
fn column_image(bytes: &[u8]) -> u64 {
    match bytes {
        [_, _, mode, low, high, ..] => {
            let column = if matches!(mode, 32 | 33) { 3 } else { 1 };
            5 + column * u64::from(u16::from_le_bytes([*low, *high]))
        }
        _ => 5,
    }
}

/// `ESC & y c1 c2 [x d1..d(y*x)]` for each code from c1 to c2.
fn user_characters(bytes: &[u8]) -> u64 {
    let [_, _, rows, first, last, ..] = bytes else { return 5 };
    let mut end = 5;
    for _ in *first..=*last {
        match bytes.get(end) {
            Some(columns) => end += 1 + usize::from(*rows) * usize::from(*columns),
            None => return end as u64 + 1,
        }
    }
    end as u64
}

/// `FS q n [xL xH yL yH d1..d(x*y*8)]`, n times.
fn nv_images(bytes: &[u8]) -> u64 {
    let Some(count) = bytes.get(2) else { return 3 };
    let mut end = 3;
    for _ in 0..*count {
        let header = usize::try_from(end).unwrap_or(usize::MAX);
        match bytes.get(header..header.saturating_add(4)) {
            Some(size) => end += 4 + u16_at(size, 0) * u16_at(size, 2) * 8,
            None => return end + 4,
        }
    }
    end
}

/// `GS * x y d1..d(x*y*8)`.
fn downloaded_image(bytes: &[u8]) -> u64 {
    match bytes {
        [_, _, x, y, ..] => 4 + u64::from(*x) * u64::from(*y) * 8,
        _ => 4,
    }
}

/// `GS C 0 n m`, `GS C 1 aL aH bL bH n r`, `GS C 2 nL nH`.
fn counter_print(bytes: &[u8]) -> u64 {
    match bytes {
        [_, _, b'0' | b'2', ..] => 5,
        [_, _, b'1', ..] => 9,
        _ => 3,
    }
}

/// `GS V m`, with a feed amount for the functions that feed.
fn cut(bytes: &[u8]) -> u64 {
    match bytes {
        [_, _, 65 | 66 | 97 | 98 | 103 | 104, ..] => 4,
        _ => 3,
    }
}

/// `GS g 0 m nL nH` and `GS g 2 m nL nH`.
fn status_counter(bytes: &[u8]) -> u64 {
    match bytes {
        [_, _, b'0' | b'2', ..] => 6,
        _ => 3,
    }
}

/// `GS k m d1..dk NUL` (m up to 6) or `GS k m n d1..dn` (m from 65).
fn barcode(bytes: &[u8]) -> u64 {
    match bytes {
        [_, _, 0..=6, ..] => nul_terminated(bytes, 3, MAX_BARCODE),
        [_, _, 65..=79, count, ..] => 4 + u64::from(*count),
        [_, _, 65..=79] => 4,
        _ => 3,
    }
}

/// `GS v 0 m xL xH yL yH d1..d(x*y)`; `GS Q 0` has the same header.
fn raster_image(bytes: &[u8]) -> u64 {
    match bytes {
        [_, _, b'0'] => 8,
        [_, _, b'0', _, size @ ..] if size.len() >= 4 => 8 + u16_at(size, 0) * u16_at(size, 2),
        [_, _, b'0', ..] => 8,
        _ => 3,
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u64 {
    u64::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]))
}
