//! A receipt to a document: what stands where on the paper, in the words of a locale.
//!
//! The receipt has been checked before. Every row that states an amount is marked as such, so that it
//! is printed right or not at all.

mod labels;
mod money;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use tillroll_domain::ids::{JobId, JobKind};
use tillroll_domain::money::{Currency, Minor};
use tillroll_domain::receipt::{Line, NamedAmount, Receipt, Tax};

use self::labels::Labels;
use self::money::Writing;
use crate::document::{Document, Row, Style};

/// The language of the paper, and how it writes amounts and dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Locale {
    /// Chinese as in China.
    #[serde(rename = "zh-CN")]
    ZhCn,
    /// English.
    #[default]
    #[serde(rename = "en")]
    En,
    /// French.
    #[serde(rename = "fr")]
    Fr,
    /// German.
    #[serde(rename = "de")]
    De,
}

impl Locale {
    /// Every locale.
    pub const ALL: [Self; 4] = [Self::ZhCn, Self::En, Self::Fr, Self::De];

    /// Its language tag, as in settings.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::ZhCn => "zh-CN",
            Self::En => "en",
            Self::Fr => "fr",
            Self::De => "de",
        }
    }

    /// The word for a tender type; one that is not well known stays as the POS calls it.
    #[must_use]
    pub fn tender(self, tender: &str) -> &str {
        labels::of(self).tender(tender)
    }

    /// What stands between an amount and its decimals.
    #[must_use]
    pub fn decimal_mark(self) -> char {
        match self {
            Self::ZhCn | Self::En => '.',
            Self::Fr | Self::De => ',',
        }
    }
}

/// What is printed large over paper that may exist twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// The first paper: nothing.
    #[default]
    None,
    /// A copy of paper that exists.
    Copy,
    /// Printed again, since nobody knows whether the first is on paper.
    Reprint,
}

/// What the paper says that is not in the receipt.
#[derive(Debug, Clone)]
pub struct Heading<'a> {
    /// The job's id, small at the end.
    pub job_id: &'a JobId,
    /// The store's currency.
    pub currency: Currency,
    /// The language.
    pub locale: Locale,
    /// The store's time zone.
    pub zone: TimeZone,
    /// When the register recorded the receipt: its date where the POS states none.
    pub recorded_at: Timestamp,
    /// Whether this is a copy or a reprint.
    pub mark: Mark,
    /// The store's name on top, where it is not in the receipt's own header.
    pub store_name: Option<&'a str>,
}

/// Composes the paper of a typed receipt.
#[must_use]
pub fn compose(receipt: &Receipt, heading: &Heading<'_>) -> Document {
    let mut composer = Composer {
        receipt,
        heading,
        labels: labels::of(heading.locale),
        writing: Writing { currency: heading.currency, locale: heading.locale },
        rows: Vec::new(),
    };
    composer.head();
    composer.lines();
    if receipt.kind != JobKind::Kitchen {
        composer.adjustments();
        composer.total();
        composer.tenders();
    }
    composer.foot();
    composer.rows
}

/// The mark over paper that may exist twice; none on the first paper. It goes above any other row.
#[must_use]
pub fn mark_row(mark: Mark, locale: Locale) -> Option<Row> {
    let labels = labels::of(locale);
    let text = match mark {
        Mark::None => return None,
        Mark::Copy => labels.copy,
        Mark::Reprint => labels.reprint,
    };
    Some(Row::Banner { text: text.to_owned() })
}

const PLAIN: Style = Style { wide: false, tall: false, bold: false, small: false };
const BOLD: Style = Style { bold: true, ..PLAIN };
const TALL: Style = Style { tall: true, bold: true, ..PLAIN };
const LARGE: Style = Style { wide: true, tall: true, bold: true, small: false };
const SMALL: Style = Style { small: true, ..PLAIN };

struct Composer<'a> {
    receipt: &'a Receipt,
    heading: &'a Heading<'a>,
    labels: &'static Labels,
    writing: Writing,
    rows: Document,
}

impl Composer<'_> {
    fn head(&mut self) {
        self.rows.extend(mark_row(self.heading.mark, self.heading.locale));
        if let Some(logo) = &self.receipt.logo {
            self.rows.push(Row::Logo { name: logo.as_str().to_owned() });
        }
        let name = self.heading.store_name.filter(|name| !name.is_empty());
        self.rows.extend(name.map(|name| Row::centered(name, LARGE)));
        self.rows.extend(self.receipt.header.iter().map(|text| Row::centered(text, PLAIN)));
        if let Some(title) = self.labels.title(self.receipt.kind) {
            self.rows.push(Row::centered(title, LARGE));
        }
        let number = format!("{} {}", self.labels.number, self.receipt.order_no);
        let issued_at = self.receipt.issued_at.unwrap_or(self.heading.recorded_at);
        self.rows.push(Row::columns(number, self.moment(issued_at)));
        self.rows.push(Row::Rule);
    }

    fn lines(&mut self) {
        let receipt = self.receipt;
        for line in &receipt.lines {
            match receipt.kind {
                JobKind::Kitchen => self.dish(line),
                JobKind::Receipt | JobKind::Refund | JobKind::Prebill | JobKind::Report => {
                    self.line(line);
                }
            }
            self.rows.extend(line.note.iter().map(|note| Row::text(format!("  * {note}"))));
        }
    }

    /// Name and price, and below it quantity and unit price where there is more to say than "one".
    fn line(&mut self, line: &Line) {
        match line.amount() {
            Some(amount) => self.amount(&line.name, amount, PLAIN),
            None => self.rows.push(Row::text(&line.name)),
        }
        let Some(quantity) = line.quantity.map(|quantity| self.writing.quantity(quantity)) else {
            return;
        };
        let unit = line.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
        let detail = match (line.unit_price_minor, line.unit.as_deref()) {
            (None, None) if quantity == "1" => return,
            (None, _) => format!("  {quantity}{unit}"),
            (Some(price), None) => format!("  {quantity} x {}", self.writing.plain(price)),
            (Some(price), Some(per)) => {
                format!("  {quantity}{unit} x {}/{per}", self.writing.plain(price))
            }
        };
        let money = line.unit_price_minor.is_some();
        self.rows.push(Row::Text { text: detail, align: Default::default(), style: PLAIN, money });
    }

    /// A line for the kitchen: how many of what, large, without money.
    fn dish(&mut self, line: &Line) {
        let count = line.quantity.map_or_else(|| "1".into(), |q| self.writing.quantity(q));
        let unit = line.unit.as_deref().unwrap_or("x");
        let text = format!("{count} {unit} {}", line.name);
        self.rows.push(Row::Text { text, align: Default::default(), style: TALL, money: false });
    }

    fn adjustments(&mut self) {
        let receipt = self.receipt;
        let adjusted = receipt.charges.len() + receipt.discounts.len() + receipt.taxes.len() > 0;
        if adjusted && receipt.total_minor.is_some() && receipt.lines.len() > 1 {
            self.amount(self.labels.subtotal, subtotal(receipt), PLAIN);
        }
        for NamedAmount { name, amount_minor } in &receipt.charges {
            self.amount(name, *amount_minor, PLAIN);
        }
        for NamedAmount { name, amount_minor } in &receipt.discounts {
            self.amount(name, -*amount_minor, PLAIN);
        }
        for Tax { name, amount_minor, .. } in receipt.taxes.iter().filter(|tax| !tax.included) {
            self.amount(name, *amount_minor, PLAIN);
        }
        if let Some(rounding) = receipt.rounding_minor.filter(|&rounding| rounding != Minor::ZERO) {
            self.amount(self.labels.rounding, rounding, PLAIN);
        }
    }

    fn total(&mut self) {
        let Some(total) = self.receipt.total_minor else { return };
        self.rows.push(Row::Rule);
        self.amount(self.labels.total, total, TALL);
        let receipt = self.receipt;
        for Tax { name, amount_minor, .. } in receipt.taxes.iter().filter(|tax| tax.included) {
            let name = format!("{} {name}", self.labels.included);
            self.amount(&name, *amount_minor, PLAIN);
        }
    }

    fn tenders(&mut self) {
        let receipt = self.receipt;
        for tender in &receipt.tenders {
            let name = self.labels.tender(tender.tender_type.as_str());
            self.amount(name, tender.amount_minor, PLAIN);
        }
        if let Some(change) = receipt.change_minor.filter(|&change| change != Minor::ZERO) {
            self.amount(self.labels.change, change, BOLD);
        }
    }

    fn foot(&mut self) {
        self.rows.push(Row::Rule);
        self.rows.extend(self.receipt.footer.iter().map(|text| Row::centered(text, PLAIN)));
        let qr = self.receipt.qr.clone().map(|content| Row::Qr { content });
        let barcode = self.receipt.barcode.clone().map(|content| Row::Barcode { content });
        for code in qr.into_iter().chain(barcode) {
            self.rows.extend([Row::Feed { lines: 1 }, code]);
        }
        self.rows.push(Row::Feed { lines: 1 });
        self.rows.push(Row::centered(self.heading.job_id.to_string(), SMALL));
    }

    /// A name and an amount; a refund gives back, so the kind turns the sign.
    fn amount(&mut self, name: &str, amount: Minor, style: Style) {
        let amount = match self.receipt.kind {
            JobKind::Refund => -amount,
            JobKind::Receipt | JobKind::Prebill | JobKind::Kitchen | JobKind::Report => amount,
        };
        self.rows.push(Row::amount(name, self.writing.signed(amount), style));
    }

    fn moment(&self, at: Timestamp) -> String {
        let format = match self.heading.locale {
            Locale::ZhCn | Locale::En => "%Y-%m-%d %H:%M",
            Locale::Fr => "%d/%m/%Y %H:%M",
            Locale::De => "%d.%m.%Y %H:%M",
        };
        self.heading.zone.to_datetime(at).strftime(format).to_string()
    }
}

fn subtotal(receipt: &Receipt) -> Minor {
    receipt.lines.iter().filter_map(Line::amount).sum()
}

#[cfg(test)]
mod tests;
