use super::*;

#[test]
fn every_shipped_profile_is_read_and_valid() {
    let profiles = catalog::load().unwrap();
    assert_eq!(profiles.len(), 16, "an overlay names a base that is not there");
    for profile in profiles {
        assert!(!profile.code_pages.is_empty(), "{}", profile.name);
        assert!(
            profile.dots >= profile.columns_a * 12 || profile.columns_a == 44,
            "{}",
            profile.name
        );
        profile.checked().unwrap();
    }
}

#[test]
fn columns_and_dots_are_those_of_the_models() {
    let widths = |name: &str| {
        let profile = Profile::named(name).unwrap();
        (profile.columns_a, profile.columns_b, profile.dots)
    };
    assert_eq!(widths("tm-t20iii"), (48, 64, 576));
    assert_eq!(widths("tm-t88v"), (42, 56, 512));
    assert_eq!(widths("pos-5890"), (32, 42, 384));
    assert_eq!(widths("rp332"), (42, 56, 512));
    assert_eq!(widths(DEFAULT), (48, 64, 576));
}

#[test]
fn page_numbers_are_the_vendors_own() {
    let number = |name: &str, page: CodePage| {
        let pages = &Profile::named(name).unwrap().code_pages;
        pages.iter().find(|(_, have)| *have == page).map(|(number, _)| *number)
    };
    assert_eq!(number("tm-t88v", CodePage::Windows1251), Some(46));
    assert_eq!(number("rp326", CodePage::Windows1251), Some(6));
    assert_eq!(number("pos-5890", CodePage::Windows1251), Some(73));
    assert_eq!(number("virtual", CodePage::Cp858), Some(19));
}

#[test]
fn small_printers_neither_cut_nor_draw_codes() {
    for name in ["pos-5890", "nt-5890k", "generic-58"] {
        let profile = Profile::named(name).unwrap();
        assert_eq!((profile.cutter, profile.qr, profile.barcode_b), (Cutter::None, false, false));
    }
}

#[test]
fn columns_out_of_range_are_refused_by_name() {
    let profile = Profile::named(DEFAULT).unwrap();
    assert_eq!(profile.with_columns(42).unwrap().columns_a, 42);
    let error = profile.with_columns(7).unwrap_err();
    assert_eq!(error.to_string(), "columns_a must be from 20 to 96");
}

#[test]
fn profile_survives_json() {
    for profile in Profile::all() {
        let json = serde_json::to_string(profile).unwrap();
        assert_eq!(&serde_json::from_str::<Profile>(&json).unwrap(), profile);
    }
}
