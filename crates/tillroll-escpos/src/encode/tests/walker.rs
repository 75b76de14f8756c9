//! Reads an encoded body with its own table of commands, and fails on anything not in it.

use crate::profile::Profile;

/// One thing in the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// Bytes that print.
    Text(Vec<u8>),
    /// A command and the bytes of its head.
    Command(&'static str, Vec<u8>),
    /// Bytes that belong to the command before.
    Data(Vec<u8>),
}

const COMMANDS: [(&str, &[u8], usize); 16] = [
    ("LF", &[0x0a], 0),
    ("ESC a", b"\x1ba", 1),
    ("ESC E", b"\x1bE", 1),
    ("ESC M", b"\x1bM", 1),
    ("ESC t", b"\x1bt", 1),
    ("ESC d", b"\x1bd", 1),
    ("GS !", b"\x1d!", 1),
    ("GS h", b"\x1dh", 1),
    ("GS w", b"\x1dw", 1),
    ("GS f", b"\x1df", 1),
    ("GS H", b"\x1dH", 1),
    ("FS !", b"\x1c!", 1),
    ("FS &", b"\x1c&", 0),
    ("FS .", b"\x1c.", 0),
    ("GS v 0", b"\x1dv0\0", 4),
    ("GS k", b"\x1dk", 2),
];

pub(super) fn walk(mut bytes: &[u8]) -> Vec<Event> {
    let mut events = Vec::new();
    while let Some(&first) = bytes.first() {
        if first >= 0x20 {
            let end = bytes.iter().position(|&byte| byte < 0x20).unwrap_or(bytes.len());
            assert!(!bytes[..end].contains(&0x7f), "DEL in text");
            events.push(Event::Text(bytes[..end].to_vec()));
            bytes = &bytes[end..];
            continue;
        }
        let (name, head, data) = command(bytes);
        events.push(Event::Command(name, bytes[..head].to_vec()));
        if data > 0 {
            events.push(Event::Data(bytes[head..head + data].to_vec()));
        }
        bytes = &bytes[head + data..];
    }
    events
}

/// The command at the front: its name, the length of its head and of its data.
fn command(bytes: &[u8]) -> (&'static str, usize, usize) {
    let length = |at: usize| usize::from(bytes[at]) + 256 * usize::from(bytes[at + 1]);
    if bytes.starts_with(b"\x1d(k") {
        return ("GS ( k", 5, length(3));
    }
    if bytes.starts_with(b"\x1d(L") {
        return ("GS ( L", 5, length(3));
    }
    let known = COMMANDS.iter().find(|(_, prefix, _)| bytes.starts_with(prefix));
    let (name, prefix, parameters) =
        known.unwrap_or_else(|| panic!("unknown command {:02x?}", &bytes[..bytes.len().min(4)]));
    let head = prefix.len() + parameters;
    let data = match *name {
        "GS v 0" => length(4) * length(6),
        "GS k" => usize::from(bytes[3]),
        _ => 0,
    };
    (name, head, data)
}

/// The names of the commands, each once, in the order of the alphabet.
pub(super) fn commands(body: &[u8]) -> Vec<&'static str> {
    let name = |event: &Event| match event {
        Event::Command(name, _) => Some(*name),
        Event::Text(_) | Event::Data(_) => None,
    };
    let mut names: Vec<_> = walk(body).iter().filter_map(name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The printed lines as text, decoded with the tables of the decoding side.
pub(super) fn lines(body: &[u8], profile: &Profile) -> Vec<String> {
    let mut page = 0;
    let mut double = profile.cjk_on_at_power_up;
    let mut lines = vec![String::new()];
    for event in walk(body) {
        match event {
            Event::Command("LF", _) => lines.push(String::new()),
            Event::Command("ESC t", head) => page = head[2],
            Event::Command("FS &", _) => double = true,
            Event::Command("FS .", _) => double = false,
            Event::Command(..) | Event::Data(_) => {}
            Event::Text(bytes) => {
                let text = if double { hanzi(&bytes) } else { single(&bytes, page, profile) };
                lines.last_mut().unwrap().push_str(&text);
            }
        }
    }
    lines.pop();
    lines
}

fn hanzi(bytes: &[u8]) -> String {
    let (text, broken) = encoding_rs::GB18030.decode_without_bom_handling(bytes);
    assert!(!broken, "half a character in {bytes:02x?}");
    text.into_owned()
}

fn single(bytes: &[u8], number: u8, profile: &Profile) -> String {
    let page = profile.code_pages.iter().find(|(have, _)| *have == number).unwrap().1;
    let char_of = |&byte: &u8| {
        let mut chars = ('\u{80}'..='\u{ffff}').filter(|&c| page.encode(c) == Some(byte));
        if byte < 0x80 { char::from(byte) } else { chars.next().unwrap() }
    };
    bytes.iter().map(char_of).collect()
}
