//! The printer class request GET_PORT_STATUS: paper and error lines, asked beside the data.

use nusb::transfer::{ControlIn, ControlType, Recipient};

/// The status byte of a USB printer (USB printer class 1.1, 4.2.2). Cheap printers answer a
/// constant, so it can name a cause, never prove that all is well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortStatus {
    /// Bit 5: the printer has no paper.
    pub paper_empty: bool,
    /// Bit 4: the printer is selected (online).
    pub selected: bool,
    /// Bit 3 is clear: the printer has an error.
    pub error: bool,
}

impl PortStatus {
    /// Reads the status byte.
    pub fn from_byte(byte: u8) -> Self {
        Self { paper_empty: byte & 0x20 != 0, selected: byte & 0x10 != 0, error: byte & 0x08 == 0 }
    }
}

/// The request for interface `interface`.
pub(super) fn request(interface: u8) -> ControlIn {
    ControlIn {
        control_type: ControlType::Class,
        recipient: Recipient::Interface,
        request: 1,
        value: 0,
        index: u16::from(interface),
        length: 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_as_the_printer_class_defines_them() {
        let well = PortStatus { paper_empty: false, selected: true, error: false };
        assert_eq!(PortStatus::from_byte(0x18), well);
        let paper_out = PortStatus { paper_empty: true, selected: false, error: true };
        assert_eq!(PortStatus::from_byte(0x20), paper_out);
    }
}
