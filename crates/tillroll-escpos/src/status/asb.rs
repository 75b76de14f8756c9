//! The automatic status block of four bytes (`GS a`, Epson reference).

/// First byte of a block: bits 0, 1 and 7 clear, bit 4 set.
const HEADER_MASK: u8 = 0x93;
const HEADER_BITS: u8 = 0x10;
/// The other three bytes: bits 4 and 7 clear.
const BODY_MASK: u8 = 0x90;

/// A whole status block; its fixed bits are right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asb([u8; 4]);

impl Asb {
    /// The block, if its fixed bits are right.
    #[must_use]
    pub fn new(bytes: [u8; 4]) -> Option<Self> {
        let [header, body @ ..] = bytes;
        let whole = Self::starts_with(header) && body.into_iter().all(Self::continues_with);
        whole.then_some(Self(bytes))
    }

    /// The four bytes.
    #[must_use]
    pub fn bytes(self) -> [u8; 4] {
        self.0
    }

    pub(super) fn starts_with(byte: u8) -> bool {
        byte & HEADER_MASK == HEADER_BITS
    }

    pub(super) fn continues_with(byte: u8) -> bool {
        byte & BODY_MASK == 0
    }
}
