//! Everything that comes from outside, under bytes that nobody thought of: nothing panics, nothing grows without
//! bound, and what is said of it stays true.
//!
//! A test first takes what lies in its corpus, `__fuzz__/NAME/corpus`, and what once failed, `__fuzz__/NAME/crashes`,
//! then inputs by chance. `make fuzz` searches each target for minutes, led by the code that its inputs reach.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, reason = "a test suite")]

mod config;
mod corpora;
mod damaged_folder;
mod encode;
mod inputs;
mod packed;
mod paper;
mod pieces;
mod raw;
mod receipt_json;
mod replies;
mod wire;
