//! Documents read back with poppler's programs.

use std::fs;
use std::process::Command;

use jiff::tz::TimeZone;
use tempfile::TempDir;
use tillroll_domain::reconciliation::{Cure, Difference};

use super::*;
use crate::view::{
    CashView, CloudSource, CloudView, CorrectionView, OpeningView, PaperView, SessionFigures,
    TotalsView,
};

/// A document in a folder of its own.
struct Filed {
    folder: TempDir,
    bytes: Vec<u8>,
}

impl Filed {
    fn of(day: &DayView, locale: Locale) -> Self {
        Self::at(day, &letterhead(locale)).unwrap()
    }

    fn at(day: &DayView, letterhead: &Letterhead) -> Result<Self, PdfError> {
        let bytes = write(day, letterhead, &DocumentFonts::of_machine())?;
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("day.pdf"), &bytes).unwrap();
        Ok(Self { folder, bytes })
    }

    /// What `pdftotext` reads, in the order of the page.
    fn text(&self) -> String {
        self.asked("pdftotext", &["-layout", "day.pdf", "-"])
    }

    /// A line of what `pdfinfo` says.
    fn told(&self, name: &str) -> String {
        let told = self.asked("pdfinfo", &["day.pdf"]);
        let line = told.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("{name} is not in {told}")).trim().to_owned()
    }

    fn asked(&self, program: &str, arguments: &[&str]) -> String {
        let asked = Command::new(program).args(arguments).current_dir(&self.folder).output();
        let answer = asked.unwrap_or_else(|error| panic!("{program} of poppler-utils: {error}"));
        assert!(answer.status.success(), "{program}: {}", String::from_utf8_lossy(&answer.stderr));
        String::from_utf8(answer.stdout).unwrap()
    }
}

fn letterhead(locale: Locale) -> Letterhead {
    Letterhead {
        store: "S1".to_owned(),
        register: "R1".to_owned(),
        currency: "CNY".parse().unwrap(),
        locale,
        zone_name: "Asia/Shanghai".to_owned(),
        zone: TimeZone::get("Asia/Shanghai").unwrap(),
    }
}

fn totals(receipts: i64, gross_minor: i64, tenders: &[(&str, i64)]) -> TotalsView {
    let tenders = tenders.iter().map(|(name, minor)| ((*name).to_owned(), *minor)).collect();
    TotalsView { receipts, refunds: 1, gross_minor, refunded_minor: 1_800, tenders }
}

fn day() -> DayView {
    let tenders = [("cash", 48_250), ("wechat", 386_100), ("alipay", 121_450)];
    DayView {
        day: "2026-10-09".to_owned(),
        pos: Some(totals(118, 557_600, &tenders)),
        register: totals(118, 557_600, &tenders),
        paper: PaperView {
            recorded: 119,
            printed: 112,
            assumed: 0,
            confirmed_by_clerk: 5,
            skipped: 2,
            unconfirmed: 0,
            failed: 0,
            waiting: 0,
            reprinted: 3,
            copies: 4,
        },
        cloud: CloudView { unsent: 121, ..CloudView::default() },
        differences: Vec::new(),
        sessions: vec![session(12)],
        openings: Vec::new(),
    }
}

fn session(z_no: i64) -> SessionFigures {
    SessionFigures {
        z_no,
        opened_at: "2026-10-09T01:58:12Z".parse().unwrap(),
        closed_at: Some("2026-10-09T14:31:05Z".parse().unwrap()),
        closed_by: Some("manager".to_owned()),
        totals: totals(118, 557_600, &[("cash", 48_250)]),
        cash: CashView {
            float_minor: 20_000,
            sales_minor: 48_250,
            paid_in_minor: 10_000,
            paid_out_minor: 5_000,
            expected_minor: 73_250,
            counted_minor: Some(73_250),
            difference_minor: Some(0),
            reason: None,
        },
        corrections: Vec::new(),
    }
}

fn tenders_of_cloud() -> [(&'static str, i64); 2] {
    [("cash", 48_250), ("wechat", 368_500)]
}

/// A day with one of each difference, and everything else a day can have.
fn rich_day() -> DayView {
    let compare = |figure: &str, pos, register| Difference::Pos {
        figure: figure.to_owned(),
        pos,
        register,
        cure: Cure::CompareWithPos,
    };
    let paper = |figure, count, cure| Difference::Paper { figure, count, cure };
    let gap = |after, before, alarm| Difference::FlowGap {
        after,
        before,
        alarm,
        cure: Cure::FindFlowNumber,
    };
    let mut rich = day();
    rich.pos = Some(totals(120, 562_600, &[("cash", 53_250), ("wechat", 386_100)]));
    rich.paper = PaperView { printed: 108, unconfirmed: 2, failed: 1, waiting: 1, ..rich.paper };
    let reason = "多找了顾客一张五元，已与店长核对。Torn note, change given twice to one guest";
    rich.sessions[0].cash.counted_minor = Some(72_750);
    rich.sessions[0].cash.difference_minor = Some(-500);
    rich.sessions[0].cash.reason = Some(reason.to_owned());
    rich.sessions[0].corrections = vec![CorrectionView {
        id: "S1:20261009-000123:receipt:v1".to_owned(),
        was: tillroll_domain::print_job::JobState::Unconfirmed,
        became: tillroll_domain::print_job::JobState::Printed,
        corrected_at: "2026-10-09T15:02:44Z".parse().unwrap(),
    }];
    rich.sessions.push(SessionFigures {
        closed_at: None,
        closed_by: None,
        cash: CashView { counted_minor: None, difference_minor: None, ..session(13).cash },
        ..session(13)
    });
    rich.openings = vec![OpeningView {
        printer: "front".to_owned(),
        client: Some("cashier".to_owned()),
        reason: "换零钱".to_owned(),
        asked_at: "2026-10-09T06:12:30Z".parse().unwrap(),
        outcome: "opened".to_owned(),
    }];
    rich.differences = vec![
        compare("receipts", 120, 118),
        compare("gross_minor", 562_600, 557_600),
        compare("tenders.cash", 53_250, 48_250),
        paper("unconfirmed", 2, Cure::AnswerTodo),
        paper("failed", 1, Cure::AnswerTodo),
        paper("waiting", 1, Cure::LookAtPrinter),
        Difference::Unaccounted { count: 1, cure: Cure::CompareWithPos },
        gap(40, 42, false),
        gap(60, 82, true),
        Difference::CashDifference {
            difference_minor: Minor(-500),
            reason: Some(reason.to_owned()),
            cure: Cure::Recount,
        },
        Difference::Unsent { count: 3, cure: Cure::WaitForNetwork },
        Difference::Refused { count: 1, cure: Cure::AnswerRecords },
        Difference::Cloud {
            figure: "gross_minor".to_owned(),
            register: 557_600,
            cloud: 540_000,
            cure: Cure::CompareWithCloud,
        },
        Difference::ClockDrift { drift_ms: -180_000, cure: Cure::SetClock },
    ];
    rich.cloud = CloudView {
        paired: true,
        source: Some(CloudSource::Acknowledged),
        totals: Some(totals(117, 540_000, &tenders_of_cloud())),
        ..rich.cloud
    };
    rich
}

/// The words with single blanks between.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn assert_has(text: &str, expected: &[&str]) {
    let text = squeezed(text);
    for line in expected {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

#[test]
fn day_that_adds_up_reads_back() {
    let filed = Filed::of(&day(), Locale::En);
    assert_has(
        &filed.text(),
        &[
            "Day report The day adds up",
            "2026-10-09 S1 R1 Z 12 CNY Asia/Shanghai",
            "POS Register Cloud · not set up",
            "Receipts 118 118",
            "Sales 5576.00 5576.00",
            "Net takings 5558.00 5558.00",
            "WeChat Pay 3861.00 3861.00",
            "Records not yet sent 121",
            "All 119 recorded are settled.",
            "None: POS, register and paper agree.",
            "Z 12 200.00 482.50 100.00 50.00 732.50 732.50 0.00",
            "Z 12 2026-10-09 09:58:12 2026-10-09 22:31:05 Manager 118 1 5558.00",
            "Page 1 of 1",
        ],
    );
    assert_eq!(
        (filed.told("Pages:"), filed.told("Title:")),
        ("1".into(), "Day report S1 R1 2026-10-09".into())
    );
    assert!(filed.told("Page size:").ends_with("(A4)"));
}

#[test]
fn everything_of_a_day_with_differences_is_there() {
    assert_has(
        &Filed::of(&rich_day(), Locale::En).text(),
        &[
            "Differences: 14",
            "Cloud · as acknowledged",
            "Sales 5626.00 5576.00 5400.00",
            "Sales: register 5576.00, cloud 5400.00 Compare with the head office's own list.",
            "This register's clock is off by 3 minutes Set the clock.",
            "Sales: POS 5626.00, register 5576.00 Compare with the POS's own list.",
            "Cash: POS 532.50, register 482.50",
            "Maybe on paper: 2 Answer what is on the to-do list.",
            "Flow number 41 is missing",
            "Flow numbers 61 to 81 are missing",
            "Cash over or short: -5.00",
            "Reason: 多找了顾客一张五元，已与店长核对。Torn note",
            "still open",
            "S1:20261009-000123:receipt:v1 Maybe on paper → On paper",
            "Cashier 换零钱 opened",
        ],
    );
}

#[test]
fn chinese_reads_back() {
    let filed = Filed::of(&rich_day(), Locale::ZhCn);
    assert_has(
        &filed.text(),
        &[
            "日结报告",
            "收银软件",
            "微信支付",
            "流水号 61 至 81 缺失",
            "请与收银软件的清单核对。",
            "店长",
            "第 1 页，共 2 页",
        ],
    );
    assert!(filed.told("Title:").starts_with("日结报告"));
    let fonts = filed.asked("pdffonts", &["day.pdf"]);
    let rows: Vec<_> = fonts.lines().skip(2).collect();
    assert!(!rows.is_empty());
    for row in rows {
        let words: Vec<_> = row.split_whitespace().collect();
        assert!(
            words.windows(3).any(|flags| flags == ["yes", "yes", "yes"]),
            "embedded, subset, to Unicode: {row}"
        );
    }
    assert!(filed.bytes.len() < 300_000, "{} bytes: the fonts are not subsets", filed.bytes.len());
}

#[test]
fn every_language_writes_amounts_its_own_way() {
    for (locale, expected) in [
        (Locale::Fr, "Recette nette 5608,00 5558,00"),
        (Locale::De, "Nettoeinnahme 5608,00 5558,00"),
    ] {
        assert_has(&Filed::of(&rich_day(), locale).text(), &[expected]);
    }
    let yen = Letterhead { currency: "JPY".parse().unwrap(), ..letterhead(Locale::En) };
    assert_has(
        &Filed::at(&day(), &yen).unwrap().text(),
        &["Amounts in JPY", "Net takings 555800 555800"],
    );
}

#[test]
fn long_list_breaks_over_pages_and_loses_nothing() {
    let mut long = day();
    long.differences = (0..300)
        .map(|n| Difference::FlowGap {
            after: n * 10,
            before: n * 10 + 2,
            alarm: false,
            cure: Cure::FindFlowNumber,
        })
        .collect();
    let filed = Filed::of(&long, Locale::En);
    let text = squeezed(&filed.text());
    for n in 0..300 {
        let row = format!("Flow number {} is missing", n * 10 + 1);
        assert_eq!(text.matches(&row).count(), 1, "{row}");
    }
    let pages: usize = filed.told("Pages:").parse().unwrap();
    assert!((7..12).contains(&pages), "{pages} pages");
    assert_eq!(
        text.matches("What differs").count(),
        pages - 1,
        "the head is on each page of the table: {text}"
    );
    assert!(text.contains(&format!("Page {pages} of {pages}")));
}

#[test]
fn same_day_makes_the_same_bytes() {
    assert!(
        Filed::of(&rich_day(), Locale::ZhCn).bytes == Filed::of(&rich_day(), Locale::ZhCn).bytes
    );
}

#[test]
fn names_and_reasons_of_any_script_and_length_do_no_harm() {
    let mut odd = rich_day();
    odd.sessions[0].cash.reason = Some("مرحبا 3 كوب \u{202e}\u{0}\u{fffff} 🍜 ".repeat(12));
    odd.sessions[0].cash.expected_minor = i64::MIN;
    odd.sessions[0].corrections[0].id = "Ж".repeat(400);
    odd.register.tenders.insert("t".repeat(80), i64::MAX);
    let text = Filed::of(&odd, Locale::En).text();
    assert_has(&text, &["مرحبا", "-92233720368547758.08", "92233720368547758.07"]);
    assert_eq!(text.matches('Ж').count(), 400, "{text}");
}

#[test]
fn day_of_nothing_is_a_document_too() {
    let mut nothing = day();
    (nothing.pos, nothing.register) = (None, TotalsView::default());
    nothing.sessions.clear();
    assert_has(
        &Filed::of(&nothing, Locale::En).text(),
        &["not declared", "Nothing was recorded on this day."],
    );
}

#[test]
fn without_fonts_for_its_language_there_is_no_document() {
    let latin = DocumentFonts {
        regular: vec!["/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf".into()],
        bold: Vec::new(),
    };
    let none = DocumentFonts::default();
    for (fonts, locale) in [(&none, Locale::En), (&latin, Locale::ZhCn)] {
        let refused = write(&day(), &letterhead(locale), fonts).unwrap_err();
        assert_eq!(Problem::from(refused).code, Code::FontsMissing);
    }
    assert!(write(&day(), &letterhead(Locale::En), &latin).is_ok(), "no bold is no obstacle");
}
