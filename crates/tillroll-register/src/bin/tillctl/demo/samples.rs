//! The sample receipts. Shops, names and numbers are invented.

use tillroll_domain::ids::JobKind;
use tillroll_domain::money::Minor;
use tillroll_domain::receipt::{Line, Receipt, Tender};

use crate::failure::Failure;

/// A receipt and what it shows.
pub(super) struct Sample {
    pub title: &'static str,
    pub receipt: Receipt,
}

/// The logo of the restaurant, by the name its receipts use.
pub(super) const LOGO: &str = "shop.png";
/// The picture itself.
pub(super) const LOGO_PICTURE: &[u8] = include_bytes!("../../../../../../icons/128x128.png");
/// Lines of the long receipt.
const LONG: u32 = 400;

/// The receipts of the restaurant, in the order they are sold.
pub(super) fn restaurant() -> Result<Vec<Sample>, Failure> {
    let read =
        |title, text| Ok::<_, Failure>(Sample { title, receipt: serde_json::from_str(text)? });
    Ok(vec![
        read("A restaurant bill", include_str!("../samples/restaurant.json"))?,
        read("Weighed goods: 0.375 kg at 13.30", include_str!("../samples/weighed.json"))?,
        read("Card and cash together, rounded", include_str!("../samples/mixed.json"))?,
        read("A refund", include_str!("../samples/refund.json"))?,
        read("A logo, a QR code and a bar code", include_str!("../samples/codes.json"))?,
        Sample { title: "400 lines on one receipt", receipt: long()? },
    ])
}

/// The bill of the bakery.
pub(super) fn bakery() -> Result<Receipt, Failure> {
    Ok(serde_json::from_str(include_str!("../samples/bakery.json"))?)
}

/// A small sale in cash.
pub(super) fn noodles(order_no: &str) -> Result<Receipt, Failure> {
    let mut receipt = empty(order_no)?;
    receipt.header = vec!["老王面馆 一店".to_owned()];
    receipt.lines = vec![line("葱油拌面".to_owned(), 1_500), line("卤蛋".to_owned(), 300)];
    pay(receipt, 1_800, "cash")
}

fn long() -> Result<Receipt, Failure> {
    let mut receipt = empty("1005")?;
    receipt.header = vec!["老王面馆 一店 · 团餐".to_owned()];
    receipt.lines = (1..=LONG).map(|nth| line(format!("套餐 {nth:03} 号"), 1_800)).collect();
    pay(receipt, i64::from(LONG) * 1_800, "card")
}

fn empty(order_no: &str) -> Result<Receipt, Failure> {
    Ok(Receipt::new(order_no.parse().map_err(Failure::demo)?, JobKind::Receipt))
}

fn pay(mut receipt: Receipt, total: i64, tender: &str) -> Result<Receipt, Failure> {
    let tender_type = tender.parse().map_err(Failure::demo)?;
    receipt.total_minor = Some(Minor(total));
    receipt.tenders = vec![Tender { tender_type, amount_minor: Minor(total) }];
    Ok(receipt)
}

fn line(name: String, amount: i64) -> Line {
    let amount_minor = Some(Minor(amount));
    Line { name, quantity: None, unit: None, unit_price_minor: None, amount_minor, note: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_adds_up() {
        let receipts = restaurant().unwrap().into_iter().map(|sample| sample.receipt);
        for receipt in receipts.chain([bakery().unwrap(), noodles("1006").unwrap()]) {
            assert_eq!(receipt.check(), Ok(()), "{}", receipt.order_no);
        }
    }
}
