//! The committed inputs: one folder a target, small.

use std::fs;
use std::path::Path;

/// Every target by the name of its folder; `encode` and `damaged_folder` are led by what they make of bytes.
const TARGETS: [&str; 10] = [
    "config",
    "damaged_folder",
    "encode",
    "packed",
    "paper",
    "raw",
    "receipt_json",
    "replies",
    "tokens",
    "wire",
];
const FILES_MOST: usize = 150;
const BYTES_MOST: u64 = 8 * 1024;

#[test]
fn every_target_has_a_corpus_and_it_is_small() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("__fuzz__");
    for target in TARGETS {
        let corpus = fs::read_dir(folder.join(target).join("corpus"));
        let files: Vec<_> = corpus.expect(target).map(Result::unwrap).collect();
        assert!((1..=FILES_MOST).contains(&files.len()), "{target}: {} files", files.len());
        for file in files {
            let bytes = file.metadata().unwrap().len();
            assert!(bytes <= BYTES_MOST, "{}: {bytes} bytes", file.path().display());
        }
    }
    assert_eq!(fs::read_dir(folder).unwrap().count(), TARGETS.len(), "a folder of no target");
}
