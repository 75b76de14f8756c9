//! The reply table row by row, tears, and what the answers add up to.

use proptest::prelude::*;
use tillroll_domain::printer::StopReason;

use super::*;

fn parse(stream: &[u8]) -> Vec<Reply> {
    let mut replies = Vec::new();
    ReplyParser::new().push(stream, &mut replies);
    replies
}

fn asb(bytes: [u8; 4]) -> Asb {
    Asb::new(bytes).unwrap()
}

#[test]
fn every_row_of_the_reply_table_is_told_apart() {
    let rows: [(&[u8], Vec<Reply>); 17] = [
        (&[0xb0], vec![Reply::Foreign(0xb0)]),
        (&[0x11, 0x13], vec![]),
        (&[0x12], vec![Reply::Realtime(0x12)]),
        (&[0x7e], vec![Reply::Realtime(0x7e)]),
        (&[0x14, 0, 0, 0x0f], vec![Reply::Asb(asb([0x14, 0, 0, 0x0f]))]),
        (&[0x3c, 0x6f, 0x6f, 0x6f], vec![Reply::Asb(asb([0x3c, 0x6f, 0x6f, 0x6f]))]),
        (&[0x00], vec![Reply::InOrder(0)]),
        (&[0x6f], vec![Reply::InOrder(0x6f)]),
        (b"\x37\x22aB~ \0", vec![Reply::Token(*b"aB~ ")]),
        (b"\x37\x23\0", vec![Reply::Offline(vec![])]),
        (b"\x37\x23@B\0", vec![Reply::Offline(b"@B".to_vec())]),
        (b"\x37\x25\0", vec![Reply::Cleared]),
        (b"\x5fTM-T20III\0", vec![Reply::Text("TM-T20III".into())]),
        (b"\x3b0\0", vec![Reply::PowerNotice]),
        (b"\x3d!\0", vec![Reply::Block { header: 0x3d, body: b"!".to_vec() }]),
        (b"\x37\x22abc\0", vec![Reply::Block { header: 0x37, body: b"\x22abc".to_vec() }]),
        (
            &[0x1b, 0x1d, 3, 1, 0x11, 0x13, 7, 0],
            vec![Reply::StarDocument { document: [0x11, 0x13], counter: 7 }],
        ),
    ];
    for (stream, replies) in rows {
        assert_eq!(parse(stream), replies, "{stream:02x?}");
    }
}

#[test]
fn counter_is_one_to_ten_digits() {
    let counter = |text: &str| Reply::Text(text.into()).counter();
    assert_eq!(counter("0"), Some(0));
    assert_eq!(counter("9999999999"), Some(9_999_999_999));
    for text in ["", "12345678901", "+1", "1a", "TM-T20III"] {
        assert_eq!(counter(text), None, "{text}");
    }
    assert_eq!(Reply::InOrder(0).counter(), None);
}

#[test]
fn token_split_over_reads_is_one_token() {
    let (mut parser, mut replies) = (ReplyParser::new(), Vec::new());
    for part in [&b"\x37"[..], b"\x22ab", b"\x13c", b"", b"d"] {
        parser.push(part, &mut replies);
        assert!(replies.is_empty() && parser.part_len() > 0);
    }
    parser.push(b"\0", &mut replies);
    assert_eq!(replies, [Reply::Token(*b"abcd")]);
    assert_eq!(parser.part_len(), 0);
}

#[test]
fn status_block_is_whole_with_flow_control_inside() {
    let replies = parse(&[0x13, 0x1c, 0x11, 0x00, 0x13, 0x0c, 0x11, 0x00, 0x12]);
    assert_eq!(replies, [Reply::Asb(asb([0x1c, 0, 0x0c, 0])), Reply::Realtime(0x12)]);
}

#[test]
fn torn_status_block_never_becomes_an_answer() {
    // A real-time answer cannot stand inside a block: the block was torn, and the rest is not trusted.
    let replies = parse(&[0x1c, 0x00, 0x12, 0x0c, 0x00]);
    let foreign = |byte| Reply::Foreign(byte);
    assert_eq!(replies, [foreign(0x1c), Reply::Realtime(0x12), foreign(0x0c), foreign(0x00)]);
    // First byte ruined on the line.
    assert_eq!(parse(&[0x9c, 0, 0, 0]), [0x9c, 0, 0, 0].map(foreign));
    // One block begins inside another.
    let replies = parse(&[0x1c, 0x00, 0x18, 0, 0, 0, 0x00]);
    let whole = Reply::Asb(asb([0x18, 0, 0, 0]));
    assert_eq!(replies, [foreign(0x1c), whole, Reply::InOrder(0)]);
}

#[test]
fn parser_comes_back_into_step_by_a_whole_reply_or_a_reset() {
    for proof in [&b"\x14\0\0\0"[..], b"\x37\x25\0", b"\x1b\x1d\x03\x01ab\x01\0"] {
        let stream = [&[0xff][..], proof, &[0x00]].concat();
        assert_eq!(parse(&stream).last(), Some(&Reply::InOrder(0)), "{proof:02x?}");
    }
    assert_eq!(parse(&[0xff, 0x12, 0x00]).last(), Some(&Reply::Foreign(0)));
    let (mut parser, mut replies) = (ReplyParser::new(), Vec::new());
    parser.push(&[0xff, 0x37, 0x22], &mut replies);
    parser.reset();
    parser.push(&[0x00], &mut replies);
    assert_eq!(replies, [Reply::Foreign(0xff), Reply::InOrder(0)]);
}

#[test]
fn torn_star_echo_confirms_nothing() {
    let torn: [&[u8]; 3] =
        [&[0x1b, 0x1d, 3, 2, 1, 2, 7, 0], &[0x1b, 0x1d, 3, 1, 1, 2, 7, 8], &[0x1b, 0x00]];
    for stream in torn {
        let replies = parse(stream);
        let confirms = |reply: &Reply| {
            matches!(reply, Reply::StarDocument { .. } | Reply::InOrder(_) | Reply::Token(_))
        };
        assert!(!replies.iter().any(confirms), "{replies:?}");
    }
}

#[test]
fn block_without_an_end_is_given_up_at_its_bound() {
    let mut stream = vec![0x5f];
    stream.extend([b'a'; BLOCK_MAX]);
    stream.push(0);
    assert_eq!(parse(&stream), [Reply::Text("a".repeat(BLOCK_MAX))]);
    stream.insert(1, b'a');
    let replies = parse(&stream);
    assert_eq!(replies[0], Reply::Foreign(0x5f));
    assert!(replies.iter().all(|reply| matches!(reply, Reply::Foreign(_))), "{replies:?}");
}

/// One reply as the device would send it. Star's echo stands apart: flow control is data in it.
fn reply_bytes() -> impl Strategy<Value = Vec<u8>> {
    let block = |body: &'static str| body.prop_map(|body| [body.as_bytes(), b"\0"].concat());
    prop_oneof![
        (0_u8..=255).prop_map(|b| vec![b & 0x6c | 0x12]),
        any::<[u8; 4]>()
            .prop_map(|[a, b, c, d]| { vec![a & 0x6c | 0x10, b & 0x6f, c & 0x6f, d & 0x6f] }),
        (0_u8..=255).prop_map(|b| vec![b & 0x6f]),
        block("7\"[ -~]{4}"),
        block("7#[@-~]{0,10}"),
        block("7%"),
        block("_[ -~]{0,80}"),
        block(";[ -~]{0,4}"),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_split_and_any_flow_control_give_the_same_replies(
        stream in prop::collection::vec(reply_bytes(), 0..12),
        cuts in prop::collection::vec((0_usize..400, any::<bool>()), 0..12),
    ) {
        let bytes = stream.concat();
        let whole = parse(&bytes);
        prop_assert_eq!(whole.len(), stream.len());
        prop_assert!(!whole.iter().any(|reply| matches!(reply, Reply::Foreign(_))));

        let mut cuts: Vec<_> = cuts.iter().map(|(at, on)| (*at.min(&bytes.len()), *on)).collect();
        cuts.sort_unstable();
        let (mut parser, mut replies, mut from) = (ReplyParser::new(), Vec::new(), 0);
        for (at, on) in cuts {
            parser.push(&bytes[from..at], &mut replies);
            parser.push(&[if on { 0x11 } else { 0x13 }], &mut replies);
            from = at;
        }
        parser.push(&bytes[from..], &mut replies);
        prop_assert_eq!(replies, whole);
    }

    #[test]
    fn random_bytes_neither_panic_nor_grow(noise in prop::collection::vec(any::<u8>(), 0..600)) {
        let (mut parser, mut replies) = (ReplyParser::new(), Vec::new());
        parser.push(&noise, &mut replies);
        prop_assert!(replies.len() <= noise.len());
        prop_assert!(parser.part_len() <= BLOCK_MAX + 1);
    }

    #[test]
    fn status_blocks_behind_noise_never_confirm(
        noise in 0x80_u8..=0xff,
        blocks in prop::collection::vec(any::<[u8; 3]>(), 1..5),
    ) {
        // The first header is ruined; the blocks behind it are whole.
        let mut stream = vec![noise];
        for (nth, body) in blocks.iter().enumerate() {
            if nth > 0 {
                stream.push(0x18);
            }
            stream.extend(body.map(|b| b & 0x6f));
        }
        let replies = parse(&stream);
        prop_assert!(!replies.iter().any(|reply| matches!(reply, Reply::InOrder(_))));
        prop_assert_eq!(
            replies.iter().filter(|reply| matches!(reply, Reply::Asb(_))).count(),
            blocks.len() - 1
        );
    }
}

/// A fact of a condition.
type Holds = fn(&Condition) -> bool;

#[test]
fn every_status_bit_has_its_meaning() {
    let rows: [(usize, u8, Holds); 14] = [
        (0, 0x04, |c| c.drawer_pin3_high),
        (0, 0x08, |c| c.offline),
        (0, 0x20, |c| c.cover_open),
        (0, 0x40, |c| c.feed_button),
        (1, 0x01, |c| c.waiting_for_recovery),
        (1, 0x02, |c| c.feed_button),
        (1, 0x04, |c| c.recoverable_error && c.error),
        (1, 0x08, |c| c.cutter_error && c.error),
        (1, 0x20, |c| c.unrecoverable_error && c.error),
        (1, 0x40, |c| c.auto_recoverable_error && c.error),
        (2, 0x01, |c| c.paper_near_end && !c.paper_end),
        (2, 0x02, |c| c.paper_near_end && !c.paper_end),
        (2, 0x04, |c| c.paper_end && !c.paper_near_end),
        (2, 0x08, |c| c.paper_end && !c.paper_near_end),
    ];
    assert_eq!(Condition::from(asb([0x10, 0, 0, 0])), Condition::default());
    for (at, bit, holds) in rows {
        let mut bytes = [0x10, 0, 0, 0];
        bytes[at] |= bit;
        let condition = Condition::from(asb(bytes));
        assert!(holds(&condition), "byte {at} bit {bit:02x}: {condition:?}");
        assert!(!holds(&Condition::default()));
    }
}

#[test]
fn every_realtime_bit_has_its_meaning() {
    use RealtimeQuery::{ErrorCause, OfflineCause, Printer, RollPaper};
    let rows: [(RealtimeQuery, u8, Holds); 15] = [
        (Printer, 0x04, |c| c.drawer_pin3_high),
        (Printer, 0x08, |c| c.offline),
        (Printer, 0x20, |c| c.waiting_for_recovery),
        (Printer, 0x40, |c| c.feed_button),
        (OfflineCause, 0x04, |c| c.cover_open),
        (OfflineCause, 0x08, |c| c.feed_button),
        (OfflineCause, 0x20, |c| c.stopped_by_paper_end),
        (OfflineCause, 0x40, |c| c.error),
        (ErrorCause, 0x04, |c| c.recoverable_error),
        (ErrorCause, 0x08, |c| c.cutter_error),
        (ErrorCause, 0x20, |c| c.unrecoverable_error),
        (ErrorCause, 0x40, |c| c.auto_recoverable_error),
        (RollPaper, 0x0c, |c| c.paper_near_end),
        (RollPaper, 0x60, |c| c.paper_end),
        (RollPaper, 0x6c, |c| c.paper_end && c.paper_near_end),
    ];
    for (query, bits, holds) in rows {
        let mut condition = Condition::default();
        condition.take_realtime(query, 0x12 | bits);
        assert!(holds(&condition), "{query:?} {bits:02x}");
        condition.take_realtime(query, 0x12);
        assert_eq!(condition, Condition::default(), "{query:?}: 12h is all good");
    }
    assert_eq!(RealtimeQuery::ALL.map(RealtimeQuery::n), [1, 2, 3, 4]);
}

#[test]
fn status_block_replaces_what_was_known() {
    let mut condition = Condition::default();
    condition.take_realtime(RealtimeQuery::OfflineCause, 0x32);
    condition.take_realtime(RealtimeQuery::RollPaper, 0x7e);
    assert!(condition.stopped_by_paper_end && condition.paper_end && condition.paper_near_end);
    condition.take_asb(asb([0x10, 0, 0, 0]));
    assert_eq!(condition.block(), None);
}

#[test]
fn most_useful_reason_is_shown() {
    let reason = |bytes| Condition::from(asb(bytes)).block();
    assert_eq!(reason([0x10, 0, 0x03, 0]), None, "little paper does not stop a printer");
    assert_eq!(reason([0x38, 0x40, 0x0c, 0]), Some(StopReason::CoverOpen));
    assert_eq!(reason([0x18, 0x0c, 0x0c, 0]), Some(StopReason::CutterError));
    assert_eq!(reason([0x18, 0x2c, 0, 0]), Some(StopReason::UnrecoverableError));
    assert_eq!(reason([0x18, 0, 0x0c, 0]), Some(StopReason::PaperEnd));
    assert_eq!(reason([0x18, 0x04, 0, 0]), Some(StopReason::RecoverableError));
    assert_eq!(reason([0x18, 0x40, 0, 0]), Some(StopReason::HeadHot));
    assert_eq!(reason([0x18, 0, 0, 0]), Some(StopReason::Offline));
    assert_eq!(reason([0x10, 0x01, 0, 0]), Some(StopReason::Offline), "waits for a key");
}
