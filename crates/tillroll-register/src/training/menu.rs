//! What a training store sells: a made-up noodle shop, the same sales in the same order at every start.

use tillroll_domain::ids::JobKind;
use tillroll_domain::money::Minor;
use tillroll_domain::receipt::{Line, NamedAmount, Receipt, Tender};

use crate::problem::{Code, Problem};

/// Dishes and their prices in fen.
const DISHES: [(&str, i64); 10] = [
    ("红烧牛肉面（大碗）", 2_800),
    ("葱油拌面", 1_500),
    ("酸辣粉", 1_600),
    ("鲜虾云吞", 2_200),
    ("凉拌黄瓜", 900),
    ("卤蛋", 300),
    ("豆浆", 500),
    ("冰红茶", 600),
    ("锅贴（六只）", 1_200),
    ("老鸭粉丝汤", 2_400),
];

/// The `nth` sale; a refund gives one dish of it back.
pub(super) fn sale(nth: u32, is_refund: bool) -> Result<Receipt, Problem> {
    let number = format!("{nth:04}").parse();
    let number = number.map_err(|_| Problem::new(Code::Internal, "a number is no order number"))?;
    let kind = if is_refund { JobKind::Refund } else { JobKind::Receipt };
    let mut receipt = Receipt::new(number, kind);
    receipt.header = vec!["老王面馆 · 练习".to_owned()];
    receipt.lines = (0..lines_of(nth, is_refund)).map(|line| dish(nth, line)).collect();
    let mut total: i64 =
        receipt.lines.iter().filter_map(|line| line.amount_minor).map(|m| m.0).sum();
    if !is_refund && nth.is_multiple_of(4) {
        receipt.charges =
            vec![NamedAmount { name: "打包费".to_owned(), amount_minor: Minor(100) }];
        total += 100;
    }
    receipt.total_minor = Some(Minor(total));
    pay(&mut receipt, nth, total)?;
    receipt.footer = vec!["练习小票，不作凭证".to_owned()];
    Ok(receipt)
}

fn lines_of(nth: u32, is_refund: bool) -> u32 {
    if is_refund { 1 } else { 1 + nth * 7 % 5 }
}

fn dish(nth: u32, line: u32) -> Line {
    // Steps without a common divisor with the menu bring every dish up.
    let index = (nth * 3 + line * 7) as usize % DISHES.len();
    let (name, price) = DISHES[index];
    let quantity = 1 + i64::from((nth + line).is_multiple_of(3));
    Line {
        name: name.to_owned(),
        quantity: quantity.to_string().parse().ok(),
        unit: Some("份".to_owned()),
        unit_price_minor: Some(Minor(price)),
        amount_minor: Some(Minor(price * quantity)),
        note: (nth.is_multiple_of(5) && line == 0).then(|| "少辣".to_owned()),
    }
}

/// Every third sale is paid in cash, with change out of the next whole ten.
fn pay(receipt: &mut Receipt, nth: u32, total: i64) -> Result<(), Problem> {
    let in_cash = nth.is_multiple_of(3);
    let tender = if in_cash { "cash" } else { ["wechat", "alipay", "card"][nth as usize % 3] };
    let given = if in_cash && receipt.kind == JobKind::Receipt {
        (total + 999) / 1_000 * 1_000
    } else {
        total
    };
    let tender_type = tender.parse();
    let tender_type =
        tender_type.map_err(|_| Problem::new(Code::Internal, "a tender has no plain name"))?;
    receipt.tenders = vec![Tender { tender_type, amount_minor: Minor(given) }];
    receipt.change_minor = (given > total).then(|| Minor(given - total));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sale_adds_up() {
        for nth in 1..200 {
            for is_refund in [false, true] {
                let receipt = sale(nth, is_refund).unwrap();
                assert_eq!(receipt.check(), Ok(()), "sale {nth}");
            }
        }
    }
}
