//! The help is there, and says what a person needs next.

use crate::program::{run, run_with, tillctl};

const COMMANDS: &str = "init serve printer route submit job jobs todo retry on-paper not-on-paper print skip reroute \
    copy day splits client rejected notice limits openapi paper demo";

#[test]
fn every_command_has_its_help_and_stands_in_the_list() {
    let list = run(["--help"]).done();
    for command in COMMANDS.split_whitespace() {
        assert!(list.contains(&format!("\n  {command} ")), "{command}: {list}");
        let help = run([command, "--help"]).done();
        assert!(help.contains("Usage: tillctl"), "{help}");
        assert!(help.contains("--data <DIR>"), "{help}");
    }
    assert!(list.contains("Exit codes: 0 done"), "{list}");
}

#[test]
fn command_line_without_a_command_shows_the_help() {
    let shown = run_with(&mut tillctl(), "");
    assert_eq!(shown.code, 2);
    assert!(shown.stderr.contains("tillctl demo"), "{}", shown.stderr);
}

#[test]
fn description_of_the_api_needs_no_register() {
    let description = run(["openapi"]).json();
    assert!(description["openapi"].as_str().unwrap().starts_with("3.1"));
    assert!(description["paths"]["/v1/receipts"]["post"].is_object());
}
