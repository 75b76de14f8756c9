//! What register and dispatcher say to each other.

use bolero::check;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tillroll_wire::Problem;
use tillroll_wire::channel::{Down, Up};
use tillroll_wire::day::CloudDay;
use tillroll_wire::job::{CloudJobView, Scheduling};
use tillroll_wire::pairing::{PairBody, Paired};
use tillroll_wire::record::{Batch, Fate, Record, Verdicts};
use tillroll_wire::repair::{Digests, HourIds};

use crate::inputs::Inputs;

/// Reads a message; one that can be read is said and read again the same.
fn said_again<T: DeserializeOwned + Serialize>(message: &[u8]) {
    let Ok(read) = serde_json::from_slice::<T>(message) else { return };
    let said = serde_json::to_string(&read).unwrap();
    let again: T = serde_json::from_str(&said).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), said);
}

/// Every shape there is.
const SHAPES: [fn(&[u8]); 14] = [
    said_again::<Up>,
    said_again::<Down>,
    said_again::<Batch>,
    said_again::<Record>,
    said_again::<Verdicts>,
    said_again::<Fate>,
    said_again::<Digests>,
    said_again::<HourIds>,
    said_again::<PairBody>,
    said_again::<Paired>,
    said_again::<Problem>,
    said_again::<CloudDay>,
    said_again::<CloudJobView>,
    said_again::<Scheduling>,
];

#[test]
fn message_that_can_be_read_is_the_same_when_it_is_said_again() {
    let inputs = Inputs::to("a message between register and head office");
    check!().for_each(|message: &[u8]| {
        inputs.hold(|| {
            for shape in SHAPES {
                shape(message);
            }
        });
    });
}
