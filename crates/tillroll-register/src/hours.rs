//! The hours of a day: how many receipts each brought, and how many of them are still open.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use tillroll_store::Quarter;

use crate::Register;
use crate::problem::Problem;
use crate::view::HourView;

impl Register {
    /// The hours of a business day on the store's clock, from the first with a receipt to the last.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn hours(&self, day: Date) -> Result<Vec<HourView>, Problem> {
        let quarters = self.store().quarters(day).await?;
        Ok(by_hour(&quarters, self.calendar().zone()))
    }
}

/// Hours in the order of time, empty ones between two others included. An hour that the clock shows
/// twice, at the end of summer time, is one.
fn by_hour(quarters: &[Quarter], zone: &TimeZone) -> Vec<HourView> {
    let mut hours: Vec<HourView> = Vec::new();
    for quarter in quarters {
        let hour = zone.to_datetime(quarter.began_at).hour().unsigned_abs();
        fill_up_to(&mut hours, hour);
        if let Some(last) = hours.last_mut() {
            last.receipts += quarter.receipts;
            last.still_open += quarter.still_open;
        }
    }
    hours
}

/// Adds hours until `hour` is the last. A day has no more than 24 of them.
fn fill_up_to(hours: &mut Vec<HourView>, hour: u8) {
    let empty = |hour| HourView { hour, receipts: 0, still_open: 0 };
    match hours.last().map(|last| last.hour) {
        None => hours.push(empty(hour)),
        Some(mut last) => {
            while last != hour {
                last = (last + 1) % 24;
                hours.push(empty(last));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quarter(at: &str, receipts: i64, still_open: i64) -> Quarter {
        Quarter { began_at: at.parse().unwrap(), receipts, still_open }
    }

    #[test]
    fn quarters_of_an_hour_are_one_and_empty_hours_between_are_shown() {
        let zone = TimeZone::get("Asia/Shanghai").unwrap();
        let quarters = [
            quarter("2026-10-09T14:00:00Z", 3, 1),
            quarter("2026-10-09T14:45:00Z", 2, 0),
            quarter("2026-10-09T17:15:00Z", 1, 1),
        ];
        let hours = by_hour(&quarters, &zone);
        let shown: Vec<_> = hours.iter().map(|h| (h.hour, h.receipts, h.still_open)).collect();
        assert_eq!(shown, [(22, 5, 1), (23, 0, 0), (0, 0, 0), (1, 1, 1)]);
    }

    #[test]
    fn hour_shown_twice_by_the_clock_is_one() {
        let zone = TimeZone::get("Europe/Paris").unwrap();
        let quarters =
            [quarter("2026-10-25T00:30:00Z", 1, 0), quarter("2026-10-25T01:30:00Z", 1, 0)];
        assert_eq!(by_hour(&quarters, &zone), [HourView { hour: 2, receipts: 2, still_open: 0 }]);
    }

    #[test]
    fn zone_with_a_quarter_hour_offset_keeps_its_hours() {
        let zone = TimeZone::get("Asia/Kathmandu").unwrap();
        let quarters =
            [quarter("2026-10-09T00:00:00Z", 1, 0), quarter("2026-10-09T00:15:00Z", 1, 0)];
        let hours: Vec<_> =
            by_hour(&quarters, &zone).iter().map(|h| (h.hour, h.receipts)).collect();
        assert_eq!(hours, [(5, 1), (6, 1)]);
    }
}
