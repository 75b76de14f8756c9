//! Every message against its committed JSON in `tests/golden`. A file that changes is a change of the
//! protocol: `TILLROLL_WRITE_GOLDEN=1` writes them anew.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::messages::{self, Check};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// What a newer version may put into any object; maps whose keys are names have no unknown fields.
fn with_unknown_fields(value: Value) -> Value {
    const MAPS: [&str; 4] = ["routes", "tenders", "body", "receipt"];
    match value {
        Value::Object(object) => {
            let known = object.into_iter().map(|(key, value)| {
                let is_map = MAPS.contains(&key.as_str());
                (key, if is_map { value } else { with_unknown_fields(value) })
            });
            let unknown = ("field_of_a_newer_version".to_owned(), serde_json::json!({"a": [1]}));
            known.chain([unknown]).collect()
        }
        Value::Array(values) => values.into_iter().map(with_unknown_fields).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

/// Writes each message to exactly its file, and reads its file to exactly the message.
struct AgainstFiles;

impl Check for AgainstFiles {
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(
        &mut self,
        name: &str,
        message: &T,
    ) {
        let path = folder().join(name).with_extension("json");
        let written = serde_json::to_string_pretty(message).unwrap() + "\n";
        if std::env::var_os("TILLROLL_WRITE_GOLDEN").is_some() {
            fs::write(&path, &written).unwrap();
        }
        let golden = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(written, golden, "{name} is written otherwise");
        assert_eq!(
            &serde_json::from_str::<T>(&golden).unwrap(),
            message,
            "{name} is read otherwise"
        );
    }
}

/// Reads each message with unknown fields in every object.
struct FromNewerVersion;

impl Check for FromNewerVersion {
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(
        &mut self,
        name: &str,
        message: &T,
    ) {
        let newer = with_unknown_fields(serde_json::to_value(message).unwrap());
        assert!(newer.get("field_of_a_newer_version").is_some());
        let read = serde_json::from_value::<T>(newer);
        assert_eq!(&read.unwrap_or_else(|error| panic!("{name}: {error}")), message, "{name}");
    }
}

#[derive(Default)]
struct Names(BTreeSet<String>);

impl Check for Names {
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(&mut self, name: &str, _: &T) {
        assert!(self.0.insert(format!("{name}.json")), "{name} stands twice");
    }
}

#[test]
fn every_message_is_written_and_read_as_it_was_committed() {
    messages::each(&mut AgainstFiles);
}

#[test]
fn unknown_fields_of_a_newer_version_are_tolerated_everywhere() {
    messages::each(&mut FromNewerVersion);
}

#[test]
fn every_golden_file_belongs_to_a_message() {
    let mut names = Names::default();
    messages::each(&mut names);
    let file =
        |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let files: BTreeSet<_> = fs::read_dir(folder()).unwrap().map(file).collect();
    assert_eq!(files, names.0);
}
