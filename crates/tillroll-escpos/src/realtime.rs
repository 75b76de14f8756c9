//! Real-time sequences inside other data: an Epson device looks for them in every byte it receives,
//! also in those of a picture (Epson, notes on real-time commands), and would pulse the drawer or clear
//! its buffer in the middle of a receipt.

use crate::command::{DC4, DLE, ENQ, EOT};

/// The dot that is flipped: none of the three second bytes becomes another of them, or DLE, by it.
const DOT: u8 = 0x02;

/// Breaks every real-time sequence in a picture by flipping one dot of its second byte.
pub(crate) fn defuse(picture: &mut [u8]) {
    let mut previous = 0;
    for byte in picture {
        if begins(previous, *byte) {
            *byte ^= DOT;
        }
        previous = *byte;
    }
}

/// Whether a device would find the start of a real-time command somewhere in these bytes.
pub(crate) fn is_in(bytes: &[u8]) -> bool {
    bytes.array_windows().any(|[first, second]| begins(*first, *second))
}

fn begins(first: u8, second: u8) -> bool {
    first == DLE && matches!(second, EOT | ENQ | DC4)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn defused_picture_holds_no_sequence_and_differs_in_one_dot_each(
            picture in prop::collection::vec(prop::sample::select(vec![0x10_u8, 4, 5, 0x14, 6, 0xff]), 0..200)
        ) {
            let mut defused = picture.clone();
            defuse(&mut defused);
            prop_assert!(!is_in(&defused));
            let sequences = picture.windows(2).filter(|pair| is_in(pair)).count();
            let dots: u32 = picture.iter().zip(&defused).map(|(a, b)| (a ^ b).count_ones()).sum();
            prop_assert_eq!(dots as usize, sequences);
        }
    }
}
