//! The business day: the store's time zone and cut-off hour decide to which day an instant belongs.
//!
//! A day runs from its cut-off to the next day's cut-off, half open, in the store's zone. The sum of all
//! days is the sum of all instants: each belongs to exactly one.

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};

/// Zone and cut-off of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BusinessCalendar {
    zone: TimeZone,
    cutoff: Time,
}

/// Why there is no calendar.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CalendarError {
    /// The zone is empty or not in the zone database. It is refused, never assumed.
    #[error("zone must be a name of the time zone database such as Asia/Shanghai, not {0:?}")]
    Zone(String),
    /// The cut-off is not a time of day.
    #[error("cutoff must be a time of day such as 04:00, not {0:?}")]
    Cutoff(String),
}

impl BusinessCalendar {
    /// A calendar from the names of the settings: `Asia/Shanghai`, `04:00`.
    ///
    /// # Errors
    /// [`CalendarError`] names the setting that is wrong.
    pub fn parse(zone: &str, cutoff: &str) -> Result<Self, CalendarError> {
        let zone = TimeZone::get(zone).map_err(|_| CalendarError::Zone(zone.to_owned()))?;
        let shaped = cutoff.len() == 5 && cutoff.as_bytes()[2] == b':';
        let time = Time::strptime("%H:%M", cutoff).ok().filter(|_| shaped);
        let cutoff = time.ok_or_else(|| CalendarError::Cutoff(cutoff.to_owned()))?;
        Ok(Self { zone, cutoff })
    }

    /// The store's zone.
    #[must_use]
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The business day an instant belongs to.
    #[must_use]
    pub fn day_of(&self, at: Timestamp) -> Date {
        let date = self.zone.to_datetime(at).date();
        if at < self.start_of(date) { date.yesterday().unwrap_or(date) } else { date }
    }

    /// The first instant of a business day. A cut-off that a clock change skips or repeats counts as the
    /// earlier reading of the zone rules ("compatible" disambiguation of RFC 5545).
    #[must_use]
    pub fn start_of(&self, day: Date) -> Timestamp {
        let civil = day.to_datetime(self.cutoff);
        self.zone.to_ambiguous_timestamp(civil).compatible().unwrap_or(Timestamp::MIN)
    }

    /// The half-open range of a business day.
    #[must_use]
    pub fn range_of(&self, day: Date) -> (Timestamp, Timestamp) {
        let next = day.checked_add(1.day()).unwrap_or(day);
        (self.start_of(day), self.start_of(next))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use proptest::prelude::*;

    use super::*;

    fn calendar(zone: &str, cutoff: &str) -> BusinessCalendar {
        BusinessCalendar::parse(zone, cutoff).unwrap()
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn evening_sale_belongs_to_its_own_day_although_utc_is_already_tomorrow() {
        let sao_paulo = calendar("America/Sao_Paulo", "00:00");
        assert_eq!(sao_paulo.day_of(at("2026-03-15T02:30:00Z")), date(2026, 3, 14));
        assert_eq!(sao_paulo.day_of(at("2026-03-15T03:00:00Z")), date(2026, 3, 15));
    }

    #[test]
    fn sale_after_midnight_belongs_to_the_evening_before_the_cutoff() {
        let shanghai = calendar("Asia/Shanghai", "04:00");
        assert_eq!(shanghai.day_of(at("2026-10-10T03:59:59+08:00")), date(2026, 10, 9));
        assert_eq!(shanghai.day_of(at("2026-10-10T04:00:00+08:00")), date(2026, 10, 10));
    }

    #[test]
    fn day_of_a_clock_change_has_23_or_25_hours_and_no_gap() {
        let paris = calendar("Europe/Paris", "02:30");
        let hours = |day| {
            let (start, end) = paris.range_of(day);
            end.duration_since(start).as_hours()
        };
        assert_eq!(hours(date(2026, 3, 28)) + hours(date(2026, 3, 29)), 47);
        assert_eq!(hours(date(2026, 10, 24)) + hours(date(2026, 10, 25)), 49);
    }

    #[test]
    fn unset_zone_is_refused_not_assumed() {
        let refused = |zone, cutoff| BusinessCalendar::parse(zone, cutoff).unwrap_err();
        assert_eq!(refused("", "04:00"), CalendarError::Zone(String::new()));
        assert_eq!(refused("Mars/Olympus", "04:00"), CalendarError::Zone("Mars/Olympus".into()));
        for cutoff in ["", "4", "4:00", "24:00", "04:60", "04:00:00", "-4:00"] {
            assert_eq!(refused("UTC", cutoff), CalendarError::Cutoff(cutoff.into()));
        }
    }

    proptest! {
        #[test]
        fn each_instant_lies_in_exactly_its_own_day(second in 0i64..4_000_000_000, hour in 0u8..24, zone in 0usize..5) {
            let zones = ["Asia/Shanghai", "America/Sao_Paulo", "Europe/Paris", "Australia/Lord_Howe", "Africa/Casablanca"];
            let calendar = calendar(zones[zone], &format!("{hour:02}:30"));
            let instant = Timestamp::from_second(second).unwrap();
            let day = calendar.day_of(instant);
            let (start, end) = calendar.range_of(day);
            prop_assert!(start <= instant && instant < end, "{instant} in {day}: {start}..{end}");
        }
    }
}
