//! The committed inputs: one folder a target, small.

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::Path;
use std::process::Command;

use crate::replies::forgetful_replies_hold_together;

const FILES_MOST: usize = 150;
const BYTES_MOST: u64 = 16 * 1024;

/// The folders of the targets, named after the other tests of this program.
fn targets() -> BTreeSet<String> {
    let listed = Command::new(std::env::current_exe().unwrap()).arg("--list").output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let tests = listed.lines().filter_map(|line| line.strip_suffix(": test"));
    tests.filter(|test| !test.starts_with("corpora")).map(|test| test.replace("::", "__")).collect()
}

#[test]
fn every_target_has_a_corpus_and_it_is_small() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("__fuzz__");
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let folders: BTreeSet<_> =
        fs::read_dir(&folder).unwrap().map(|entry| name(entry.unwrap())).collect();
    assert_eq!(folders, targets());
    for target in folders {
        let corpus = fs::read_dir(folder.join(&target).join("corpus"));
        let files: Vec<_> = corpus.expect(&target).map(Result::unwrap).collect();
        assert!((1..=FILES_MOST).contains(&files.len()), "{target}: {} files", files.len());
        for file in files {
            let bytes = file.metadata().unwrap().len();
            assert!(bytes <= BYTES_MOST, "{}: {bytes} bytes", file.path().display());
        }
    }
}

/// The control: what is committed finds a reader that is wrong on purpose.
#[test]
fn reader_that_forgets_between_two_pieces_is_caught() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join(
        "__fuzz__/replies__replies_do_not_depend_on_how_the_stream_arrives_and_are_bounded/corpus",
    );
    let inputs = fs::read_dir(corpus).unwrap().map(|file| fs::read(file.unwrap().path()).unwrap());
    let caught =
        inputs.filter(|stream| catch_unwind(|| forgetful_replies_hold_together(stream)).is_err());
    assert!(caught.count() > 0, "the corpus is blind");
}
