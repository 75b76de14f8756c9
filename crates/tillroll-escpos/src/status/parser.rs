//! The push parser: any split of the stream gives the same replies, and a tear gives no confirmation.

use super::{Asb, Reply};

/// Longest block between first byte and NUL: `GS I` texts have up to 80 bytes (Epson reference).
pub const BLOCK_MAX: usize = 80;

const NUL: u8 = 0x00;
const XON: u8 = 0x11;
const XOFF: u8 = 0x13;
/// First bytes of blocks that end with NUL (Epson reference, Appendix G).
const BLOCK_HEADERS: [u8; 6] = [0x35, 0x37, 0x39, 0x3b, 0x3d, TEXT_HEADER];
const RESPONSE_HEADER: u8 = 0x37;
const POWER_HEADER: u8 = 0x3b;
const TEXT_HEADER: u8 = 0x5f;
/// Second bytes of blocks that start with 37h.
const PROCESS_ID: u8 = 0x22;
const OFFLINE: u8 = 0x23;
const CLEAR: u8 = 0x25;
/// Star's echo of `ESC GS ETX 1`; document id, counter and NUL follow (StarPRNT specification).
const STAR_ECHO: [u8; 4] = [0x1b, 0x1d, 0x03, 0x01];
const STAR_LEN: usize = 8;

/// Cuts the stream of a device into replies. It holds at most [`BLOCK_MAX`] bytes.
///
/// After noise or a torn reply the parser is *out of step*: a byte that looks like an answer to `GS r`
/// may then be the rest of something else, so it is reported as [`Reply::Foreign`] until a whole
/// status block, NUL-ended block or Star echo shows the step again, or [`ReplyParser::reset`] is called.
#[derive(Debug, Default)]
pub struct ReplyParser {
    part: Vec<u8>,
    out_of_step: bool,
}

impl ReplyParser {
    /// A parser at the start of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts anew: on a new connection, or after the input was discarded *and stayed quiet*. On a line
    /// cut in the middle of a status block the rest of the block would read as answers.
    pub fn reset(&mut self) {
        self.part.clear();
        self.out_of_step = false;
    }

    /// Bytes held of a reply that has begun.
    #[cfg(test)]
    pub(super) fn part_len(&self) -> usize {
        self.part.len()
    }

    /// Takes the next bytes and appends the replies they complete, at most one a byte.
    pub fn push(&mut self, bytes: &[u8], replies: &mut Vec<Reply>) {
        for &byte in bytes {
            self.take(byte, replies);
        }
    }

    fn take(&mut self, byte: u8, replies: &mut Vec<Reply>) {
        let in_star_echo = self.part.first() == Some(&STAR_ECHO[0]);
        // Flow control may stand inside anything but a Star echo, whose id and count are free bytes.
        if matches!(byte, XON | XOFF) && !in_star_echo {
            return;
        }
        match self.part.first().copied() {
            None => self.begin(byte, replies),
            Some(header) if header == STAR_ECHO[0] => self.go_on_star(byte, replies),
            Some(header) if Asb::starts_with(header) => self.go_on_asb(byte, replies),
            Some(header) => self.go_on_block(header, byte, replies),
        }
    }

    fn begin(&mut self, byte: u8, replies: &mut Vec<Reply>) {
        let begins_more =
            BLOCK_HEADERS.contains(&byte) || byte == STAR_ECHO[0] || Asb::starts_with(byte);
        if begins_more {
            self.part.push(byte);
        } else if byte & 0x93 == 0x12 {
            replies.push(Reply::Realtime(byte));
        } else if byte & 0x90 == 0 && !self.out_of_step {
            replies.push(Reply::InOrder(byte));
        } else {
            self.lose_step(byte, replies);
        }
    }

    fn go_on_asb(&mut self, byte: u8, replies: &mut Vec<Reply>) {
        if !Asb::continues_with(byte) {
            return self.tear(byte, replies);
        }
        self.part.push(byte);
        if let Ok(bytes) = <[u8; 4]>::try_from(self.part.as_slice()) {
            self.end(Asb::new(bytes).map_or(Reply::Foreign(bytes[0]), Reply::Asb), replies);
        }
    }

    fn go_on_star(&mut self, byte: u8, replies: &mut Vec<Reply>) {
        let at = self.part.len();
        let wrong_echo = STAR_ECHO.get(at).is_some_and(|expected| *expected != byte);
        if wrong_echo || (at == STAR_LEN - 1 && byte != NUL) {
            return self.tear(byte, replies);
        }
        self.part.push(byte);
        if let [_, _, _, _, n1, n2, counter, _] = *self.part.as_slice() {
            self.end(Reply::StarDocument { document: [n1, n2], counter }, replies);
        }
    }

    fn go_on_block(&mut self, header: u8, byte: u8, replies: &mut Vec<Reply>) {
        match byte {
            NUL => {
                let reply = block_reply(header, &self.part[1..]);
                self.end(reply, replies);
            }
            0x20..=0x7f if self.part.len() <= BLOCK_MAX => self.part.push(byte),
            _ => self.tear(byte, replies),
        }
    }

    fn end(&mut self, reply: Reply, replies: &mut Vec<Reply>) {
        self.part.clear();
        self.out_of_step = false;
        replies.push(reply);
    }

    /// Gives up the reply that had begun and looks at `byte` as the first of another.
    fn tear(&mut self, byte: u8, replies: &mut Vec<Reply>) {
        let header = self.part.first().copied().unwrap_or(byte);
        self.part.clear();
        self.lose_step(header, replies);
        if !matches!(byte, XON | XOFF) {
            self.begin(byte, replies);
        }
    }

    fn lose_step(&mut self, byte: u8, replies: &mut Vec<Reply>) {
        self.out_of_step = true;
        replies.push(Reply::Foreign(byte));
    }
}

fn block_reply(header: u8, body: &[u8]) -> Reply {
    match (header, body) {
        (RESPONSE_HEADER, &[PROCESS_ID, d1, d2, d3, d4]) => Reply::Token([d1, d2, d3, d4]),
        (RESPONSE_HEADER, [OFFLINE, causes @ ..]) if causes.len() <= 10 => {
            Reply::Offline(causes.to_vec())
        }
        (RESPONSE_HEADER, [CLEAR]) => Reply::Cleared,
        (POWER_HEADER, _) => Reply::PowerNotice,
        (TEXT_HEADER, _) => Reply::Text(String::from_utf8_lossy(body).into_owned()),
        _ => Reply::Block { header, body: body.to_vec() },
    }
}
