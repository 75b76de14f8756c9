//! Exit codes, and what is said with them.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use crate::program::{Till, run, tillctl};
use crate::receipts::{sale, wrong_sum};

#[test]
fn refused_receipt_names_what_is_wrong_and_is_on_the_list() {
    let till = Till::init();
    let _serving = till.serve();
    till.run(["printer", "add", "front", "--uri", "virtual:front"]).done();
    let refused = till.run_with(["submit", "-"], &wrong_sum("1"));
    assert_eq!(refused.code, 1);
    assert_eq!(refused.stdout, "");
    assert!(refused.stderr.contains("(invalid_receipt)"), "{}", refused.stderr);
    assert!(refused.stderr.contains("total_minor"), "{}", refused.stderr);

    let listed = till.run(["rejected", "list", "--json"]).json();
    let number = listed["rejected"][0]["id"].to_string();
    assert!(till.run(["todo"]).done().contains("invalid_receipt"));
    till.run(["rejected", "answer", &number, "sold again as 2"]).done();
    assert_eq!(till.run(["rejected", "list"]).done(), "no receipt was refused\n");
    assert_eq!(till.run(["rejected", "answer", &number, "again"]).code, 1);
}

#[test]
fn job_that_is_not_known_is_refused() {
    let till = Till::init();
    let _serving = till.serve();
    let refused = till.run(["job", "S1:none:receipt:v1"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("(not_found)"), "{}", refused.stderr);
    // An id may hold anything: it stays one part of the address.
    assert_eq!(till.run(["job", "../todo?x#y"]).code, 1);
}

#[test]
fn wrong_use_exits_with_two() {
    let till = Till::init();
    assert_eq!(run(["sing"]).code, 2);
    assert_eq!(till.run(["jobs", "--state", "lost"]).code, 2);
    assert_eq!(till.run(["retry"]).code, 2);
    assert_eq!(till.run(["skip", "S1:1:receipt:v1"]).code, 2, "a skip needs its reason");
    assert_eq!(till.run(["day", "9.10.2026"]).code, 2);
    let _serving = till.serve();
    let missing = till.run(["submit", "/nowhere/receipt.json"]);
    assert_eq!(missing.code, 2);
    assert!(missing.stderr.contains("/nowhere/receipt.json"), "{}", missing.stderr);
}

#[test]
fn register_that_does_not_run_exits_with_three_and_says_how_to_start_it() {
    let till = Till::init();
    let gone = till.run_with(["submit", "-"], &sale("1"));
    assert_eq!(gone.code, 3);
    let start = format!("tillctl serve --data {}", till.data());
    assert!(gone.stderr.contains(&start), "{}", gone.stderr);
}

#[test]
fn one_refused_answer_of_many_exits_with_one_and_the_others_are_done() {
    let till = Till::init();
    let _serving = till.serve();
    till.run(["printer", "add", "front", "--uri", "virtual:front"]).done();
    till.run_with(["submit", "-"], &sale("1")).done();
    till.wait_for("S1:1:receipt:v1", "printed");
    let answered = till.run(["copy", "S1:1:receipt:v1", "S1:2:receipt:v1"]);
    assert_eq!(answered.code, 1);
    assert!(answered.stdout.contains("S1:1:receipt:v1:c1"), "{answered:?}");
    assert!(answered.stderr.contains("S1:2:receipt:v1"), "{answered:?}");
    assert!(answered.stderr.contains("1 of 2 refused"), "{answered:?}");
}

#[test]
fn limit_that_is_reached_exits_with_one() {
    let till = Till::init();
    let _serving = till.serve();
    // Three refunds in five seconds are allowed.
    let codes: Vec<i32> = (0..4).map(|_| till.run(["limits", "ask", "refund"]).code).collect();
    assert_eq!(codes, [0, 0, 0, 1]);
}

#[test]
fn closed_pipe_is_no_failure() {
    for arguments in [&["demo"] as &[&str], &["--help"], &["openapi"]] {
        let piped = |command: &mut std::process::Command| {
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let mut child = piped(tillctl().args(arguments));
        let mut first = String::new();
        BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert!(output.status.success(), "{arguments:?}: {}", output.status);
    }
}
