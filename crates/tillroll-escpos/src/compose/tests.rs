use tillroll_domain::receipt::Receipt;

use super::*;

fn receipt(json: serde_json::Value) -> Receipt {
    let receipt: Receipt = serde_json::from_value(json).unwrap();
    receipt.check().unwrap();
    receipt
}

/// The document as text: columns parted by ` | `, other rows by their name.
fn shown(receipt: &Receipt, locale: Locale, currency: &str, mark: Mark) -> String {
    let job_id = format!("S1:{}:{}:v1", receipt.order_no, receipt.kind).parse().unwrap();
    let zone = jiff::tz::TimeZone::get("Asia/Shanghai").unwrap();
    let currency = currency.parse().unwrap();
    let recorded_at = "2026-10-09T02:05:00Z".parse().unwrap();
    let heading =
        Heading { job_id: &job_id, currency, locale, zone, recorded_at, mark, store_name: None };
    let rows = compose(receipt, &heading).into_iter().map(|row| match row {
        Row::Text { text, .. } => text,
        Row::Columns { left, right, .. } => format!("{left} | {right}"),
        Row::Rule => "---".into(),
        Row::Banner { text } => format!("## {text}"),
        Row::Qr { content } => format!("[qr {content}]"),
        Row::Barcode { content } => format!("[barcode {content}]"),
        Row::Logo { name } => format!("[logo {name}]"),
        Row::Feed { lines } => format!("[feed {lines}]"),
    });
    rows.collect::<Vec<_>>().join("\n").replace('\u{a0}', "~")
}

fn restaurant_bill() -> Receipt {
    receipt(serde_json::json!({
        "order_no": "20261009-000123", "kind": "receipt", "issued_at": "2026-10-09T10:03:25+08:00",
        "lines": [{"name": "红烧牛肉面（大碗）", "quantity": "2", "unit": "份", "unit_price_minor": 2800,
            "amount_minor": 5600, "note": "少辣"}],
        "charges": [{"name": "打包费", "amount_minor": 100}],
        "discounts": [{"name": "会员", "amount_minor": 300}],
        "taxes": [{"name": "增值税 6%", "amount_minor": 306, "included": true}],
        "total_minor": 5400, "tenders": [{"type": "cash", "amount_minor": 6000}], "change_minor": 600,
        "header": ["老王面馆 一店"], "footer": ["谢谢光临"],
        "qr": "https://example.test/i/20261009-000123", "barcode": "20261009000123", "logo": "shop"
    }))
}

#[test]
fn restaurant_bill_has_every_part_in_order() {
    let paper = shown(&restaurant_bill(), Locale::ZhCn, "CNY", Mark::None);
    insta::assert_snapshot!(paper, @r"
    [logo shop]
    老王面馆 一店
    单号 20261009-000123 | 2026-10-09 10:03
    ---
    红烧牛肉面（大碗） | ￥56.00
      2 份 x 28.00/份
      * 少辣
    打包费 | ￥1.00
    会员 | -￥3.00
    ---
    合计 | ￥54.00
    含 增值税 6% | ￥3.06
    现金 | ￥60.00
    找零 | ￥6.00
    ---
    谢谢光临
    [feed 1]
    [qr https://example.test/i/20261009-000123]
    [feed 1]
    [barcode 20261009000123]
    [feed 1]
    S1:20261009-000123:receipt:v1
    ");
}

#[test]
fn bakery_bill_is_french() {
    let bill = receipt(serde_json::json!({
        "order_no": "77", "kind": "receipt", "issued_at": "2026-10-09T02:03:25Z",
        "lines": [
            {"name": "Crème brûlée", "amount_minor": 450},
            {"name": "Comté", "quantity": "0.375", "unit": "kg", "unit_price_minor": 1330}
        ],
        "taxes": [{"name": "TVA 5,5%", "amount_minor": 52}],
        "rounding_minor": -1, "total_minor": 1000,
        "tenders": [{"type": "card", "amount_minor": 500}, {"type": "cash", "amount_minor": 500}]
    }));
    insta::assert_snapshot!(shown(&bill, Locale::Fr, "EUR", Mark::Reprint), @r"
    ## RÉIMPRESSION
    N° 77 | 09/10/2026 10:03
    ---
    Crème brûlée | 4,50~€
    Comté | 4,99~€
      0,375 kg x 13,30/kg
    Sous-total | 9,49~€
    TVA 5,5% | 0,52~€
    Arrondi | -0,01~€
    ---
    TOTAL | 10,00~€
    Carte bancaire | 5,00~€
    Espèces | 5,00~€
    ---
    [feed 1]
    S1:77:receipt:v1
    ");
}

#[test]
fn refund_says_so_and_its_amounts_are_negative() {
    let refund = receipt(serde_json::json!({
        "order_no": "78", "kind": "refund",
        "lines": [{"name": "Milk", "quantity": "1", "amount_minor": 120}],
        "total_minor": 120, "tenders": [{"type": "cash", "amount_minor": 120}]
    }));
    insta::assert_snapshot!(shown(&refund, Locale::En, "EUR", Mark::Copy), @r"
    ## COPY
    REFUND
    No. 78 | 2026-10-09 10:05
    ---
    Milk | -€1.20
    ---
    TOTAL | -€1.20
    Cash | -€1.20
    ---
    [feed 1]
    S1:78:refund:v1
    ");
}

#[test]
fn common_tenders_are_called_as_the_locale_does() {
    let bill = receipt(serde_json::json!({
        "order_no": "80", "kind": "receipt", "lines": [{"name": "茶", "amount_minor": 1000}],
        "total_minor": 1000,
        "tenders": [{"type": "wechat", "amount_minor": 300}, {"type": "alipay", "amount_minor": 300},
            {"type": "card", "amount_minor": 200}, {"type": "cash", "amount_minor": 200}]
    }));
    let chinese = shown(&bill, Locale::ZhCn, "CNY", Mark::None);
    assert!(
        chinese.contains("微信支付 | ￥3.00\n支付宝 | ￥3.00\n刷卡 | ￥2.00\n现金 | ￥2.00"),
        "{chinese}"
    );
    let english = shown(&bill, Locale::En, "CNY", Mark::None);
    assert!(english.contains("WeChat Pay | ") && english.contains("Alipay | "), "{english}");
}

#[test]
fn kitchen_order_is_large_and_needs_no_money() {
    let order = receipt(serde_json::json!({
        "order_no": "79", "kind": "kitchen",
        "lines": [{"name": "红烧牛肉面", "quantity": "2", "note": "少辣"}, {"name": "茶"}]
    }));
    insta::assert_snapshot!(shown(&order, Locale::ZhCn, "CNY", Mark::None), @r"
    厨房单
    单号 79 | 2026-10-09 10:05
    ---
    2 x 红烧牛肉面
      * 少辣
    1 x 茶
    ---
    [feed 1]
    S1:79:kitchen:v1
    ");
}

#[test]
fn every_row_with_an_amount_is_marked_as_money() {
    let receipt = restaurant_bill();
    let job_id = "S1:1:receipt:v1".parse().unwrap();
    let heading = Heading {
        job_id: &job_id,
        currency: "CNY".parse().unwrap(),
        locale: Locale::ZhCn,
        zone: jiff::tz::TimeZone::UTC,
        recorded_at: jiff::Timestamp::UNIX_EPOCH,
        mark: Mark::None,
        store_name: Some("老王面馆"),
    };
    for row in compose(&receipt, &heading) {
        match row {
            Row::Columns { right, money, .. } => assert_eq!(money, right.contains('￥'), "{right}"),
            Row::Text { text, money, .. } => assert_eq!(money, text.contains("28.00"), "{text}"),
            Row::Rule | Row::Banner { .. } | Row::Qr { .. } => {}
            Row::Barcode { .. } | Row::Logo { .. } | Row::Feed { .. } => {}
        }
    }
}

#[test]
fn locale_is_called_by_its_tag_in_json() {
    for locale in Locale::ALL {
        assert_eq!(serde_json::to_value(locale).unwrap(), locale.tag());
    }
}
