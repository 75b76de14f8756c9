//! Texts made of what a program may hand over: letters, control bytes, and commands of printers.

use bolero::TypeGenerator;
use bolero::generator::*;

/// Commands that would reset, cut, ask, clear, switch off, pulse, or go to another mode.
const COMMANDS: [&str; 16] = [
    "\u{1b}@",
    "\u{1d}V\u{0}",
    "\u{10}\u{4}\u{1}",
    "\u{10}\u{5}\u{2}",
    "\u{10}\u{14}\u{1}\u{0}\u{1}",
    "\u{10}\u{14}\u{8}\u{1}\u{3}\u{14}\u{1}\u{6}\u{2}\u{8}",
    "\u{1b}p\u{0}\u{19}\u{fa}",
    "\u{1d}a\u{ff}",
    "\u{1d}r\u{1}",
    "\u{1d}(H\u{6}\u{0}00abcd",
    "\u{1c}&",
    "\u{1b}t\u{10}",
    "\u{1b}L",
    "\u{1d}v0\u{0}\u{10}\u{0}\u{10}\u{0}",
    "\r\n\t\u{c}",
    "\u{85}\u{2028}\u{202e}\u{feff}",
];

/// Words of four scripts, and signs that some code pages have and others have not.
const WORDS: [&str; 8] =
    ["Tea", "红烧牛肉面", "Crème brûlée", "€", "Привет", "مرحبا", "👍🏽e\u{301}", "￥¥｜─"];

/// A piece of a text.
#[derive(Debug, Clone, TypeGenerator)]
pub enum Piece {
    Command(#[generator(0..COMMANDS.len())] usize),
    Word(#[generator(0..WORDS.len())] usize),
    Control(#[generator(0..32u8)] u8),
    Letter(#[generator(32..127u8)] u8),
    Any(char),
}

/// A short text.
#[derive(Debug, Clone, TypeGenerator)]
pub struct Text(#[generator(produce::<Vec<Piece>>().with().len(0..8usize))] pub Vec<Piece>);

impl Text {
    pub fn text(&self) -> String {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Command(at) => text.push_str(COMMANDS[*at]),
                Piece::Word(at) => text.push_str(WORDS[*at]),
                Piece::Control(byte) | Piece::Letter(byte) => text.push(char::from(*byte)),
                Piece::Any(any) => text.push(*any),
            }
        }
        text
    }
}
