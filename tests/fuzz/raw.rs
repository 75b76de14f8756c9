//! Ready-made jobs of a POS.

use bolero::check;
use tillroll_escpos::raw::{REMOVED_MAX, Sanitized, sanitize};
use tillroll_paper::{Device, Effect, Interpreter};

use crate::inputs::Inputs;

/// What a printer does that was just switched on.
fn effects(bytes: &[u8]) -> Vec<Effect> {
    Interpreter::new(Device::mm80()).feed(bytes)
}

/// Whether it opens the drawer.
fn opens_the_drawer(effect: &Effect) -> bool {
    use tillroll_paper::effect::Realtime;
    matches!(effect, Effect::Pulse(_) | Effect::Realtime(Realtime::Pulse(_)))
}

/// Whether the device would say or do something that spoils the proof.
fn spoils_the_proof(effect: &Effect) -> bool {
    matches!(effect, Effect::Asked(_) | Effect::AutoStatus(_) | Effect::Realtime(_))
}

#[test]
fn job_is_bounded_and_nothing_is_left_in_it_that_was_to_be_taken_out() {
    let inputs = Inputs::to("a ready-made job");
    check!().for_each(|job: &[u8]| {
        inputs.hold(|| {
            let sanitized = sanitize(job);
            let Sanitized { body, cut, removed, understood, pulse_left, .. } = &sanitized;
            assert!(body.len() + cut.len() <= 4 * job.len() + 1);
            assert!(removed.len() <= REMOVED_MAX);
            assert_eq!(sanitize(body).body, *body, "it is made fit once");
            let done = effects(&[&body[..], cut].concat());
            if *understood {
                let spoiling = done.iter().find(|effect| spoils_the_proof(effect));
                assert!(spoiling.is_none(), "{spoiling:?}");
            }
            if *understood && !pulse_left {
                assert!(!done.iter().any(opens_the_drawer), "{done:?}");
            }
        });
    });
}
