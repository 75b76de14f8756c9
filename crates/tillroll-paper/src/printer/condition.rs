//! The printer's condition and how it looks in status bytes.
//!
//! Bit layouts: Epson DLE EOT, GS r and GS a references.

/// Paper sensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paper {
    /// Enough paper.
    #[default]
    Ok,
    /// Little left; printing goes on.
    NearEnd,
    /// None left; printing stops.
    End,
}

/// Faults of the mechanism; all stop printing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceError {
    /// Goes away by `DLE ENQ`.
    Recoverable,
    /// Cutter jam; goes away by `DLE ENQ`.
    Cutter,
    /// Needs repair.
    Unrecoverable,
    /// Goes away by itself, such as a hot print head.
    AutoRecoverable,
}

impl DeviceError {
    /// Whether `DLE ENQ` ends it.
    pub(crate) fn ends_on_request(self) -> bool {
        matches!(self, Self::Recoverable | Self::Cutter)
    }
}

/// Everything the status bytes tell.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Condition {
    pub(crate) paper: Paper,
    pub(crate) cover_open: bool,
    pub(crate) error: Option<DeviceError>,
    /// Taken off line at the panel.
    pub(crate) switched_offline: bool,
    pub(crate) drawer_pin_high: bool,
}

impl Condition {
    /// Whether the printer is off line: nothing is processed from the receive buffer.
    pub(crate) fn offline(&self) -> bool {
        self.switched_offline || self.cover_open || self.error.is_some() || self.paper == Paper::End
    }

    /// Answer to `DLE EOT n`.
    pub(crate) fn realtime_status(&self, n: u8) -> u8 {
        let bits = match n {
            1 => bit(self.drawer_pin_high, 0x04) | bit(self.offline(), 0x08),
            2 => {
                bit(self.cover_open, 0x04)
                    | bit(self.paper == Paper::End, 0x20)
                    | bit(self.error.is_some(), 0x40)
            }
            3 => self.error_bits(),
            _ => match self.paper {
                Paper::Ok => 0,
                Paper::NearEnd => 0x0C,
                Paper::End => 0x6C,
            },
        };
        0x12 | bits
    }

    /// Answer to `GS r 1`.
    pub(crate) fn paper_status(&self) -> u8 {
        match self.paper {
            Paper::Ok => 0,
            Paper::NearEnd => 0x03,
            Paper::End => 0x0F,
        }
    }

    /// Answer to `GS r 2`.
    pub(crate) fn drawer_status(&self) -> u8 {
        bit(self.drawer_pin_high, 0x01)
    }

    /// The four bytes of automatic status back.
    pub(crate) fn automatic_status(&self) -> [u8; 4] {
        let first = bit(self.drawer_pin_high, 0x04)
            | bit(self.offline(), 0x08)
            | bit(self.cover_open, 0x20);
        [0x10 | first, self.error_bits(), self.paper_status(), 0]
    }

    /// Whether a host that reports with `mask` (`GS a n`) hears of a change from `before`.
    pub(crate) fn change_shows(&self, before: &Self, mask: u8) -> bool {
        mask & 0x01 != 0 && self.drawer_pin_high != before.drawer_pin_high
            || mask & 0x02 != 0 && self.offline() != before.offline()
            || mask & 0x02 != 0 && self.cover_open != before.cover_open
            || mask & 0x04 != 0 && self.error != before.error
            || mask & 0x08 != 0 && self.paper != before.paper
    }

    fn error_bits(&self) -> u8 {
        match self.error {
            None => 0,
            Some(DeviceError::Recoverable) => 0x04,
            Some(DeviceError::Cutter) => 0x08,
            Some(DeviceError::Unrecoverable) => 0x20,
            Some(DeviceError::AutoRecoverable) => 0x40,
        }
    }
}

fn bit(set: bool, mask: u8) -> u8 {
    if set { mask } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn healthy_printer_answers_twelve_to_everything() {
        let healthy = Condition::default();
        assert_eq!([1, 2, 3, 4].map(|n| healthy.realtime_status(n)), [0x12; 4]);
        assert_eq!(healthy.automatic_status(), [0x10, 0, 0, 0]);
        assert_eq!(healthy.paper_status(), 0);
    }

    #[test]
    fn paper_end_shows_everywhere() {
        let empty = Condition { paper: Paper::End, ..Condition::default() };
        assert_eq!([1, 2, 3, 4].map(|n| empty.realtime_status(n)), [0x1A, 0x32, 0x12, 0x7E]);
        assert_eq!(empty.automatic_status(), [0x18, 0, 0x0F, 0]);
    }

    #[test]
    fn every_status_keeps_its_fixed_bits() {
        let broken = Condition {
            paper: Paper::End,
            cover_open: true,
            error: Some(DeviceError::Unrecoverable),
            switched_offline: true,
            drawer_pin_high: true,
        };
        assert!((1..=4).all(|n| broken.realtime_status(n) & 0x93 == 0x12));
        let [first, rest @ ..] = broken.automatic_status();
        assert_eq!(first & 0x93, 0x10);
        assert!(rest.iter().all(|byte| byte & 0x90 == 0));
        assert_eq!(broken.paper_status() & 0x90, 0);
    }

    #[test]
    fn change_is_reported_only_where_the_mask_asks() {
        let (before, after) =
            (Condition::default(), Condition { paper: Paper::NearEnd, ..Condition::default() });
        assert!(after.change_shows(&before, 0x08));
        assert!(!after.change_shows(&before, 0x07));
    }
}
