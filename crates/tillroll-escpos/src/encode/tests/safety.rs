//! Whatever stands in a receipt, only text comes out of it.

use proptest::prelude::*;

use super::walker::{commands, lines};
use super::*;
use crate::realtime;
use crate::text::cleaned;

const PROFILES: [&str; 4] = ["generic-80", "generic-58-gb18030", "tm-t88v", "virtual"];

/// ASCII, control bytes, and commands that would cut, pulse, clear or switch off.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[ -~]{0,8}",
        "[\\x00-\\x1f\\x7f]{1,3}",
        prop::sample::select(vec![
            "\u{1b}@",
            "\u{1d}V\u{0}",
            "\u{10}\u{4}\u{1}",
            "\u{10}\u{14}\u{1}\u{0}\u{1}",
            "\u{1b}p\0\u{19}\u{fa}",
            "\u{1d}a\u{ff}",
            "\u{1c}&",
            "\u{1b}t\u{10}",
            "\r\n",
            "\u{85}",
            "\u{2028}",
            "\u{202e}",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        hostile(),
        ".{0,12}",
        "[红烧é€ЖΩ─x ]{0,12}",
        "[\\p{Arabic}\\p{Hangul}👍🏽e\u{301}]{0,6}"
    ]
}

fn receipt_like(texts: &[String; 4]) -> Vec<Row> {
    let [a, b, c, d] = texts;
    vec![
        Row::Banner { text: a.clone() },
        Row::centered(b, Style { small: true, ..Style::default() }),
        Row::Rule,
        Row::Columns { left: c.clone(), right: d.clone(), style: Style::default(), money: false },
        Row::centered(d, Style { wide: true, tall: true, bold: true, small: false }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn commands_are_those_of_the_same_document_in_plain_letters(
        texts in prop::array::uniform4(hostile()),
        name in prop::sample::select(&PROFILES[..]),
    ) {
        let profile = profile(name);
        // Blanks stay: where a line breaks decides how large it can be.
        let letter = |c| if c == ' ' { ' ' } else { 'x' };
        let letters = texts.clone().map(|text| cleaned(&text).chars().map(letter).collect());
        let sent = plain(&receipt_like(&texts), &profile).unwrap();
        let harmless = plain(&receipt_like(&letters), &profile).unwrap();
        let latin_1 = texts.iter().any(|text| cleaned(text).chars().any(|c| c > '~'));
        if !latin_1 {
            prop_assert_eq!(commands(&sent.body), commands(&harmless.body));
        }
        prop_assert!(!realtime::is_in(&sent.body));
    }

    #[test]
    fn every_character_the_printer_has_arrives(
        text in "[ -~红烧牛肉面é€ЖΩ─ûß]{0,40}",
        name in prop::sample::select(vec!["generic-80-gb18030", "virtual"]),
    ) {
        let profile = profile(name);
        let sent = plain(&[Row::text(&text)], &profile).unwrap();
        prop_assert!(sent.notes.is_empty(), "{:?}", sent.notes);
        let arrived = lines(&sent.body, &profile).concat().replace(' ', "");
        prop_assert_eq!(arrived, text.replace(' ', ""));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_text_is_text_or_a_picture(
        texts in prop::array::uniform4(any_text()),
        name in prop::sample::select(&PROFILES[..]),
    ) {
        const ALLOWED: [&str; 12] = [
            "ESC E", "ESC M", "ESC a", "ESC d", "ESC t", "FS !", "FS &", "FS .", "GS !", "GS ( L",
            "GS v 0", "LF",
        ];
        let sent = plain(&receipt_like(&texts), &profile(name)).unwrap();
        for command in commands(&sent.body) {
            prop_assert!(ALLOWED.contains(&command), "{command}");
        }
        prop_assert!(!realtime::is_in(&sent.body));
        prop_assert!(sent.body.ends_with(b"\n"));
    }
}
