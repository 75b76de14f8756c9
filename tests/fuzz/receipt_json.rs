//! Receipts as programs post them.

use bolero::check;
use tillroll_domain::receipt::Receipt;
use tillroll_http::read_json;

use crate::inputs::Inputs;

#[test]
fn receipt_that_is_read_stays_the_same_receipt() {
    let inputs = Inputs::to("a receipt in JSON");
    check!().for_each(|body: &[u8]| {
        inputs.hold(|| {
            let receipt = match read_json::<Receipt>(body) {
                Ok(receipt) => receipt,
                Err(error) => return assert!(!error.to_string().is_empty()),
            };
            let canonical = receipt.canonical().unwrap();
            let again: Receipt = read_json(&canonical).unwrap();
            assert_eq!(again, receipt);
            assert_eq!(again.fingerprint().unwrap(), receipt.fingerprint().unwrap());
            match receipt.check() {
                Err(faults) => assert!(!faults.is_empty()),
                Ok(()) => {
                    // What is counted of a receipt that was let in is plain.
                    let by_tender = receipt.takings_by_tender();
                    assert!(by_tender.len() <= receipt.tenders.len() + 1, "{by_tender:?}");
                    let _ = receipt.takings();
                }
            }
        });
    });
}
