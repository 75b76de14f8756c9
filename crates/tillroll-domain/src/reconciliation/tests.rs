use super::*;
use crate::ids::JobKind;
use crate::receipt::{Receipt, Tender};

fn sale(kind: JobKind, total: i64, tenders: &[(&str, i64)], change: i64) -> Receipt {
    let mut receipt = Receipt::new("1".parse().unwrap(), kind);
    receipt.total_minor = Some(Minor(total));
    receipt.tenders = tenders
        .iter()
        .map(|(name, amount)| Tender {
            tender_type: name.parse().unwrap(),
            amount_minor: Minor(*amount),
        })
        .collect();
    receipt.change_minor = Some(Minor(change));
    receipt
}

fn totals(receipts: &[Receipt]) -> Totals {
    let mut totals = Totals::default();
    receipts.iter().for_each(|receipt| totals.add(receipt));
    totals
}

#[test]
fn drawer_holds_float_and_cash_sales_without_the_change() {
    let mut day = totals(&[sale(JobKind::Receipt, 6000, &[("cash", 10_000)], 4000)]);
    let cash = |day: &Totals| Cash {
        float_minor: Minor(20_000),
        sales_minor: day.tenders["cash"],
        ..Cash::default()
    };
    assert_eq!((day.tenders["cash"], cash(&day).expected()), (Minor(6000), Minor(26_000)));
    day.add(&sale(JobKind::Receipt, 5000, &[("card", 3000), ("cash", 2500)], 500));
    assert_eq!((day.tenders["cash"], cash(&day).expected()), (Minor(8000), Minor(28_000)));
    let count = CashCount { counted_minor: Minor(27_950), reason: None };
    assert_eq!(count.difference(&cash(&day)), Minor(-50), "short");
}

#[test]
fn refunds_stand_beside_sales_and_other_papers_count_nothing() {
    let day = totals(&[
        sale(JobKind::Receipt, 6000, &[("card", 6000)], 0),
        sale(JobKind::Refund, 1000, &[("cash", 1000)], 0),
        sale(JobKind::Prebill, 9999, &[], 0),
    ]);
    assert_eq!((day.receipts, day.refunds), (1, 1));
    assert_eq!(
        (day.gross_minor, day.refunded_minor, day.net()),
        (Minor(6000), Minor(1000), Minor(5000))
    );
    assert_eq!(day.tenders["cash"], Minor(-1000));
}

fn flow<const N: usize>(epoch: u32, numbers: [i64; N]) -> [FlowNumber; N] {
    numbers.map(|number| FlowNumber { epoch, number })
}

#[test]
fn new_epoch_goes_on_higher_without_a_gap() {
    let numbers = flow(1, [8, 9]).into_iter().chain(flow(2, [1_010, 1_011]));
    let none = (Totals::default(), PaperCounts::default());
    assert_eq!(differences(None, &none.0, &none.1, numbers), []);
}

#[test]
fn equal_columns_and_settled_paper_leave_no_difference() {
    let day = totals(&[sale(JobKind::Receipt, 100, &[("cash", 100)], 0)]);
    let paper = PaperCounts {
        recorded: 4,
        printed: 1,
        assumed: 1,
        confirmed_by_clerk: 1,
        skipped: 1,
        ..PaperCounts::default()
    };
    assert_eq!(differences(Some(&day), &day, &paper, flow(1, [7, 8, 9])), []);
}

#[test]
fn every_difference_is_a_row_of_its_own() {
    let register = totals(&[sale(JobKind::Receipt, 100, &[("cash", 100)], 0)]);
    let pos = totals(&[sale(JobKind::Receipt, 120, &[("card", 120)], 0)]);
    let paper = PaperCounts {
        recorded: 5,
        printed: 1,
        unconfirmed: 1,
        failed: 1,
        waiting: 1,
        ..PaperCounts::default()
    };
    let found = differences(Some(&pos), &register, &paper, flow(1, [1, 2, 4, 20]));
    let codes: Vec<_> = found
        .iter()
        .map(|difference| match difference {
            Difference::Pos { figure, pos, register, .. } => format!("{figure} {pos} {register}"),
            Difference::Paper { figure, count, .. } => format!("{figure} {count}"),
            Difference::Unaccounted { count, .. } => format!("unaccounted {count}"),
            Difference::FlowGap { after, before, alarm, .. } => {
                format!("gap {after} {before} {alarm}")
            }
            Difference::CashDifference { .. } => "cash".into(),
            Difference::Unsent { .. }
            | Difference::Refused { .. }
            | Difference::Cloud { .. }
            | Difference::ClockDrift { .. } => "cloud".into(),
        })
        .collect();
    assert_eq!(
        codes,
        [
            "gross_minor 120 100",
            "tenders.card 120 0",
            "tenders.cash 0 100",
            "unconfirmed 1",
            "failed 1",
            "waiting 1",
            "unaccounted 1",
            "gap 2 4 false",
            "gap 4 20 true"
        ]
    );
}

#[test]
fn head_office_that_is_behind_is_no_difference_of_figures() {
    let register = totals(&[sale(JobKind::Receipt, 100, &[("cash", 100)], 0)]);
    let behind = CloudColumn { totals: Some(Totals::default()), waiting: 1, refused: 0 };
    assert_eq!(
        cloud_differences(&register, &behind),
        [Difference::Unsent { count: 1, cure: Cure::WaitForNetwork }]
    );
    let equal = CloudColumn { totals: Some(register.clone()), ..CloudColumn::default() };
    assert_eq!(cloud_differences(&register, &equal), []);
    assert_eq!(cloud_differences(&register, &CloudColumn::default()), [], "nothing is known");
}

#[test]
fn figures_of_the_head_office_that_differ_stand_beside_what_it_refused() {
    let register = totals(&[sale(JobKind::Receipt, 100, &[("cash", 100)], 0)]);
    let cloud = CloudColumn { totals: Some(Totals::default()), waiting: 0, refused: 2 };
    let found = cloud_differences(&register, &cloud);
    assert_eq!(found[0], Difference::Refused { count: 2, cure: Cure::AnswerRecords });
    let figures: Vec<_> = found[1..]
        .iter()
        .map(|difference| {
            let Difference::Cloud { figure, register, cloud, .. } = difference else {
                panic!("{difference:?}")
            };
            format!("{figure} {register} {cloud}")
        })
        .collect();
    assert_eq!(figures, ["receipts 1 0", "gross_minor 100 0", "tenders.cash 100 0"]);
}
