//! Receipt to ESC/POS bytes, bytes to device replies, and printer profiles. Pure: no I/O.
//!
//! A [`document::Document`] is composed from a receipt ([`compose`]), encoded for one printer
//! [`profile`] ([`encode`]), and what the printer answers is read by [`status`]. Fonts and pictures
//! come in as bytes; the same input always gives the same output.

pub mod barcode;
pub mod bitmap;
pub mod cjk;
pub mod code_page;
pub mod command;
pub mod compose;
pub mod document;
pub mod encode;
pub mod picture;
pub mod profile;
pub mod raw;
mod realtime;
pub mod status;
pub mod text;
pub mod typeset;
mod wrap;

#[cfg(test)]
mod test_fonts;
