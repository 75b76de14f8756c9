//! `serve`: one line, one register a folder, an end in order.

use std::fs;
use std::net::TcpListener;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::program::{Till, run, run_with, tillctl};
use crate::receipts::{id, sale};

#[test]
fn only_line_on_standard_output_says_where_it_listens() {
    let till = Till::init();
    let serving = till.serve();
    let line = serving.first_line.clone();
    assert_eq!(line.as_object().unwrap().len(), 2, "{line}");
    assert!(line["listening"].as_str().unwrap().starts_with("127.0.0.1:"));
    assert!(fs::read_to_string(line["token_file"].as_str().unwrap()).is_ok());
    till.run(["printer", "list"]).done();
    till.run(["job", "S1:none:receipt:v1"]);
    serving.signal(Signal::TERM);
    assert_eq!(serving.ended().1, "");
    let log = fs::read_to_string(till.path().join("logs/tillroll.log")).unwrap();
    assert!(log.contains("the register listens at"), "{log}");
}

#[test]
fn both_signals_stop_it_within_five_seconds_though_a_printer_is_dead_and_work_is_open() {
    let till = Till::init();
    // Takes connections and says nothing: the worker waits for an answer that never comes.
    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let uri = format!("tcp://{}", mute.local_addr().unwrap());
    for (order, signal) in [("1", Signal::TERM), ("2", Signal::INT)] {
        let serving = till.serve();
        if order == "1" {
            let add = ["printer", "add", "front", "--uri", &uri, "--level", "token"];
            till.run(add).done();
        }
        till.run_with(["submit", "-"], &sale(order)).done();
        let begun = Instant::now();
        serving.signal(signal);
        let (status, _) = serving.ended();
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        assert!(status.success(), "{status}");
        assert!(!till.path().join("endpoint.json").exists());
    }
    let _serving = till.serve();
    assert_eq!(till.run(["job", &id("1"), "--json"]).json()["id"], id("1"), "nothing is lost");
}

#[test]
fn second_program_on_the_same_folder_is_refused() {
    let till = Till::init();
    let serving = till.serve();
    let second = run(["serve", "--data", &till.data(), "--listen", "127.0.0.1:0"]);
    assert_eq!(second.code, 1);
    assert!(second.stderr.contains("another program"), "{}", second.stderr);
    assert_eq!(second.stdout, "");
    till.run(["jobs"]).done();
    drop(serving);
}

#[test]
fn address_others_can_reach_is_refused() {
    let till = Till::init();
    let open = run(["serve", "--data", &till.data(), "--listen", "0.0.0.0:0"]);
    assert_eq!(open.code, 2);
    assert!(open.stderr.contains("loopback"), "{}", open.stderr);
}

#[test]
fn taken_port_is_named_and_the_folder_is_free_again() {
    let till = Till::init();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = run(["serve", "--data", &till.data(), "--listen", &address]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains(&address), "{}", refused.stderr);
    till.serve();
}

#[test]
fn folder_without_a_register_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().display().to_string();
    let refused = run(["serve", "--data", &data, "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("tillctl init"), "{}", refused.stderr);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap()).collect();
    assert!(left.iter().all(|entry| entry.file_name() == "lock"), "{left:?}");
}

#[test]
fn register_is_found_again_after_a_kill() {
    let till = Till::init();
    let serving = till.serve();
    serving.signal(Signal::KILL);
    serving.ended();
    let gone = till.run(["jobs"]);
    assert_eq!(gone.code, 3, "the file that says where it listened is still there: {gone:?}");
    let _serving = till.serve();
    till.run(["jobs"]).done();
}

#[test]
fn proxy_of_the_environment_is_not_asked() {
    let till = Till::init();
    let _serving = till.serve();
    let mut command = tillctl();
    command.args(["jobs", "--data", &till.data()]).env("http_proxy", "http://127.0.0.1:1");
    run_with(&mut command, "").done();
}
