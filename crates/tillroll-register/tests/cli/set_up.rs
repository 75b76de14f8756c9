//! `init`, and how the folder is found.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::program::{Till, run, run_with, tillctl};

#[test]
fn token_file_holds_the_bare_token_for_its_owner_alone() {
    let till = Till::init();
    let path = till.path().join("token");
    let token = fs::read_to_string(&path).unwrap();
    assert_eq!(token.len(), 43, "256 bits in base64url: {token:?}");
    assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let folder = fs::metadata(till.path()).unwrap().permissions().mode();
    assert_eq!(folder & 0o077, 0, "nobody else looks into the folder");
}

#[test]
fn folder_in_use_is_left_alone() {
    let till = Till::init();
    let data = till.data();
    let arguments = ["init", "--data", &data, "--store", "S2", "--register", "R1", "--zone", "UTC"];
    let again =
        run_with(tillctl().args(arguments).args(["--cutoff", "04:00", "--currency", "EUR"]), "");
    assert_eq!(again.code, 1);
    for told in ["holds a register already", "tillctl serve --data"] {
        assert!(again.stderr.contains(told), "{}", again.stderr);
    }
    till.serve();
}

#[test]
fn folder_that_was_open_to_all_is_closed_with_everything_in_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let data = folder.path().display().to_string();
    let arguments = ["init", "--data", &data, "--store", "S1", "--register", "R1", "--zone", "UTC"];
    run_with(tillctl().args(arguments).args(["--cutoff", "04:00", "--currency", "EUR"]), "").done();
    assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777, 0o700);
    for file in fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
    }
}

#[test]
fn bad_value_names_its_option() {
    let good = [
        ("--store", "S1"),
        ("--register", "R1"),
        ("--zone", "Asia/Shanghai"),
        ("--cutoff", "04:00"),
        ("--currency", "CNY"),
        ("--locale", "zh-CN"),
    ];
    let bad = ["S 1", "", "Mars/Olympus", "25:00", "XYZ", "tlh"];
    for (nth, value) in bad.into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = tillctl();
        command.arg("init").arg("--data").arg(folder.path());
        for (other, (option, usual)) in good.into_iter().enumerate() {
            command.args([option, if other == nth { value } else { usual }]);
        }
        let refused = run_with(&mut command, "");
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.stderr.contains(good[nth].0), "{}", refused.stderr);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was made");
    }
}

#[test]
fn folder_is_found_by_the_environment() {
    let till = Till::init();
    let _serving = till.serve();
    let listed = run_with(tillctl().arg("jobs").env("TILLROLL_DATA", till.path()), "");
    assert_eq!(listed.done(), "no jobs\n");
    assert_eq!(run(["jobs"]).code, 2, "without a folder it is not known which register");
}

#[test]
fn paper_speaks_chinese_where_the_currency_is_chinese() {
    for (currency, locale) in [("CNY", "zh-CN"), ("EUR", "en")] {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data").display().to_string();
        let arguments = ["init", "--data", &data, "--store", "S1", "--register", "R1"];
        let more = ["--zone", "UTC", "--cutoff", "04:00", "--currency", currency];
        run_with(tillctl().args(arguments).args(more), "").done();
        let installation =
            fs::read_to_string(folder.path().join("data/installation.json")).unwrap();
        assert!(installation.contains(locale), "{installation}");
    }
}
