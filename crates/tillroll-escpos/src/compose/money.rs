//! How a locale writes amounts and quantities.

use tillroll_domain::money::{Currency, Minor};
use tillroll_domain::quantity::Quantity;

use super::Locale;

/// A currency in the hand of a locale.
#[derive(Clone, Copy)]
pub(super) struct Writing {
    pub(super) currency: Currency,
    pub(super) locale: Locale,
}

impl Writing {
    /// An amount with its currency: `￥28.00`, `-€4.50`, `CHF 4.50`, `4,50 €` with a hard space.
    pub(super) fn signed(self, amount: Minor) -> String {
        let sign = self.sign();
        if self.sign_behind() {
            return format!("{}\u{a0}{sign}", self.plain(amount));
        }
        let digits = self.plain(amount);
        let (minus, digits) = digits.strip_prefix('-').map_or(("", &*digits), |rest| ("-", rest));
        let space = if sign.chars().count() > 1 { "\u{a0}" } else { "" };
        format!("{minus}{sign}{space}{digits}")
    }

    /// An amount without its currency.
    pub(super) fn plain(self, amount: Minor) -> String {
        self.currency.digits(amount, self.mark())
    }

    /// A quantity as the POS wrote it, with the locale's decimal mark.
    pub(super) fn quantity(self, quantity: Quantity) -> String {
        quantity.to_string().replace('.', self.mark().encode_utf8(&mut [0; 4]))
    }

    /// Chinese paper shows the full-width yen sign, the one its printers have.
    fn sign(&self) -> &str {
        match (self.locale, self.currency.sign()) {
            (Locale::ZhCn, "¥") => "￥",
            (_, sign) => sign,
        }
    }

    fn mark(self) -> char {
        self.locale.decimal_mark()
    }

    fn sign_behind(self) -> bool {
        match self.locale {
            Locale::Fr | Locale::De => true,
            Locale::ZhCn | Locale::En => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_as_the_locale_does() {
        let written = |locale, code: &str, amount| {
            let writing = Writing { currency: code.parse().unwrap(), locale };
            writing.signed(Minor(amount))
        };
        assert_eq!(written(Locale::ZhCn, "CNY", 2800), "￥28.00");
        assert_eq!(written(Locale::ZhCn, "CNY", -300), "-￥3.00");
        assert_eq!(written(Locale::En, "EUR", 450), "€4.50");
        assert_eq!(written(Locale::En, "CHF", 450), "CHF\u{a0}4.50");
        assert_eq!(written(Locale::Fr, "EUR", 450), "4,50\u{a0}€");
        assert_eq!(written(Locale::De, "EUR", -5), "-0,05\u{a0}€");
        assert_eq!(written(Locale::En, "JPY", 1200), "¥1200");
    }
}
