//! What a printer says back.

use bolero::check;
use tillroll_escpos::status::{BLOCK_MAX, Reply, ReplyParser};

use crate::inputs::Inputs;

/// The replies of a stream that arrives in pieces of so many bytes.
fn replies(stream: &[u8], piece: usize) -> Vec<Reply> {
    let (mut parser, mut replies) = (ReplyParser::new(), Vec::new());
    for bytes in stream.chunks(piece) {
        parser.push(bytes, &mut replies);
    }
    replies
}

/// Bytes of the stream that a reply holds.
fn held(reply: &Reply) -> usize {
    if let Reply::Text(text) = reply {
        return text.len();
    }
    let (Reply::Block { body, .. } | Reply::Offline(body)) = reply else { return 1 };
    body.len()
}

/// What must hold of every reader of a stream.
fn hold_together(stream: &[u8], replies: impl Fn(&[u8], usize) -> Vec<Reply>) {
    let whole = replies(stream, stream.len().max(1));
    assert_eq!(replies(stream, 1), whole);
    assert_eq!(replies(stream, 3), whole);
    assert!(whole.len() <= stream.len());
    assert!(whole.iter().all(|reply| held(reply) <= BLOCK_MAX));
}

/// A reader that forgets what it had of a reply when the next piece comes: wrong on purpose.
pub fn forgetful_replies_hold_together(stream: &[u8]) {
    let forgetful = |stream: &[u8], piece| {
        stream.chunks(piece).flat_map(|bytes| replies(bytes, bytes.len())).collect()
    };
    hold_together(stream, forgetful);
}

#[test]
fn replies_do_not_depend_on_how_the_stream_arrives_and_are_bounded() {
    let inputs = Inputs::to("what a printer says");
    check!().for_each(|stream: &[u8]| {
        inputs.hold(|| hold_together(stream, replies));
    });
}

#[test]
fn token_is_confirmed_only_by_its_own_bytes_in_the_stream() {
    let inputs = Inputs::to("proof of a printer");
    check!().for_each(|stream: &[u8]| {
        inputs.hold(|| {
            // Flow control may stand between any two bytes of a block.
            let said: Vec<u8> =
                stream.iter().copied().filter(|b| !matches!(b, 0x11 | 0x13)).collect();
            for reply in replies(stream, stream.len().max(1)) {
                let Reply::Token([a, b, c, d]) = reply else { continue };
                let block = [0x37, 0x22, a, b, c, d, 0];
                assert!(said.windows(block.len()).any(|bytes| bytes == block), "{block:02x?}");
            }
        });
    });
}
