//! Quantities: exact decimals such as `2` or `0.375`, and the one rounding of a line.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::money::Minor;

/// An exact decimal, not negative: up to nine digits before the point and six after it.
///
/// It keeps its decimals as written, so that a scale's `0.500` stays `0.500` on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Quantity {
    units: i64,
    decimals: u8,
}

/// The text is not a plain decimal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "quantity must be a decimal such as 2 or 0.375, at most 9 digits before and 6 after the point"
)]
pub struct QuantityError;

impl Quantity {
    /// Price of this quantity: `unit_price` times quantity, rounded once, half away from zero.
    #[must_use]
    pub fn price(self, unit_price: Minor) -> Minor {
        let scale = 10_i128.pow(u32::from(self.decimals));
        let product = i128::from(self.units) * i128::from(unit_price.0);
        let half = if product < 0 { -scale / 2 } else { scale / 2 };
        let rounded = (product + half) / scale;
        Minor(i64::try_from(rounded).unwrap_or(if rounded < 0 { i64::MIN } else { i64::MAX }))
    }
}

impl FromStr for Quantity {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let pointless = text.contains('.') && fraction.is_empty();
        let sized = (1..=9).contains(&whole.len()) && fraction.len() <= 6;
        if pointless || !sized || !digits(whole) || !digits(fraction) {
            return Err(QuantityError);
        }
        let units = format!("{whole}{fraction}").parse().map_err(|_| QuantityError)?;
        Ok(Self { units, decimals: u8::try_from(fraction.len()).map_err(|_| QuantityError)? })
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = usize::from(self.decimals);
        let scale = 10_i64.pow(u32::from(self.decimals));
        match width {
            0 => write!(f, "{}", self.units),
            _ => write!(f, "{}.{:0width$}", self.units / scale, self.units % scale),
        }
    }
}

impl TryFrom<String> for Quantity {
    type Error = QuantityError;

    fn try_from(text: String) -> Result<Self, QuantityError> {
        text.parse()
    }
}

impl From<Quantity> for String {
    fn from(quantity: Quantity) -> Self {
        quantity.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(quantity: &str, unit_price: i64) -> i64 {
        quantity.parse::<Quantity>().unwrap().price(Minor(unit_price)).0
    }

    #[test]
    fn weighed_goods_are_rounded_once_half_away_from_zero() {
        assert_eq!(price("0.375", 1330), 499, "498.75 fen");
        assert_eq!(price("0.5", 1), 1);
        assert_eq!(price("0.499", 1), 0);
        assert_eq!(price("0.5", -1), -1);
        assert_eq!(price("3", 250), 750);
    }

    #[test]
    fn quantity_is_shown_as_written() {
        for text in ["2", "0.500", "12.375", "999999999.999999"] {
            assert_eq!(text.parse::<Quantity>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn anything_but_a_plain_decimal_is_refused() {
        for text in
            ["", ".5", "5.", "-1", "+1", "1e3", "1,5", "1.0000001", "1234567890", "٣", "NaN"]
        {
            assert!(text.parse::<Quantity>().is_err(), "{text}");
        }
    }
}
