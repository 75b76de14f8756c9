//! The interpreter under arbitrary bytes.

use proptest::{collection::vec, prelude::*};
use tillroll_paper::{Device, Effect, Interpreter, Roll, RollLimit};

/// Bytes with commands, real-time commands and double-byte text more often than chance has them.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let known: Vec<&'static [u8]> = vec![
        b"\x1b@",
        b"\x1b!",
        b"\x1ba\x01",
        b"\x1bd\x02",
        b"\x1bp\x00\x19\xfa",
        b"\x1b*\x21\x03\x00",
        b"\x1bD",
        b"\x1b$",
        b"\x1b\\",
        b"\x1b3\x00",
        b"\x1b{\x01",
        b"\x1bJ",
        b"\x1c&",
        b"\x1c.",
        b"\x1cC",
        b"\x1c!",
        b"\x1cq\x01\x01\x00\x01\x00",
        b"\x1d!",
        b"\x1dV\x00",
        b"\x1dVB\x00",
        b"\x1dv0\x00\x02\x00\x03\x00",
        b"\x1d(L\x0c\x000p0\x01\x011",
        b"\x1d(L\x02\x0002",
        b"\x1d8L",
        b"\x1d(k\x05\x001P0ab",
        b"\x1d(k\x03\x001Q0",
        b"\x1dk\x02400638133393\x00",
        b"\x1dkI\x05{Babc",
        b"\x1d(H\x06\x0000abcd",
        b"\x1dL",
        b"\x1dW",
        b"\x1dP",
        b"\x1dg2\x00\xb2\x00",
        b"\x10\x04\x01",
        b"\x10\x14\x08\x01\x03\x14\x01\x06\x02\x08",
        b"\x10",
        b"\xc3\xe6",
        b"text\n",
    ];
    let piece = prop_oneof![
        3 => prop::sample::select(known).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 0..12),
    ];
    vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn interpret(chunks: &[&[u8]]) -> Vec<Effect> {
    let mut interpreter = Interpreter::new(Device::mm80());
    chunks.iter().flat_map(|chunk| interpreter.feed(chunk)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_bytes_give_paper_that_can_be_rendered(bytes in stream()) {
        let mut roll = Roll::new(&Device::mm80(), RollLimit::default());
        interpret(&[&bytes]).into_iter().for_each(|effect| roll.apply(effect));
        let text = roll.text();
        prop_assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
        prop_assert!(roll.svg().is_ok());
    }

    #[test]
    fn chunks_do_not_matter(bytes in stream(), cuts in vec(any::<prop::sample::Index>(), 0..8)) {
        let mut borders: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        borders.extend([0, bytes.len()]);
        borders.sort_unstable();
        let chunks: Vec<&[u8]> =
            borders.windows(2).map(|border| &bytes[border[0]..border[1]]).collect();
        prop_assert_eq!(interpret(&chunks), interpret(&[&bytes]));
    }

    #[test]
    fn printer_is_usable_again_after_clearing(bytes in stream()) {
        let mut interpreter = Interpreter::new(Device::mm80());
        interpreter.feed(&bytes);
        interpreter.clear();
        let effects = interpreter.feed(b"\x1b@\x1c.ok\n");
        prop_assert!(matches!(effects.last(), Some(Effect::Printed(_))));
        prop_assert!(interpreter.is_idle());
    }
}
