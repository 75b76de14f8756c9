//! The Z report on paper: the figures of a closed session as rows.

use jiff::civil::Date;
use tillroll_domain::money::{Currency, Minor};
use tillroll_escpos::document::{Document, Row, Style};

use crate::view::ClosingView;

const LARGE: Style = Style { wide: true, tall: true, bold: true, small: false };
const PLAIN: Style = Style { wide: false, tall: false, bold: false, small: false };

/// Words of the report in the language of the paper.
struct Words {
    title: &'static str,
    sales: &'static str,
    refunds: &'static str,
    net: &'static str,
    on_paper: &'static str,
    open: &'static str,
    expected: &'static str,
    counted: &'static str,
    difference: &'static str,
    differences: &'static str,
}

const EN: Words = Words {
    title: "Z report",
    sales: "Sales",
    refunds: "Refunds",
    net: "Net",
    on_paper: "Receipts settled",
    open: "Receipts open",
    expected: "Cash expected",
    counted: "Cash counted",
    difference: "Over or short",
    differences: "Differences",
};
const ZH: Words = Words {
    title: "Z 日结单",
    sales: "销售",
    refunds: "退款",
    net: "净额",
    on_paper: "小票已结",
    open: "小票未结",
    expected: "应有现金",
    counted: "实点现金",
    difference: "长短款",
    differences: "差异",
};
const FR: Words = Words {
    title: "Rapport Z",
    sales: "Ventes",
    refunds: "Remboursements",
    net: "Net",
    on_paper: "Tickets réglés",
    open: "Tickets ouverts",
    expected: "Espèces attendues",
    counted: "Espèces comptées",
    difference: "Écart de caisse",
    differences: "Écarts",
};
const DE: Words = Words {
    title: "Z-Bericht",
    sales: "Verkauf",
    refunds: "Erstattung",
    net: "Netto",
    on_paper: "Bons erledigt",
    open: "Bons offen",
    expected: "Bargeld soll",
    counted: "Bargeld ist",
    difference: "Differenz",
    differences: "Abweichungen",
};

/// The rows of a Z report.
pub(crate) fn z_report(
    day: Date,
    closing: &ClosingView,
    currency: Currency,
    locale: &str,
    register: &str,
) -> Document {
    let words = words(locale);
    let amount = |amount: i64| currency.digits(Minor(amount), mark(locale));
    let mut rows = vec![
        Row::centered(format!("{} {}", words.title, closing.z_no), LARGE),
        Row::columns(register, day.to_string()),
        Row::Rule,
    ];
    let mut money = |left: String, minor: i64| rows.push(Row::amount(left, amount(minor), PLAIN));
    money(format!("{} ({})", words.sales, closing.totals.receipts), closing.totals.gross_minor);
    money(
        format!("{} ({})", words.refunds, closing.totals.refunds),
        -closing.totals.refunded_minor,
    );
    money(words.net.to_owned(), closing.totals.gross_minor - closing.totals.refunded_minor);
    for (tender, minor) in &closing.totals.tenders {
        money(format!("  {tender}"), *minor);
    }
    money(words.expected.to_owned(), closing.cash_expected_minor);
    if let (Some(counted), Some(difference)) =
        (closing.cash_counted_minor, closing.cash_difference_minor)
    {
        money(words.counted.to_owned(), counted);
        money(words.difference.to_owned(), difference);
    }
    rows.push(Row::Rule);
    rows.push(Row::columns(words.on_paper, closing.settled.to_string()));
    rows.push(Row::columns(words.open, (closing.recorded - closing.settled).to_string()));
    rows.push(Row::columns(words.differences, closing.differences.to_string()));
    rows
}

fn words(locale: &str) -> &'static Words {
    match locale {
        "zh-CN" => &ZH,
        "fr" => &FR,
        "de" => &DE,
        _ => &EN,
    }
}

fn mark(locale: &str) -> char {
    if matches!(locale, "fr" | "de") { ',' } else { '.' }
}
