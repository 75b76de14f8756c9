use super::*;

/// The complete commands, and whether nothing is left over.
fn split(bytes: &[u8]) -> (Vec<Vec<u8>>, bool) {
    let mut splitter = Splitter::default();
    let mut found = Vec::new();
    for byte in bytes {
        splitter.push(*byte, &mut |sequence| {
            if let Sequence::Complete(bytes) = sequence {
                found.push(bytes.to_vec());
            }
        });
    }
    (found, splitter.is_at_border())
}

#[track_caller]
fn assert_whole(bytes: &[u8]) {
    let (found, at_border) = split(bytes);
    assert!(at_border, "{bytes:02X?} is not finished");
    assert_eq!(found, [bytes]);
}

#[test]
fn commands_have_their_documented_length() {
    assert_whole(b"A");
    assert_whole(b"\x1b@");
    assert_whole(b"\x1bp\x00\x19\xfa");
    assert_whole(b"\x1b*\x21\x02\x00abcdef");
    assert_whole(b"\x1b*\x01\x02\x00ab");
    assert_whole(b"\x1bD\x08\x10\x00");
    assert_whole(b"\x1b\\\x00\x01");
    assert_whole(b"\x1d(H\x06\x0000abcd");
    assert_whole(b"\x1d(k\x03\x001Q0");
    assert_whole(b"\x1dv0\x00\x02\x00\x03\x00abcdef");
    assert_whole(b"\x1d8L\x02\x00\x00\x0002");
    assert_whole(b"\x1dk\x04ABC\x00");
    assert_whole(b"\x1dkI\x03{BA");
    assert_whole(b"\x1dVB\x00");
    assert_whole(b"\x1dV\x01");
    assert_whole(b"\x1dg2\x00\xb2\x00");
    assert_whole(b"\x1c&");
    assert_whole(b"\x1cS\x01\x02");
    assert_whole(b"\x1cq\x01\x01\x00\x01\x0012345678");
    assert_whole(b"\x1b&\x03AB\x02123456\x01abc");
    assert_whole(b"\x10\x04\x01");
    assert_whole(b"\x10\x14\x01\x00\x02");
    assert_whole(b"\x10\x14\x08\x01\x03\x14\x01\x06\x02\x08");
}

#[test]
fn lone_dle_leaves_the_next_byte_alone() {
    let (found, at_border) = split(b"\x10\x0a\x10\x10\x04\x01");
    assert_eq!(found, [&b"\x10"[..], b"\n", b"\x10", b"\x10\x04\x01"]);
    assert!(at_border);
}

#[test]
fn half_an_image_swallows_what_follows() {
    let (found, _) = split(b"\x1dv0\x00\x02\x00\x03\x00ab");
    assert!(found.is_empty());
    let (found, _) = split(b"\x1dv0\x00\x02\x00\x03\x00abHello");
    assert_eq!(found, [&b"\x1dv0\x00\x02\x00\x03\x00abHell"[..], b"o"]);
}

#[test]
fn oversized_command_is_swallowed_without_being_stored() {
    let mut splitter = Splitter::default();
    let mut heads = Vec::new();
    let length: u32 = 2 << 20;
    let mut stream = b"\x1d8L".to_vec();
    stream.extend(length.to_le_bytes());
    stream.resize(7 + length as usize, 0);
    for byte in stream {
        splitter.push(byte, &mut |sequence| match sequence {
            Sequence::Oversized(head) => heads.push(head.to_vec()),
            Sequence::Complete(bytes) => panic!("{bytes:02X?} is part of the command"),
        });
        assert!(splitter.pending.len() <= HEAD);
    }
    assert!(heads.len() == 1 && heads[0].starts_with(b"\x1d8L"));
    assert!(splitter.is_at_border());
}
