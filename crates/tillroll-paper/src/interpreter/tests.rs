use super::*;
use crate::{
    effect::{Cut, Pulse},
    paper::{Image, Roll, Symbol, SymbolKind, Ticket},
};

fn effects(bytes: &[u8]) -> Vec<Effect> {
    Interpreter::new(Device::mm80()).feed(bytes)
}

fn ticket(bytes: &[u8]) -> Ticket {
    let roll = Roll::preview(Device::mm80(), bytes);
    roll.tickets().next().expect("something printed").clone()
}

fn text(bytes: &[u8]) -> String {
    ticket(bytes).text()
}

fn images(bytes: &[u8]) -> Vec<Image> {
    let mut images = Vec::new();
    for element in ticket(bytes).elements {
        if let Element::Image(image) = element {
            images.push(image);
        }
    }
    images
}

#[test]
fn euro_is_printed_by_the_page_that_was_selected() {
    assert_eq!(text(b"\x1c.\x1bt\x13Cr\x8ame br\x96l\x82e 4,50 \xd5\n"), "Crème brûlée 4,50 €\n");
    assert_eq!(text(b"\x1c.\x1bt\x00\xc4\xc4\xc4\n"), "───\n");
}

#[test]
fn double_byte_mode_pairs_bytes_only_while_it_is_on() {
    assert_eq!(text(b"\x1c&\xc3\xe6\x1c.\x1bt\x02\x82\n"), "面é\n");
    assert_eq!(text(b"\xc3\xe6\n"), "面\n", "Chinese models start in double-byte mode");
}

#[test]
fn line_of_eighteen_and_seven_cells_fills_thirty_two_columns() {
    let name = encoding_rs::GBK.encode("红烧牛肉面（大碗）").0.into_owned();
    let price = encoding_rs::GBK.encode("￥28.00").0.into_owned();
    let line = [&name[..], &b" "[..].repeat(7), &price, b"\n"].concat();
    let Element::Line(line) = &ticket(&line).elements[0] else { panic!("no line") };
    assert_eq!(line.runs.last().expect("runs").end(), 32 * 12);
}

#[test]
fn broken_double_byte_character_does_not_swallow_a_command() {
    assert_eq!(text(b"\xc3\nA\n"), "\u{FFFD}\nA\n");
}

#[test]
fn text_beyond_the_area_continues_on_the_next_line() {
    let long = [&[b'x'; 50][..], b"\n"].concat();
    assert_eq!(text(&long), format!("{}\nxx\n", "x".repeat(48)));
}

#[test]
fn print_area_limits_and_shifts_lines() {
    assert_eq!(text(b"\x1dL\x18\x00\x1dW\x24\x00abcd\n"), "  abc\n  d\n");
}

#[test]
fn international_set_replaces_ascii() {
    assert_eq!(text(b"\x1bR\x03#1\n"), "£1\n");
}

#[test]
fn cut_in_the_middle_of_a_line_is_ignored_and_noted() {
    let roll = Roll::preview(Device::mm80(), b"total\x1dVB\x00\n");
    assert_eq!(roll.cut_count(), 0);
    let noted = roll.tickets().next().expect("a ticket").oddities.clone();
    assert_eq!(noted, [Oddity::NotAtLineStart("cut")]);
}

#[test]
fn printer_without_cutter_only_feeds() {
    let roll = Roll::preview(Device::mm58(), b"total\n\x1dVB\x00");
    assert_eq!(roll.cut_count(), 0);
    assert_eq!(roll.tickets().next().expect("a ticket").height(), 30 + 96);
}

#[test]
fn initialize_discards_the_line_and_switches_reports_off() {
    let effects = effects(b"lost\x1b@");
    assert_eq!(effects[0], Effect::Oddity(Oddity::TextDiscarded("lost".into())));
    assert_eq!(effects[1], Effect::AutoStatus(0));
}

#[test]
fn initialize_forgets_the_stored_code() {
    let stored = b"\x1d(k\x06\x001P0abc\x1b@\x1d(k\x03\x001Q0";
    assert!(!effects(stored).iter().any(|effect| matches!(effect, Effect::Printed(_))));
}

#[test]
fn drawer_pulse_takes_exactly_its_five_bytes() {
    let pulse = Pulse { pin: 2, on_ms: 50, off_ms: 500 };
    let found = effects(b"\x1bp\x00\x19\xfaA\n");
    assert_eq!(found[0], Effect::Pulse(pulse));
    assert_eq!(text(b"\x1bp\x00\x19\xfaA\n"), "A\n");
    // Without its timing bytes it eats what follows.
    assert_eq!(text(b"\x1bp\x00ABC\n"), "C\n");
}

#[test]
fn token_waits_for_the_line_it_follows() {
    let token = Effect::Asked(Question::Token(*b"0001"));
    let found = effects(b"text\x1d(H\x06\x00000001\n");
    assert!(matches!(found[..], [Effect::Printed(_), ref answer] if *answer == token));
    assert_eq!(effects(b"\x1d(H\x06\x00000001"), [token]);
}

#[test]
fn long_code_content_is_drawn_whole() {
    for length in [150_u16, 300] {
        let content = "0123456789".repeat(usize::from(length) / 10);
        let [low, high] = (length + 3).to_le_bytes();
        let store = [b"\x1d(k", &[low, high][..], b"1P0", content.as_bytes()].concat();
        let images = images(&[&store[..], b"\x1d(k\x03\x001Q0"].concat());
        assert_eq!(images[0].symbol, Some(Symbol { kind: SymbolKind::Qr, content }));
    }
}

#[test]
fn code_that_does_not_fit_is_refused() {
    let found = effects(b"\x1d(k\x03\x001C\x10\x1d(k\x07\x001P0abcd\x1dW\x20\x00\x1d(k\x03\x001Q0");
    assert_eq!(found, [Effect::Oddity(Oddity::SymbolRefused("QR code"))]);
    assert_eq!(effects(b"\x1dkC\x03abc"), [Effect::Oddity(Oddity::SymbolRefused("barcode"))]);
}

#[test]
fn stored_image_is_printed_once() {
    let store = b"\x1d8L\x0c\x00\x00\x000p0\x01\x011\x08\x00\x02\x00\xf0\x0f";
    let print = b"\x1d(L\x02\x0002";
    let images = images(&[&store[..], print, print].concat());
    assert_eq!(images.len(), 1);
    assert_eq!(images[0].dots.bytes(), [0xF0, 0x0F]);
}

#[test]
fn bands_of_a_picture_keep_all_rows() {
    let band = [&b"\x1dv0\x00\x48\x00\x80\x00"[..], &[0x55; 72 * 128]].concat();
    let rows: u32 = images(&band.repeat(3)).iter().map(|image| image.dots.height).sum();
    assert_eq!(rows, 384);
}

#[test]
fn column_image_stands_in_its_line() {
    let Element::Line(line) = &ticket(b"\x1b*\x21\x02\x00\xff\xff\xff\x00\x00\x01\n").elements[0]
    else {
        panic!("no line")
    };
    assert_eq!((line.strips[0].dots.width, line.strips[0].dots.height), (2, 24));
    assert!(line.strips[0].dots.get(0, 0) && line.strips[0].dots.get(1, 23));
    assert!(!line.strips[0].dots.get(1, 0));
}

#[test]
fn settings_of_unknown_use_are_skipped_by_their_length() {
    assert_eq!(
        text(b"\x1d(K\x02\x000\x02\x1d(E\x03\x00abc\x1d(A\x02\x00ab\x1c(A\x02\x000\x01ok\n"),
        "ok\n"
    );
}

#[test]
fn unknown_commands_are_noted() {
    assert_eq!(effects(b"\x1b\x06"), [Effect::Oddity(Oddity::Unknown(vec![0x1B, 0x06]))]);
}

#[test]
fn cuts_are_full_or_partial() {
    let cuts =
        |bytes: &[u8]| effects(bytes).into_iter().rfind(|effect| matches!(effect, Effect::Cut(_)));
    assert_eq!(cuts(b"\x1dV\x00"), Some(Effect::Cut(Cut::Full)));
    assert_eq!(cuts(b"\x1dVA\x00"), Some(Effect::Cut(Cut::Full)));
    assert_eq!(cuts(b"\x1dVB\x00"), Some(Effect::Cut(Cut::Partial)));
    assert_eq!(cuts(b"\x1bm"), Some(Effect::Cut(Cut::Partial)));
}
