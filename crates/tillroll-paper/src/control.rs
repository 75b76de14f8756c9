//! Control codes of ESC/POS.

pub(crate) const EOT: u8 = 0x04;
pub(crate) const ENQ: u8 = 0x05;
pub(crate) const HT: u8 = 0x09;
pub(crate) const LF: u8 = 0x0A;
pub(crate) const FF: u8 = 0x0C;
pub(crate) const CR: u8 = 0x0D;
pub(crate) const DLE: u8 = 0x10;
pub(crate) const DC4: u8 = 0x14;
pub(crate) const ESC: u8 = 0x1B;
pub(crate) const FS: u8 = 0x1C;
pub(crate) const GS: u8 = 0x1D;
