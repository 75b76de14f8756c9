//! Logos and bands.

use proptest::prelude::*;

use super::walker::{Event, walk};
use super::*;
use crate::bitmap::Bitmap;
use crate::realtime;

fn png(width: u32, height: u32, black: impl Fn(u32, u32) -> bool) -> Vec<u8> {
    let dot = |x, y| image::Luma([if black(x, y) { 0 } else { 255 }]);
    let image = image::GrayImage::from_fn(width, height, dot);
    let mut file = std::io::Cursor::new(Vec::new());
    image.write_to(&mut file, image::ImageFormat::Png).unwrap();
    file.into_inner()
}

fn shop(file: Vec<u8>) -> BTreeMap<String, Vec<u8>> {
    BTreeMap::from([("shop".to_owned(), file)])
}

fn with_logo(profile: &Profile, file: Vec<u8>) -> Result<Encoded, EncodeError> {
    let rows = [Row::Logo { name: "shop".into() }, Row::text("ok")];
    encode(&rows, profile, &shop(file), &mut Typesetter::from_fonts(Vec::new()))
}

#[test]
fn tall_picture_goes_out_in_bands_with_no_text_between() {
    let (width, height) = (576, 2_400);
    let framed = |x, y| x == 0 || y == 0 || x == width - 1 || y == height - 1;
    let body = with_logo(&profile("generic-80"), png(width, height, framed)).unwrap().body;
    let events = walk(&body);
    let heads: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Command("GS v 0", head) => Some(head.clone()),
            Event::Command(..) | Event::Data(_) | Event::Text(_) => None,
        })
        .collect();
    let rows: Vec<u32> = heads.iter().map(|h| u32::from(h[6]) + 256 * u32::from(h[7])).collect();
    assert!(rows.iter().all(|&rows| rows <= 128));
    assert_eq!(rows.iter().sum::<u32>(), height);
    let first = events.iter().position(|event| matches!(event, Event::Data(_))).unwrap();
    let bands = &events[first - 1..first - 1 + 2 * heads.len()];
    assert!(!bands.iter().any(|event| matches!(event, Event::Text(_))), "letters inside a picture");
    let dots: usize =
        events.iter().map(|event| if let Event::Data(data) = event { data.len() } else { 0 }).sum();
    assert_eq!(dots, 172_800);
}

#[test]
fn epson_gets_stored_graphics_that_say_their_exact_length() {
    let body = with_logo(&profile("tm-t88v"), png(10, 3, |_, _| true)).unwrap().body;
    let mut expected = b"\x1ba\x01\x1d(L\x10\x00\x30\x70\x30\x01\x01\x31\x0a\x00\x03\x00".to_vec();
    expected.extend([0xff, 0xc0, 0xff, 0xc0, 0xff, 0xc0]);
    expected.extend(b"\x1d(L\x02\x00\x30\x32\x1ba\x00ok\n\n");
    assert_eq!(body, expected);
}

#[test]
fn unknown_and_bad_logos_are_refused_by_name() {
    let rows = [Row::Logo { name: "shop".into() }];
    let unknown = plain(&rows, &profile("generic-80")).unwrap_err();
    assert_eq!(unknown.code(), "unknown_logo");
    let bad = with_logo(&profile("generic-80"), b"no picture".to_vec()).unwrap_err();
    assert_eq!((bad.code(), bad.to_string().contains("\"shop\"")), ("bad_image", true));
}

#[test]
fn printer_without_pictures_leaves_the_logo_out_and_says_so() {
    let blind = Profile { raster: false, graphics: false, ..profile("generic-80") };
    let encoded = with_logo(&blind, png(8, 8, |_, _| true)).unwrap();
    assert_eq!(
        (encoded.notes, encoded.body),
        (vec![Note::LogoLeftOut { row: 0 }], b"ok\n\n".to_vec())
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Dots chosen so that real-time sequences are everywhere, also across rows and in lengths.
    #[test]
    fn no_picture_puts_a_realtime_sequence_into_the_stream(
        bytes in prop::collection::vec(prop::sample::select(vec![0x10_u8, 4, 5, 0x14, 0]), 1..400),
        across in 1_u32..8,
        rows in 1_u32..300,
        graphics in any::<bool>(),
    ) {
        let mut bitmap = Bitmap::new(across * 8, rows);
        for (at, &byte) in (0..across * rows).zip(bytes.iter().cycle()) {
            for bit in (0..8).filter(|bit| byte >> (7 - bit) & 1 == 1) {
                bitmap.set(at % across * 8 + bit, at / across, true);
            }
        }
        let file = png(bitmap.width, bitmap.height, |x, y| bitmap.get(x, y));
        let name = if graphics { "tm-t88v" } else { "generic-80" };
        let body = with_logo(&profile(name), file).unwrap().body;
        prop_assert!(!realtime::is_in(&body));
        walk(&body);
    }
}

#[test]
fn band_whose_length_would_read_as_a_command_is_one_row_shorter() {
    let across = 5;
    let rows = (0x410 - 10) / across;
    let body = with_logo(&profile("tm-t88v"), png(across * 8, rows, |_, _| false)).unwrap().body;
    assert!(!realtime::is_in(&body));
    let commands = walk(&body).iter().filter(|e| matches!(e, Event::Command("GS ( L", _))).count();
    assert_eq!(commands, 4, "two bands, stored and printed");
}
