//! QR and bar codes: drawn by the printer where it can, else as pictures.
//!
//! Content that would put a control byte or a real-time sequence into the stream is always drawn here.

use qrcode::{Color, EcLevel, QrCode};

use super::pen::Look;
use super::{EncodeError, Encoder, Note};
use crate::barcode::{self, QUIET};
use crate::bitmap::Bitmap;
use crate::command::GS;
use crate::document::Style;
use crate::realtime;
use crate::typeset::Align;

/// Quiet modules around a QR code (ISO/IEC 18004).
const QR_QUIET: u32 = 4;
/// The largest module of a QR code, in dots; more wastes paper.
const QR_MODULE_MAX: u32 = 6;
/// Modules a printer's own encoder may need more than ours, which packs digits tighter: two versions.
const QR_SLACK: u32 = 8;
/// Height of a bar code, in dots.
const BAR_HEIGHT: u8 = 80;
/// Modules of a bar code in dots, the best readable first; a printer's own begin at 2.
const BAR_MODULES: [u32; 3] = [3, 2, 1];

impl Encoder<'_> {
    pub(super) fn qr(&mut self, at: usize, content: &str) -> Result<(), EncodeError> {
        let refused = EncodeError::CodeNotRenderable { row: at, code: "QR code" };
        let Ok(code) = QrCode::with_error_correction_level(content, EcLevel::M) else {
            return Err(refused);
        };
        let modules = u32::try_from(code.width()).unwrap_or(u32::MAX);
        if let Some(command) = self.own_qr(content, modules) {
            self.pen.align(Align::Center);
            self.pen.command(&command);
            return Ok(());
        }
        let module = self.profile.dots * 2 / 3 / (modules + 2 * QR_QUIET);
        let module = module.clamp(2, QR_MODULE_MAX);
        let fits = (modules + 2 * QR_QUIET) * module <= self.profile.dots;
        if !fits || !self.profile.prints_pictures() {
            return Err(refused);
        }
        self.notes.push(Note::CodeAsPicture { row: at });
        self.picture(&drawn_qr(&code).enlarged(module), Align::Center);
        Ok(())
    }

    /// The commands with which the printer draws the code itself.
    fn own_qr(&self, content: &str, modules: u32) -> Option<Vec<u8>> {
        let modules = modules + 2 * QR_QUIET + QR_SLACK;
        let module = (self.profile.dots * 2 / 3 / modules).clamp(2, QR_MODULE_MAX);
        let short = content.len() <= self.profile.max_qr_bytes as usize;
        let fits = modules * module <= self.profile.dots;
        if !self.profile.qr || !short || !fits || content.chars().any(char::is_control) {
            return None;
        }
        let command = qr_commands(content.as_bytes(), module as u8)?;
        (!realtime::is_in(&command)).then_some(command)
    }

    pub(super) fn barcode(&mut self, at: usize, content: &str) -> Result<(), EncodeError> {
        let refused = EncodeError::CodeNotRenderable { row: at, code: "bar code" };
        if let Some(command) = self.own_barcode(content) {
            self.pen.align(Align::Center);
            self.pen.command(&command);
            return Ok(());
        }
        let modules = barcode::ean13(content).or_else(|| barcode::code128(content));
        let bitmap = modules.and_then(|modules| drawn_bars(&modules, self.profile.dots));
        let Some(bitmap) = bitmap.filter(|_| self.profile.prints_pictures()) else {
            return Err(refused);
        };
        self.notes.push(Note::CodeAsPicture { row: at });
        self.picture(&bitmap, Align::Center);
        let plain: Look = Style::default().into();
        self.text(at, content, Align::Center, plain, false)
    }

    fn own_barcode(&self, content: &str) -> Option<Vec<u8>> {
        if !self.profile.barcode_b {
            return None;
        }
        if barcode::is_ean13(content) {
            let module = own_module(95, self.profile.dots)?;
            return bar_commands(67, content.as_bytes(), module);
        }
        barcode::code128(content)?;
        let symbols = content.len() as u32 + 3;
        let module = own_module(symbols * 11 + 2, self.profile.dots)?;
        let data = format!("{{B{}", content.replace('{', "{{"));
        bar_commands(73, data.as_bytes(), module)
    }
}

/// GS ( k: model 2, module size, error correction M, store, print.
fn qr_commands(content: &[u8], module: u8) -> Option<Vec<u8>> {
    let [low, high] = u16::try_from(content.len() + 3).ok()?.to_le_bytes();
    let mut commands = vec![GS, b'(', b'k', 4, 0, 49, 65, 50, 0];
    commands.extend([GS, b'(', b'k', 3, 0, 49, 67, module]);
    commands.extend([GS, b'(', b'k', 3, 0, 49, 69, 49]);
    commands.extend([GS, b'(', b'k', low, high, 49, 80, 48]);
    commands.extend_from_slice(content);
    commands.extend([GS, b'(', b'k', 3, 0, 49, 81, 48]);
    Some(commands)
}

/// GS h, GS w, GS f, GS H (content below), and GS k in its form with a length.
fn bar_commands(kind: u8, data: &[u8], module: u8) -> Option<Vec<u8>> {
    let count = u8::try_from(data.len()).ok()?;
    let mut commands = vec![GS, b'h', BAR_HEIGHT, GS, b'w', module, GS, b'f', 0, GS, b'H', 2];
    commands.extend([GS, b'k', kind, count]);
    commands.extend_from_slice(data);
    Some(commands)
}

fn own_module(modules: u32, dots: u32) -> Option<u8> {
    let module = widest_module(modules, dots).filter(|&module| module >= 2)?;
    u8::try_from(module).ok()
}

fn widest_module(modules: u32, dots: u32) -> Option<u32> {
    BAR_MODULES.into_iter().find(|module| (modules + 2 * QUIET) * module <= dots)
}

fn drawn_bars(modules: &[bool], dots: u32) -> Option<Bitmap> {
    let count = u32::try_from(modules.len()).ok()?;
    let module = widest_module(count, dots)?;
    let mut bitmap = Bitmap::new((count + 2 * QUIET) * module, u32::from(BAR_HEIGHT));
    for (at, _) in (QUIET..).zip(modules).filter(|(_, bar)| **bar) {
        bitmap.fill(at * module, 0, module, u32::from(BAR_HEIGHT));
    }
    Some(bitmap)
}

fn drawn_qr(code: &QrCode) -> Bitmap {
    let width = code.width() as u32;
    let mut bitmap = Bitmap::new(width + 2 * QR_QUIET, width + 2 * QR_QUIET);
    for (at, _) in (0..).zip(code.to_colors()).filter(|(_, color)| *color == Color::Dark) {
        bitmap.set(QR_QUIET + at % width, QR_QUIET + at / width, true);
    }
    bitmap
}
