//! Jobs as POS programs send them, and the properties that hold for any bytes.

use proptest::prelude::*;

use super::*;
use crate::realtime;

const CUT: &[u8] = b"\x1dV\x41\x00";

fn whats(sanitized: &Sanitized) -> Vec<What> {
    sanitized.removed.iter().map(|removed| removed.what).collect()
}

#[test]
fn ordinary_job_loses_reset_and_pulse_and_is_split_before_the_cut() {
    let job = b"\x1b@\x1ba\x01SHOP\n\x1ba\x00Tea  3.00\n\n\x1bp\x00\x19\xfa\x1dV\x42\x00\x1dr\x01";
    let sanitized = sanitize(job);
    assert_eq!(sanitized.body, b"\x1ba\x01SHOP\n\x1ba\x00Tea  3.00\n\n");
    assert_eq!(sanitized.cut, b"\x1dV\x42\x00");
    assert_eq!((sanitized.cuts, sanitized.drawer_pulses), (1, 1));
    assert_eq!(whats(&sanitized), [What::Initialise, What::DrawerPulse, What::StatusRequest]);
    assert_eq!(sanitized.removed[1].offset, 24);
    assert!(sanitized.understood);
}

#[test]
fn open_line_is_ended_so_that_the_cut_works() {
    let sanitized = sanitize(b"Tea\x1ba\x00\x1dV\x00");
    assert_eq!(
        (&sanitized.body[..], &sanitized.cut[..]),
        (&b"Tea\n"[..], &b"\x1ba\x00\x1dV\x00"[..])
    );
    assert_eq!(sanitize(b"Tea").body, b"Tea\n");
    assert_eq!(sanitize(b"Tea\x1bd\x03").body, b"Tea\x1bd\x03");
    // A column picture stands on its line, a raster picture by itself.
    assert_eq!(sanitize(b"\x1b*\x00\x02\x00ab").body, b"\x1b*\x00\x02\x00ab\n");
    let raster = b"\x1dv0\x00\x01\x00\x02\x00ab";
    assert_eq!(sanitize(raster).body, raster);
}

#[test]
fn cuts_in_the_middle_stay_and_count() {
    let job = [b"one\n", CUT, b"two\n\n", CUT, b"\x1bd\x02", CUT].concat();
    let sanitized = sanitize(&job);
    assert_eq!(sanitized.body, [b"one\n", CUT, b"two\n\n"].concat());
    assert_eq!(sanitized.cut, [CUT, b"\x1bd\x02", CUT].concat());
    assert_eq!(sanitized.cuts, 3);
    for cut in [&b"\x1bi"[..], b"\x1bm", b"\x1dV0", b"\x1dV\x01", b"\x1dVh\x10"] {
        let sanitized = sanitize(&[b"one\n", cut].concat());
        assert_eq!((&sanitized.cut[..], sanitized.cuts), (cut, 1));
    }
}

#[test]
fn everything_the_device_would_answer_or_do_out_of_order_is_taken_out() {
    let rows: [(&[u8], What); 22] = [
        (b"\x1b@", What::Initialise),
        (b"\x1da\xff", What::StatusBack),
        (b"\x1dj\x01", What::StatusBack),
        (b"\x1c(e\x02\x003\x08", What::StatusBack),
        (b"\x10\x04\x01", What::Realtime),
        (b"\x10\x04\x08\x03", What::Realtime),
        (b"\x10\x05\x01", What::Realtime),
        (b"\x10\x14\x02\x01\x08", What::Realtime),
        (b"\x10\x14\x07\x01", What::Realtime),
        (b"\x10\x14\x08\x01\x03\x14\x01\x06\x02\x08", What::Realtime),
        (b"\x10\x14\x01\x00\x05", What::DrawerPulse),
        (b"\x1bp\x01\x10\x14", What::DrawerPulse),
        (b"\x1bv", What::StatusRequest),
        (b"\x1bu\x00", What::StatusRequest),
        (b"\x1b\x1d\x03\x01\x10\x04", What::StatusRequest),
        (b"\x1dr1", What::StatusRequest),
        (b"\x1dIC", What::StatusRequest),
        (b"\x1d(H\x06\x0000abcd", What::StatusRequest),
        (b"\x1dg2\x00\xb2\x00", What::StatusRequest),
        (b"\x1dg0\x00\xb2\x00", What::StatusRequest),
        (b"\x1d(k\x03\x001R0", What::StatusRequest),
        (b"\x1d(L\x02\x0003", What::StatusRequest),
    ];
    for (command, what) in rows {
        let sanitized = sanitize(&[b"one\n", command, b"two\n"].concat());
        assert_eq!(sanitized.body, b"one\ntwo\n", "{command:02x?}");
        assert_eq!(sanitized.removed, [Removed { what, offset: 4 }], "{command:02x?}");
        assert!(sanitized.understood);
        let pulse = u32::from(what == What::DrawerPulse);
        assert_eq!(sanitized.drawer_pulses, pulse, "{command:02x?}");
        let torn = sanitize(&[b"one\n", &command[..command.len() - 1]].concat());
        assert_eq!((&torn.body[..], torn.understood), (&b"one\n"[..], false), "{command:02x?}");
    }
}

#[test]
fn initialise_inside_a_job_resets_what_was_changed_and_nothing_else() {
    let body = |job: &[u8]| sanitize(job).body;
    assert_eq!(body(b"\x1b@\x1b@one\n\x1b@two\n"), b"one\ntwo\n");
    assert_eq!(
        body(b"\x1d!\x11\x1bE\x01\x1bE\x00one\n\x1b@two\n\x1b@three\n"),
        b"\x1d!\x11\x1bE\x01\x1bE\x00one\n\x1bE\x00\x1d!\x00two\nthree\n"
    );
    assert_eq!(body(b"one\x1b@two\n"), b"one\ntwo\n", "the open line is not lost");
    assert_eq!(body(b"\x1bLone\x1b@two\n"), b"\x1bLone\x1bStwo\n", "the open page is");
}

#[test]
fn double_byte_default_is_told_by_what_the_job_first_changes() {
    let body = |job: &[u8]| sanitize(job).body;
    assert_eq!(body(b"\x1c&\xb2\xe8\n\x1b@A\n"), b"\x1c&\xb2\xe8\n\x1c.A\n");
    assert_eq!(body(b"\x1c.\x82\n\x1b@\xb2\xe8\n"), b"\x1c.\x82\n\x1c&\xb2\xe8\n");
    assert_eq!(body(b"\xb2\xe8\n\x1b@\xb2\xe8\n"), b"\xb2\xe8\n\xb2\xe8\n");
}

#[test]
fn job_passes_as_it_is_from_an_unknown_command_on() {
    let job = b"\x1b@one\n\x1bp\x00\x19\xfa\x1d\xee\x1b@two\n\x1dV\x00";
    let sanitized = sanitize(job);
    assert_eq!(sanitized.body, b"one\n\x1d\xee\x1b@two\n\x1dV\x00");
    assert!(sanitized.cut.is_empty() && !sanitized.understood);
    assert_eq!(whats(&sanitized), [What::Initialise, What::DrawerPulse]);
    for unknown in
        [&b"\x07"[..], b"\x1b\x1e", b"\x1b=\x02", b"\x1d(A\x02\x00\x00\x02", b"\x1c(C\x02\x00"]
    {
        let job = [b"one\n", unknown, b"\x1b@\n"].concat();
        let sanitized = sanitize(&job);
        assert_eq!((sanitized.body, sanitized.understood), (job, false));
    }
}

#[test]
fn job_that_ends_inside_a_picture_does_not_swallow_the_next_one() {
    let sanitized = sanitize(b"\x1b@one\n\x1dv0\x00\x30\x00\x58\x02half");
    assert_eq!(sanitized.body, b"one\n");
    assert_eq!(sanitized.removed[1], Removed { what: What::Truncated, offset: 6 });
    assert!(!sanitized.understood);
    let huge = sanitize(b"\x1d8L\xff\xff\xff\xff0p");
    assert!(huge.body.is_empty() && !huge.understood);
}

#[test]
fn picture_bytes_are_data_and_their_realtime_sequences_are_defused() {
    let data = b"\x1b@\x10\x04\x10\x14\x10\x10\x05\x1dV\x00\x1bp";
    let harmless = b"\x1b@\x10\x06\x10\x16\x10\x10\x07\x1dV\x00\x1bp";
    let heads: [&[u8]; 4] = [
        b"\x1dv0\x00\x0e\x00\x01\x00",
        b"\x1b*\x00\x0e\x00",
        b"\x1d(L\x18\x000p0\x01\x011\x70\x00\x01\x00",
        b"\x1d8L\x18\x00\x00\x000p0\x01\x011\x70\x00\x01\x00",
    ];
    for head in heads {
        let sanitized = sanitize(&[head, data, b"\n"].concat());
        assert_eq!(sanitized.body.len() + sanitized.cut.len(), head.len() + 15);
        let out = [sanitized.body, sanitized.cut].concat();
        assert_eq!(&out[head.len()..head.len() + 14], harmless, "{head:02x?}");
        assert!(sanitized.understood && sanitized.removed.is_empty());
    }
    // The sequence begins in the last byte of the head.
    let border = sanitize(b"\x1d*\x01\x10\x04\x00\x00\x00\x00\x00\x00\x00");
    assert!(!border.understood, "too short a picture: torn");
    let border = sanitize(&[&b"\x1b*\x00\x10\x10"[..], &[0x04; 0x1010]].concat());
    assert_eq!(border.body[5..7], [0x06, 0x04]);
}

#[test]
fn realtime_sequence_that_cannot_be_defused_is_not_understood() {
    let qr = sanitize(b"\x1d(k\x06\x001P0a\x10\x04\x1d(k\x03\x001Q0");
    assert!(!qr.understood && !qr.body.is_empty());
    assert!(!sanitize(b"\x1b$\x10\x04one\n").understood);
}

#[test]
fn page_left_open_is_not_understood() {
    assert_eq!(sanitize(b"\x1bLone\x1b@").body, b"\x1bLone\x1bS", "the body ends outside a page");
    assert!(!sanitize(b"\x1bLone").understood);
    assert!(!sanitize(b"\x1bLone\x1dV\x00\x0c").understood, "devices differ on a cut in a page");
    let sanitized = sanitize(b"\x1bLone\x0c\x1dV\x00");
    assert!(sanitized.understood);
    assert_eq!(
        (&sanitized.body[..], &sanitized.cut[..]),
        (&b"\x1bLone\x0c"[..], &b"\x1dV\x00"[..])
    );
}

#[test]
fn empty_job_and_drawer_kick_alone_print_nothing() {
    let nothing = sanitize(b"");
    assert!(nothing.body.is_empty() && nothing.cut.is_empty() && nothing.understood);
    let kick = sanitize(b"\x1bp\x00\x19\xfa");
    assert!(kick.body.is_empty() && kick.cut.is_empty() && kick.understood);
    assert_eq!(kick.drawer_pulses, 1);
}

#[test]
fn listed_removals_are_bounded_and_pulses_are_all_counted() {
    let sanitized = sanitize(&b"\x1bp\x00\x19\xfa".repeat(REMOVED_MAX + 5));
    assert_eq!((sanitized.removed.len(), sanitized.drawer_pulses), (REMOVED_MAX, 105));
}

/// Whole commands that pass unchanged, each ending at the beginning of a line.
fn kept() -> impl Strategy<Value = Vec<u8>> {
    let sized = |head: &'static [u8], size: usize| {
        prop::collection::vec(any::<u8>().prop_filter("no DLE", |b| *b != 0x10), size)
            .prop_map(move |data| [head, &data].concat())
    };
    prop_oneof![
        "[ -~]{1,20}\n".prop_map(String::into_bytes),
        Just(b"\xba\xec\xc9\xd5\n".to_vec()),
        Just(b"\x1b!\x38".to_vec()),
        Just(b"\x1bD\x08\x14\x00".to_vec()),
        Just(b"\x1d!\x11".to_vec()),
        Just(b"\x1bt\x13".to_vec()),
        Just(b"\x1c&".to_vec()),
        Just(b"\x1bd\x02".to_vec()),
        Just(b"\x1dk\x04123\x00".to_vec()),
        Just(b"\x1c?\xfe\xa1".to_vec()),
        sized(b"\x1dv0\x00\x02\x00\x03\x00", 6),
        sized(b"\x1dkI\x05", 5),
        sized(b"\x1d(k\x08\x001P0", 5),
        Just(b"\x1b&\x03AB\x01abc\x02defghi".to_vec()),
        sized(b"\x1cq\x01\x01\x00\x01\x00", 8),
        Just(CUT.to_vec()),
    ]
}

/// Whole commands that are taken out.
fn taken() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::select(vec![
        b"\x1bp\x00\x19\xfa".to_vec(),
        b"\x10\x04\x01".to_vec(),
        b"\x10\x14\x08\x01\x03\x14\x01\x06\x02\x08".to_vec(),
        b"\x1da\x00".to_vec(),
        b"\x1dr\x01".to_vec(),
        b"\x1d(H\x06\x0000abcd".to_vec(),
    ])
}

/// Bytes that look like a job often enough to get past the first command.
fn scraps() -> impl Strategy<Value = Vec<u8>> {
    let scrap = prop_oneof![
        3 => kept(),
        1 => taken(),
        1 => Just(b"\x1b@".to_vec()),
        1 => Just(b"open".to_vec()),
        1 => prop::sample::select(vec![&b"\x1bL"[..], b"\x1bS", b"\x0c", b"\x1b\x0c", b"\x1b$\x10\x00"])
            .prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(scrap, 0..14).prop_map(|scraps| scraps.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn understood_job_keeps_every_other_command_byte_for_byte(
        commands in prop::collection::vec(
            prop_oneof![kept().prop_map(|c| (true, c)), taken().prop_map(|c| (false, c))], 0..16),
    ) {
        let job: Vec<u8> = commands.iter().flat_map(|(_, bytes)| bytes.clone()).collect();
        let keep: Vec<u8> =
            commands.iter().filter(|(keep, _)| *keep).flat_map(|(_, bytes)| bytes.clone()).collect();
        let sanitized = sanitize(&job);
        prop_assert!(sanitized.understood);
        prop_assert_eq!(sanitized.removed.len(), commands.iter().filter(|(keep, _)| !keep).count());
        prop_assert_eq!(
            sanitized.cuts as usize,
            commands.iter().filter(|(_, bytes)| bytes == CUT).count()
        );
        prop_assert_eq!([sanitized.body, sanitized.cut].concat(), keep);
    }

    #[test]
    fn any_bytes_are_bounded_and_sanitising_twice_changes_nothing(job in scraps()) {
        let once = sanitize(&job);
        prop_assert!(once.body.len() + once.cut.len() <= 4 * job.len() + 1);
        let twice = sanitize(&once.body);
        prop_assert_eq!(&twice.body, &once.body);
        prop_assert!(twice.cut.is_empty());
        prop_assert_eq!(once.pulse_left, once.drawer_pulses as usize > once.removed.iter()
            .filter(|removed| removed.what == What::DrawerPulse).count());
        let pulse = |bytes: &[u8]| bytes.windows(3).any(|bytes| bytes == b"\x10\x14\x01");
        prop_assert_eq!(once.pulse_left, pulse(&once.body) || pulse(&once.cut));
        if once.understood {
            prop_assert!(twice.understood && twice.removed.is_empty() && twice.drawer_pulses == 0);
            prop_assert!(!realtime::is_in(&[once.body, once.cut].concat()));
        }
    }

    #[test]
    fn random_bytes_do_not_panic(job in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = sanitize(&job);
    }
}

#[test]
fn bar_code_without_its_end_is_known_as_far_as_a_device_reads_it() {
    let code = |len: usize| [b"\x1dk\x02".as_slice(), &vec![b'7'; len], b"\x1b@\0"].concat();
    assert!(sanitize(&code(253)).understood, "255 characters");
    let endless = sanitize(&code(254));
    assert!(!endless.understood, "what a device does behind them is not known");
    assert_eq!(endless.body, code(254), "and passes as it is");
}
