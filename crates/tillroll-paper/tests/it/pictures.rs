//! Pictures of the paper, read back by a program that knows nothing of them.

use std::{fs, path::Path, process::Command};

use tillroll_escpos::document::Row;
use tillroll_escpos::encode::encode;
use tillroll_escpos::profile::Profile;
use tillroll_escpos::typeset::Typesetter;
use tillroll_paper::{Device, Roll, fonts};

/// Codes that `zbarimg` finds in a picture, as `TYPE:content`, sorted.
pub fn codes(roll: &Roll) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("paper.png");
    fs::write(&file, roll.png(&mut Typesetter::from_fonts(fonts::installed())).unwrap()).unwrap();
    let mut codes = zbarimg(&file);
    codes.sort();
    codes
}

fn zbarimg(file: &Path) -> Vec<String> {
    let output = Command::new("zbarimg")
        .args(["--quiet"])
        .arg(file)
        .output()
        .expect("zbarimg (Debian package zbar-tools) is needed: apt-get install zbar-tools");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn codes_read_back_from_the_picture() {
    let job = [
        &b"\x1ba\x01\x1dh\x50\x1dw\x02\x1dH\x02"[..],
        b"\x1dkC\x0c400638133393\x1bd\x02",
        b"\x1dkI\x13{B20261009{C\x00\x01{B-xY",
        b"\x1bd\x02\x1d(k\x03\x001C\x05\x1d(k\x03\x001E1",
        b"\x1d(k\x22\x001P0https://example.test/i/0001?a=1",
        b"\x1d(k\x03\x001Q0\n\x1dVB\x00",
    ]
    .concat();
    let mut expected = vec![
        "CODE-128:202610090001-xY".to_owned(),
        "EAN-13:4006381333931".into(),
        "QR-Code:https://example.test/i/0001?a=1".into(),
    ];
    expected.sort();
    assert_eq!(codes(&Roll::preview(Device::mm80(), &job)), expected);
}

#[test]
fn long_qr_code_reads_back() {
    let content = "tillroll-".repeat(33);
    let store = [b"\x1d(k", &(content.len() as u16 + 3).to_le_bytes()[..], b"1P0"].concat();
    let job = [&store[..], content.as_bytes(), b"\x1d(k\x03\x001C\x04\x1d(k\x03\x001Q0"].concat();
    assert_eq!(codes(&Roll::preview(Device::mm80(), &job)), [format!("QR-Code:{content}")]);
}

/// Long contents as a receipt has them, stored by a length of two bytes (qzind/tray#484).
#[test]
fn long_content_of_a_receipt_reads_back_whole() {
    let profile = Profile::named("virtual").unwrap();
    for length in [150, 300] {
        let content = "a".repeat(length);
        let row = Row::Qr { content: content.clone() };
        let sent = encode(&[row], profile, &(), &mut Typesetter::from_fonts(vec![])).unwrap();
        let stored = [&b"\x1d(k"[..], &(length as u16 + 3).to_le_bytes(), b"1P0"].concat();
        assert!(sent.body.windows(stored.len()).any(|bytes| bytes == stored), "{length}");
        let paper = Roll::preview(profile.into(), &sent.body);
        assert_eq!(codes(&paper), [format!("QR-Code:{content}")]);
    }
}

#[test]
fn raster_image_is_exact_to_the_dot() {
    let rows = [0b1010_0000, 0b0000_0001, 0xFF];
    let job = [&b"\x1dv0\x00\x01\x00\x03\x00"[..], &rows].concat();
    let png = Roll::preview(Device::mm80(), &job).png(&mut Typesetter::from_fonts(vec![])).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((frame.width, frame.height, frame.bit_depth), (640, 51, png::BitDepth::One));
    let (stride, margin) = (80, 4);
    let printed = [24, 25, 26].map(|y| !pixels[y * stride + margin]);
    assert_eq!(printed, rows);
    let ink: u32 = pixels.iter().map(|byte| byte.count_zeros()).sum();
    assert_eq!(ink, 2 + 1 + 8, "nothing else is printed");
}

#[test]
fn text_leaves_ink_in_its_cells_only() {
    let mut typesetter = Typesetter::from_fonts(fonts::installed());
    let plain = Roll::preview(Device::mm80(), b"\x1c.A\n").png(&mut typesetter).unwrap();
    let large = Roll::preview(Device::mm80(), b"\x1c.\x1d!\x11A\n").png(&mut typesetter).unwrap();
    let reverse = Roll::preview(Device::mm80(), b"\x1c.\x1dB\x01A\n").png(&mut typesetter).unwrap();
    let (plain, large, reverse) = (ink(&plain), ink(&large), ink(&reverse));
    assert!(plain > 20, "{plain} dots");
    assert_eq!(large, 4 * plain);
    assert_eq!(reverse, 12 * 24 - plain);
}

fn ink(png: &[u8]) -> u32 {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels.iter().map(|byte| byte.count_zeros()).sum()
}
