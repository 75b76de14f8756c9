//! What a virtual printer and the preview make of bytes.

use bolero::check;
use tillroll_paper::{Device, Effect, Interpreter, Roll, RollLimit};

use crate::inputs::Inputs;

/// Small, so that the bound is met.
const LIMIT: RollLimit = RollLimit { tickets: 8, bytes: 1 << 20 };

fn effects(bytes: &[u8], piece: usize) -> Vec<Effect> {
    let mut interpreter = Interpreter::new(Device::mm80());
    bytes.chunks(piece).flat_map(|bytes| interpreter.feed(bytes)).collect()
}

#[test]
fn any_bytes_give_the_same_paper_however_they_arrive_and_it_can_be_shown() {
    let inputs = Inputs::to("a job for the virtual printer");
    check!().for_each(|bytes: &[u8]| {
        inputs.hold(|| {
            let whole = effects(bytes, bytes.len().max(1));
            assert_eq!(effects(bytes, 5), whole);
            let mut roll = Roll::new(&Device::mm80(), LIMIT);
            whole.into_iter().for_each(|effect| roll.apply(effect));
            assert!(!roll.text().contains(|c: char| c.is_control() && c != '\n'));
            assert!(roll.tickets().count() <= LIMIT.tickets + 1);
            let drawn = roll.svg().map(drop);
            assert!(drawn.is_ok(), "{drawn:?}");
        });
    });
}
