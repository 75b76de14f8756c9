//! How orders were shared, on the command line of a register without a head office.

use crate::program::Till;

#[test]
fn store_that_shares_no_orders_says_so_and_an_answer_needs_its_head_office() {
    let till = Till::init();
    let _serving = till.serve();
    assert!(till.run(["splits", "day"]).done().contains("shares no orders"));
    let day = till.run(["splits", "day", "2026-10-09", "--json"]).json();
    assert_eq!((&day["shared"], &day["unsent"]["count"]), (&false.into(), &0.into()));
    let silent = till.run(["splits", "settle", "S1:1:receipt:v1"]);
    assert_eq!(silent.code, 1);
    assert!(silent.stderr.contains("note is required"), "{}", silent.stderr);
    let alone = till.run(["splits", "retry", "S1:1:receipt:v1"]);
    assert_eq!(alone.code, 1);
    assert!(alone.stderr.contains("has no head office"), "{}", alone.stderr);
}
