//! QR and bar codes.

use std::io::Cursor;
use std::process::Command;

use super::walker::{Event, walk};
use super::*;
use crate::bitmap::Bitmap;

fn qr(content: &str) -> Row {
    Row::Qr { content: content.into() }
}

fn barcode(content: &str) -> Row {
    Row::Barcode { content: content.into() }
}

fn stored_lengths(body: &[u8]) -> Vec<[u8; 2]> {
    let store = |window: &[u8]| (window[5..] == *b"1P0").then_some([window[3], window[4]]);
    body.windows(8).filter(|window| window.starts_with(b"\x1d(k")).filter_map(store).collect()
}

/// Content longer than 252 bytes (qzind/tray#484).
#[test]
fn stored_length_has_two_bytes() {
    let profile = profile("virtual");
    assert_eq!(stored_lengths(&body(&[qr(&"a".repeat(150))], &profile)), [[0x99, 0x00]]);
    assert_eq!(stored_lengths(&body(&[qr(&"a".repeat(300))], &profile)), [[0x2f, 0x01]]);
}

#[test]
fn content_above_the_models_limit_is_drawn() {
    let profile = profile("rp326");
    let encoded = plain(&[qr(&"a".repeat(513))], &profile).unwrap();
    assert_eq!(encoded.notes, [Note::CodeAsPicture { row: 0 }]);
    assert!(stored_lengths(&encoded.body).is_empty());
}

#[test]
fn content_with_control_or_realtime_bytes_is_drawn() {
    let profile = profile("virtual");
    for content in ["BEGIN:VCARD\nEND:VCARD", "a\u{10}\u{4}\u{1}b", "\u{0}"] {
        let encoded = plain(&[qr(content)], &profile).unwrap();
        assert_eq!(encoded.notes, [Note::CodeAsPicture { row: 0 }], "{content:?}");
    }
    let length_reads_as_dle_eot = "a".repeat(0x410 - 3);
    let encoded = plain(&[qr(&length_reads_as_dle_eot)], &profile).unwrap();
    assert_eq!(encoded.notes, [Note::CodeAsPicture { row: 0 }]);
}

#[test]
fn longest_content_fits_every_printer_that_draws() {
    for profile in Profile::all() {
        plain(&[qr(&"a".repeat(2_331))], profile).unwrap();
    }
    let error = plain(&[qr(&"a".repeat(2_332))], &profile("virtual")).unwrap_err();
    assert_eq!(error.code(), "code_not_renderable");
}

#[test]
fn thirteen_digits_with_their_check_are_ean13_and_others_code128() {
    let profile = profile("tm-t88v");
    let kind_and_data = |content: &str| {
        let body = body(&[barcode(content)], &profile);
        let at = body.windows(2).position(|bytes| bytes == b"\x1dk").unwrap();
        body[at + 2..at + 4 + usize::from(body[at + 3])].to_vec()
    };
    assert_eq!(kind_and_data("4006381333931"), b"\x43\x0d4006381333931");
    assert_eq!(kind_and_data("4006381333932"), b"\x49\x0f{B4006381333932");
    assert_eq!(kind_and_data("a{b"), b"\x49\x06{Ba{{b");
}

#[test]
fn bar_code_that_cannot_be_one_is_refused() {
    for (content, name) in [("é", "tm-t88v"), ("", "tm-t88v"), (&*"a".repeat(40), "pos-5890")] {
        let error = plain(&[barcode(content)], &profile(name)).unwrap_err();
        assert_eq!(error.code(), "code_not_renderable", "{content:?}");
    }
    plain(&[barcode(&"a".repeat(40))], &profile("tm-t20iii")).unwrap();
}

/// The pictures of a body put together.
fn picture(body: &[u8]) -> Bitmap {
    let mut bands = walk(body).into_iter();
    let mut whole = Bitmap::new(0, 0);
    while let Some(event) = bands.next() {
        let Event::Command("GS v 0", head) = event else { continue };
        let Some(Event::Data(data)) = bands.next() else { panic!("a band without data") };
        let width = u32::from(head[4]) * 8;
        let mut band = Bitmap::new(width, data.len() as u32 / u32::from(head[4]));
        for (at, byte) in (0..).zip(data) {
            for bit in (0..8).filter(|bit| byte >> (7 - bit) & 1 == 1) {
                band.set(at % u32::from(head[4]) * 8 + bit, at / u32::from(head[4]), true);
            }
        }
        whole.append(&band);
    }
    whole
}

/// What zbar, which nobody here wrote, reads on a picture.
fn read_by_zbar(bitmap: &Bitmap) -> String {
    let dot = |x: u32, y: u32| {
        let inside = x >= 20 && y >= 20 && bitmap.get(x - 20, y - 20);
        image::Luma([if inside { 0 } else { 255 }])
    };
    let image = image::GrayImage::from_fn(bitmap.width + 40, bitmap.height + 40, dot);
    let mut png = Cursor::new(Vec::new());
    image.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("code.png");
    std::fs::write(&path, png.into_inner()).unwrap();
    let read = Command::new("zbarimg").arg("--quiet").arg(&path).output();
    let output = read.expect("zbarimg: apt-get install zbar-tools").stdout;
    String::from_utf8(output).unwrap().trim_end_matches('\n').to_owned()
}

#[test]
fn drawn_codes_are_read_back_by_another_program() {
    let profile = profile("generic-58");
    let read = |row: Row| read_by_zbar(&picture(&plain(&[row], &profile).unwrap().body));
    let url = "https://example.test/i/20261009-000123";
    assert_eq!(read(qr(url)), format!("QR-Code:{url}"));
    assert_eq!(read(qr(&"a".repeat(300))), format!("QR-Code:{}", "a".repeat(300)));
    assert_eq!(read(barcode("20261009000123")), "CODE-128:20261009000123");
    assert_eq!(read(barcode("R1-12345x")), "CODE-128:R1-12345x");
    assert_eq!(read(barcode("4006381333931")), "EAN-13:4006381333931");
}
