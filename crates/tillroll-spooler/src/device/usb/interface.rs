//! Which interface of a printer a job goes to. Pure.

/// USB interface class of printers.
pub(super) const PRINTER_CLASS: u8 = 7;

/// USB interface class of the makers' own protocols; some receipt printers use it for plain
/// ESC/POS (TM-T88VI: 04b8:0202).
const VENDOR_CLASS: u8 = 0xFF;

/// Printer class, subclass "printer".
const PRINTER_SUBCLASS: u8 = 1;

/// Printer protocols that carry plain data: 1 one way, 2 both ways (USB printer class 1.1).
const UNIDIRECTIONAL: u8 = 1;
const BIDIRECTIONAL: u8 = 2;

/// One alternate setting of an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Alternate {
    pub(super) interface: u8,
    pub(super) setting: u8,
    pub(super) class: u8,
    pub(super) subclass: u8,
    pub(super) protocol: u8,
    /// Address of the endpoint that takes data.
    pub(super) bulk_out: Option<u8>,
    /// Address of the endpoint that gives replies.
    pub(super) bulk_in: Option<u8>,
}

impl Alternate {
    pub(super) fn is_printer(&self) -> bool {
        self.class == PRINTER_CLASS
    }

    /// The endpoint for replies, where the protocol has any.
    pub(super) fn reply_endpoint(&self) -> Option<u8> {
        let one_way = self.is_printer() && self.protocol == UNIDIRECTIONAL;
        self.bulk_in.filter(|_| !one_way)
    }

    fn rank(&self) -> Option<u8> {
        self.bulk_out?;
        match (self.class, self.subclass, self.protocol) {
            (PRINTER_CLASS, PRINTER_SUBCLASS, BIDIRECTIONAL) => Some(0),
            (PRINTER_CLASS, PRINTER_SUBCLASS, UNIDIRECTIONAL) => Some(1),
            (VENDOR_CLASS, ..) if self.bulk_in.is_some() => Some(2),
            (VENDOR_CLASS, ..) => Some(3),
            // Among them IEEE 1284.4 packets and IPP over USB, which do not take plain data.
            _ => None,
        }
    }
}

/// The best setting: the printer class both ways, then one way, then a maker's own interface.
pub(super) fn choose(alternates: &[Alternate]) -> Option<&Alternate> {
    alternates
        .iter()
        .filter(|alternate| alternate.rank().is_some())
        .min_by_key(|alternate| alternate.rank())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_WAY: Alternate = Alternate {
        interface: 0,
        setting: 0,
        class: PRINTER_CLASS,
        subclass: PRINTER_SUBCLASS,
        protocol: BIDIRECTIONAL,
        bulk_out: Some(0x01),
        bulk_in: Some(0x82),
    };
    const ONE_WAY: Alternate = Alternate { setting: 1, protocol: UNIDIRECTIONAL, ..TWO_WAY };
    const VENDOR: Alternate = Alternate { interface: 1, class: VENDOR_CLASS, ..TWO_WAY };
    const IPP: Alternate = Alternate { interface: 2, protocol: 4, ..TWO_WAY };

    #[test]
    fn interface_that_can_reply_is_preferred_in_any_order() {
        for order in [[IPP, VENDOR, ONE_WAY, TWO_WAY], [TWO_WAY, ONE_WAY, VENDOR, IPP]] {
            assert_eq!(choose(&order), Some(&TWO_WAY));
        }
        assert_eq!(choose(&[VENDOR, ONE_WAY]), Some(&ONE_WAY));
        assert_eq!(choose(&[IPP, VENDOR]), Some(&VENDOR));
    }

    #[test]
    fn interface_that_takes_no_plain_data_is_never_chosen() {
        let no_output = Alternate { bulk_out: None, ..TWO_WAY };
        let camera = Alternate { class: 14, ..TWO_WAY };
        assert_eq!(choose(&[IPP, no_output, camera]), None);
    }

    #[test]
    fn one_way_protocol_has_no_replies_even_with_an_input_endpoint() {
        assert_eq!(ONE_WAY.reply_endpoint(), None);
        assert_eq!(TWO_WAY.reply_endpoint(), Some(0x82));
        assert_eq!(VENDOR.reply_endpoint(), Some(0x82));
    }
}
