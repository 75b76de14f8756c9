//! Money: integer minor units of one currency, and how an amount is written.
//!
//! The number of decimals per currency is ISO 4217's. Nothing here divides or uses floating point.

mod iso_4217;

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Neg, Sub};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The largest amount accepted from outside, in minor units: fits a JSON number exactly, and ten
/// thousand of them still add up without overflow.
pub const AMOUNT_MAX: i64 = 99_999_999_999_999;

/// An amount in minor units (cents, fen, yen). Arithmetic saturates; amounts from outside are
/// bounded by [`AMOUNT_MAX`], so a day's sums stay far from the limit.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Minor(pub i64);

impl Minor {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// Whether the amount may come from outside: not negative, not past [`AMOUNT_MAX`].
    #[must_use]
    pub fn is_plain(self) -> bool {
        (0..=AMOUNT_MAX).contains(&self.0)
    }
}

impl Add for Minor {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Minor {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Minor {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl Sum for Minor {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// An ISO 4217 currency: three letters, and its decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency {
    code: [u8; 3],
    decimals: u8,
}

/// The text is no currency.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be the code of a currency in ISO 4217, such as CNY or EUR")]
pub struct CurrencyError;

impl Currency {
    /// The three letters.
    #[must_use]
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.code).unwrap_or("XXX")
    }

    /// How many decimals its minor unit has.
    #[must_use]
    pub fn decimals(self) -> u8 {
        self.decimals
    }

    /// The sign printed before or after an amount, or the code where there is no well-known one.
    #[must_use]
    pub fn sign(&self) -> &str {
        match self.code() {
            "CNY" | "JPY" => "¥",
            "EUR" => "€",
            "GBP" => "£",
            "USD" => "$",
            code => code,
        }
    }

    /// The amount with its decimals and the given mark between: `-12.50`.
    #[must_use]
    pub fn digits(self, amount: Minor, mark: char) -> String {
        let sign = if amount.0 < 0 { "-" } else { "" };
        let value = amount.0.unsigned_abs();
        if self.decimals == 0 {
            return format!("{sign}{value}");
        }
        let width = usize::from(self.decimals);
        let unit = 10_u64.pow(u32::from(self.decimals));
        format!("{sign}{}{mark}{:0width$}", value / unit, value % unit)
    }
}

impl FromStr for Currency {
    type Err = CurrencyError;

    fn from_str(text: &str) -> Result<Self, CurrencyError> {
        let code: [u8; 3] = text.as_bytes().try_into().map_err(|_| CurrencyError)?;
        let decimals = iso_4217::decimals(text).ok_or(CurrencyError)?;
        Ok(Self { code, decimals })
    }
}

impl TryFrom<String> for Currency {
    type Error = CurrencyError;

    fn try_from(text: String) -> Result<Self, CurrencyError> {
        text.parse()
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.code().to_owned()
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_with_the_decimals_of_their_currency() {
        let written =
            |code: &str, amount| code.parse::<Currency>().unwrap().digits(Minor(amount), '.');
        assert_eq!(written("CNY", 5400), "54.00");
        assert_eq!(written("EUR", -5), "-0.05");
        assert_eq!(written("JPY", 1200), "1200");
        assert_eq!(written("KWD", 1), "0.001");
        assert_eq!(written("EUR", i64::MIN), "-92233720368547758.08");
    }

    #[test]
    fn currency_is_one_of_iso_4217() {
        for text in ["", "eur", "EURO", "E1R", "€", "XYZ", "XXX", "XTS", "XAU", "HRK"] {
            assert!(text.parse::<Currency>().is_err(), "{text}");
        }
        let decimals = |text: &str| text.parse::<Currency>().unwrap().decimals();
        assert_eq!(["CLP", "MRU", "TND", "XCG"].map(decimals), [0, 2, 3, 2]);
    }

    #[test]
    fn each_currency_is_listed_once() {
        use super::iso_4217::{THREE_DECIMALS, TWO_DECIMALS, WITHOUT_DECIMALS};
        let lists: [&[&str]; 3] = [&WITHOUT_DECIMALS, &TWO_DECIMALS, &THREE_DECIMALS];
        let mut codes = lists.concat();
        let listed = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), listed);
        assert!(codes.iter().all(|code| code.len() == 3));
    }

    #[test]
    fn plain_amounts_are_neither_negative_nor_past_the_limit() {
        assert!(Minor(0).is_plain() && Minor(AMOUNT_MAX).is_plain());
        assert!(!Minor(-1).is_plain() && !Minor(AMOUNT_MAX + 1).is_plain());
    }
}
