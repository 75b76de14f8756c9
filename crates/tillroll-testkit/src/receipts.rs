//! Receipts as POS programs send them. Shops, names and numbers are invented.
//!
//! Every one passes [`Receipt::check`]; each shows one thing a printer can get wrong.

mod parts;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tillroll_domain::ids::JobKind;
use tillroll_domain::money::Minor;
use tillroll_domain::receipt::Receipt;

use self::parts::{empty, line, named, part, tax, tender, weighed};

/// Receipt number `n` of register R1: two ASCII lines, total 12.50, 20.00 in cash, 7.50 back.
#[must_use]
pub fn simple(n: u32) -> Receipt {
    let mut receipt = empty(&format!("R1-{n:06}"), JobKind::Receipt);
    receipt.lines = vec![line("Tea", 2, 300), line("Sandwich", 1, 650)];
    paid_in_cash(receipt, 1_250, 2_000)
}

/// A Chinese restaurant's bill in CNY: wide characters, a note, a charge, a discount, a tax inside.
#[must_use]
pub fn restaurant_bill() -> Receipt {
    let mut receipt = empty("20261009-000123", JobKind::Receipt);
    receipt.issued_at = Some(parts::at("2026-10-09T10:03:25+08:00"));
    receipt.header = vec!["老王面馆 一店".to_owned()];
    receipt.lines = vec![line("红烧牛肉面（大碗）", 2, 2_800)];
    receipt.lines[0].unit = Some("份".to_owned());
    receipt.lines[0].note = Some("少辣".to_owned());
    receipt.charges = vec![named("打包费", 100)];
    receipt.discounts = vec![named("会员", 300)];
    receipt.taxes = vec![tax("增值税 6%", 306, true)];
    receipt.footer = vec!["谢谢光临".to_owned()];
    paid_in_cash(receipt, 5_400, 6_000)
}

/// A French bakery's bill in EUR: accents and €, a tax inside.
#[must_use]
pub fn bakery_bill() -> Receipt {
    let mut receipt = empty("B-2041", JobKind::Receipt);
    receipt.issued_at = Some(parts::at("2026-10-09T08:12:00+02:00"));
    receipt.header = vec!["Boulangerie Chloé".to_owned(), "12, rue de l’Église".to_owned()];
    receipt.lines = vec![
        line("Crème brûlée", 1, 450),
        line("Pain au chocolat", 3, 140),
        line("Baguette à l’ancienne", 1, 130),
    ];
    receipt.taxes = vec![tax("TVA 5,5 %", 52, true)];
    receipt.footer = vec!["Merci, à bientôt ! Bon d’achat de 1 € dès 20 €".to_owned()];
    paid_in_cash(receipt, 1_000, 2_000)
}

/// A refund of one dish, in cash; amounts are positive.
#[must_use]
pub fn refund() -> Receipt {
    let mut receipt = empty("20261009-000124", JobKind::Refund);
    receipt.lines = vec![line("酸辣汤", 1, 1_800)];
    receipt.total_minor = Some(Minor(1_800));
    receipt.tenders = vec![tender("cash", 1_800)];
    receipt
}

/// Weighed goods: 0.375 kg at 13.30 is 4.9875, rounded once.
#[must_use]
pub fn weighed_goods() -> Receipt {
    let mut receipt = empty("W-77", JobKind::Receipt);
    receipt.lines = vec![weighed("Cherries", "0.375", 1_330), weighed("Potatoes", "2.500", 199)];
    paid_in_cash(receipt, 499 + 498, 1_000)
}

/// Part by card, part in cash, with a rounding to five cents and a tip.
#[must_use]
pub fn mixed_tenders() -> Receipt {
    let mut receipt = empty("M-12", JobKind::Receipt);
    receipt.lines = vec![line("Menu of the day", 2, 1_499)];
    receipt.charges = vec![named("Tip", 200)];
    receipt.taxes = vec![tax("Sales tax", 120, false)];
    receipt.rounding_minor = Some(Minor(2));
    receipt.total_minor = Some(Minor(3_320));
    receipt.tenders = vec![tender("card", 2_000), tender("cash", 1_500)];
    receipt.change_minor = Some(Minor(180));
    receipt
}

/// Receipt number `n` with that many lines of 1.00.
#[must_use]
pub fn long(n: u32, lines: u32) -> Receipt {
    let mut receipt = empty(&format!("L1-{n:06}"), JobKind::Receipt);
    receipt.lines = (1..=lines).map(|nth| line(&format!("Item {nth:03}"), 1, 100)).collect();
    let total = i64::from(lines) * 100;
    receipt.total_minor = Some(Minor(total));
    receipt.tenders = vec![tender("card", total)];
    receipt
}

/// The name of the logo of [`logo_and_codes`].
pub const LOGO: &str = "shop";

/// A logo on top, a QR code and an EAN-13 below.
#[must_use]
pub fn logo_and_codes() -> Receipt {
    let mut receipt = simple(9_001);
    receipt.logo = Some(part(LOGO));
    receipt.qr = Some("https://example.test/i/20261009-000123".to_owned());
    receipt.barcode = Some("4006381333931".to_owned());
    receipt
}

/// An order for the kitchen, without money.
#[must_use]
pub fn kitchen_order() -> Receipt {
    let mut receipt = empty("20261009-000125", JobKind::Kitchen);
    receipt.header = vec!["桌 7".to_owned()];
    receipt.lines = vec![line("宫保鸡丁", 1, 0), line("米饭", 2, 0)];
    for dish in &mut receipt.lines {
        dish.unit_price_minor = None;
    }
    receipt.lines[0].note = Some("不要花生".to_owned());
    receipt
}

/// Receipt number `n` as ESC/POS bytes in place of lines.
#[must_use]
pub fn raw(n: u32, job: &[u8]) -> Receipt {
    let mut receipt = empty(&format!("P1-{n:06}"), JobKind::Receipt);
    receipt.raw_base64 = Some(STANDARD.encode(job));
    receipt
}

/// Every typed sample with its name.
#[must_use]
pub fn samples() -> Vec<(&'static str, Receipt)> {
    vec![
        ("simple", simple(1)),
        ("restaurant_bill", restaurant_bill()),
        ("bakery_bill", bakery_bill()),
        ("refund", refund()),
        ("weighed_goods", weighed_goods()),
        ("mixed_tenders", mixed_tenders()),
        ("four_hundred_lines", long(1, 400)),
        ("logo_and_codes", logo_and_codes()),
        ("kitchen_order", kitchen_order()),
    ]
}

/// The receipt as a POS posts it.
///
/// # Panics
/// Never in practice: every receipt has a JSON form.
#[must_use]
pub fn json(receipt: &Receipt) -> String {
    serde_json::to_string(receipt).unwrap_or_else(|error| panic!("{error}"))
}

fn paid_in_cash(mut receipt: Receipt, total: i64, handed_over: i64) -> Receipt {
    receipt.total_minor = Some(Minor(total));
    receipt.tenders = vec![tender("cash", handed_over)];
    receipt.change_minor = Some(Minor(handed_over - total));
    receipt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_passes_the_checks_and_reads_back_from_json() {
        let raw = ("raw", raw(1, b"Tea\n\x1dV\x00"));
        for (name, receipt) in samples().into_iter().chain([raw]) {
            assert_eq!(receipt.check(), Ok(()), "{name}");
            assert_eq!(
                serde_json::from_str::<Receipt>(&json(&receipt)).unwrap(),
                receipt,
                "{name}"
            );
        }
    }

    #[test]
    fn raw_bytes_come_back() {
        let job: Vec<u8> = (0..=255).collect();
        for len in [1, 2, 3, 255, 256] {
            assert_eq!(raw(1, &job[..len]).raw().unwrap(), &job[..len]);
        }
    }

    #[test]
    fn simple_receipt_is_the_one_of_the_field_reports() {
        let receipt = simple(7);
        assert_eq!(receipt.order_no.as_str(), "R1-000007");
        assert_eq!(receipt.lines.len(), 2);
        assert_eq!(receipt.takings(), Minor(1_250));
        assert_eq!(receipt.change_minor, Some(Minor(750)));
    }
}
