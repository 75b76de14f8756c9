//! The dispatcher's configuration: a file, and variables over it.

use std::fs;

use bolero::check;
use tillroll_dispatcher::config::Config;

use crate::inputs::Inputs;

/// The file ends at the first NUL; `NAME=value` follow, one between two NULs.
fn load(input: &[u8]) {
    let mut parts = input.split(|byte| *byte == 0);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dispatcher.toml");
    fs::write(&file, parts.next().unwrap_or_default()).unwrap();
    let variables = parts.filter_map(|part| {
        let (name, value) = std::str::from_utf8(part).ok()?.split_once('=')?;
        Some((format!("TILLROLL_DISPATCHER_{name}"), value.to_owned()))
    });
    match Config::load(Some(&file), variables) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(config) => {
            // What was checked can be used.
            let _ = (config.schedule(), config.http(), config.rates(), config.hooks());
            let _ = (config.kept(), config.splits.settings());
        }
    }
}

#[test]
fn configuration_is_refused_with_a_reason_or_can_be_used() {
    let inputs = Inputs::to("the configuration of the dispatcher");
    check!().for_each(|input: &[u8]| inputs.hold(|| load(input)));
}
