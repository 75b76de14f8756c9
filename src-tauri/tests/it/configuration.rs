//! What the webview may do is as little as the pages need.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

fn read(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The directives of the content security policy, each with its sources.
fn policy() -> BTreeMap<String, Vec<String>> {
    let configuration = read("tauri.conf.json");
    let policy = configuration["app"]["security"]["csp"].as_str().unwrap();
    let words = |directive: &str| directive.split_whitespace().map(str::to_owned).collect();
    let split = |mut words: Vec<String>| (words.remove(0), words);
    policy.split(';').map(words).map(split).collect()
}

#[test]
fn nothing_is_loaded_that_is_not_the_programs_own() {
    let policy = policy();
    assert_eq!(policy["default-src"], ["'none'"]);
    // `ipc:` and the host beside it are the way from the pages to this program, not a server.
    let own = ["'self'", "'none'", "data:", "blob:", "ipc:", "http://ipc.localhost"];
    for (directive, sources) in &policy {
        for source in sources {
            assert!(own.contains(&source.as_str()), "{directive} lets {source} in");
        }
    }
}

#[test]
fn scripts_and_styles_come_from_files_alone() {
    let policy = policy();
    assert_eq!(policy["script-src"], ["'self'"]);
    assert_eq!(policy["style-src"], ["'self'"]);
    for shut in ["base-uri", "form-action", "frame-ancestors"] {
        assert_eq!(policy[shut], ["'none'"], "{shut}");
    }
}

#[test]
fn pages_reach_the_shell_by_commands_alone() {
    let configuration = read("tauri.conf.json");
    assert_eq!(configuration["app"]["withGlobalTauri"], false);
    assert_eq!(configuration["app"]["security"]["freezePrototype"], true);
    assert_eq!(configuration["app"]["security"]["capabilities"], json!(["window"]));
    let capability = read("capabilities/window.json");
    assert_eq!(capability["windows"], json!(["main"]));
    assert!(capability.get("remote").is_none(), "no page of a server has a capability");
    let hears = json!(["core:event:allow-listen", "core:event:allow-unlisten"]);
    assert_eq!(capability["permissions"], hears);
}
