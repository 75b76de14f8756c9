//! What the command line must know of the store to show amounts, times and days as people there do.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;
use tillroll_domain::business_day::BusinessCalendar;
use tillroll_domain::clock::Clock;
use tillroll_domain::money::Minor;
use tillroll_register::SystemClock;
use tillroll_store::RegisterSettings;

use crate::failure::Failure;

/// A store's currency, zone and business day.
#[derive(Debug, Clone)]
pub struct Shop {
    settings: RegisterSettings,
    calendar: BusinessCalendar,
}

impl Shop {
    /// The shop of these settings.
    ///
    /// # Errors
    /// When zone or cut-off are not known to this program.
    pub fn of(settings: RegisterSettings) -> Result<Self, Failure> {
        let calendar = settings.calendar().map_err(tillroll_register::BootError::from)?;
        Ok(Self { settings, calendar })
    }

    /// Store, register and currency, as a heading.
    pub fn heading(&self) -> String {
        let RegisterSettings { store, register, currency, .. } = &self.settings;
        format!("store {store}, register {register}, {}", currency.code())
    }

    /// An amount with its decimals, without the currency.
    pub fn amount(&self, minor: i64) -> String {
        self.settings.currency.digits(Minor(minor), '.')
    }

    /// An amount with its currency.
    pub fn money(&self, minor: i64) -> String {
        format!("{} {}", self.amount(minor), self.settings.currency.code())
    }

    /// A moment, to the second, in the store's zone.
    pub fn moment(&self, at: Timestamp) -> String {
        self.local(at, "%Y-%m-%d %H:%M:%S")
    }

    /// The time of day, to the millisecond, in the store's zone.
    pub fn time(&self, at: Timestamp) -> String {
        self.local(at, "%H:%M:%S%.3f")
    }

    fn local(&self, at: Timestamp, format: &str) -> String {
        self.calendar.zone().to_datetime(at).strftime(format).to_string()
    }

    /// The business day that was asked for.
    pub fn day(&self, asked: Day) -> Date {
        match asked {
            Day::Today => self.calendar.day_of(SystemClock.now()),
            Day::Date(date) => date,
        }
    }
}

/// A business day on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Day {
    /// The one that runs now at the store.
    Today,
    /// That one.
    Date(Date),
}

/// The text is no day.
#[derive(Debug, thiserror::Error)]
#[error("must be a date such as 2026-10-09, or today")]
pub struct NoDay;

impl FromStr for Day {
    type Err = NoDay;

    fn from_str(text: &str) -> Result<Self, NoDay> {
        if text == "today" {
            return Ok(Self::Today);
        }
        text.parse().map(Self::Date).map_err(|_| NoDay)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Today => f.write_str("today"),
            Self::Date(date) => write!(f, "{date}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shop(currency: &str) -> Shop {
        let settings = RegisterSettings {
            store: "S1".parse().unwrap(),
            register: "R1".parse().unwrap(),
            zone: "Asia/Shanghai".to_owned(),
            cutoff: "04:00".to_owned(),
            currency: currency.parse().unwrap(),
            locale: "en".to_owned(),
        };
        Shop::of(settings).unwrap()
    }

    #[test]
    fn amounts_have_the_decimals_of_their_currency() {
        assert_eq!(shop("CNY").money(-305), "-3.05 CNY");
        assert_eq!(shop("JPY").money(1200), "1200 JPY");
    }

    #[test]
    fn moments_are_shown_in_the_zone_of_the_store() {
        let at = "2026-10-09T20:03:25.5Z".parse().unwrap();
        assert_eq!(shop("CNY").moment(at), "2026-10-10 04:03:25");
        assert_eq!(shop("CNY").time(at), "04:03:25.500");
    }

    #[test]
    fn day_is_a_date_or_today() {
        assert_eq!("today".parse::<Day>().unwrap(), Day::Today);
        assert_eq!("2026-10-09".parse::<Day>().unwrap().to_string(), "2026-10-09");
        assert!("9.10.2026".parse::<Day>().is_err());
    }
}
