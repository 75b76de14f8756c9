//! The large counts, run by `make storm`.

use tillroll_tests::figures::{Bar, Findings, Sheet};

use crate::plan::{Drill, Plan};
use crate::report::Report;
use crate::{ablation, assert_just, backlog, outage, runs};

/// Storms of 2,000 jobs.
const STORMS: u64 = 100;

#[test]
#[ignore = "minutes: run by make storm"]
fn hundred_storms_lose_nothing_and_print_nothing_twice() {
    let plans: Vec<_> = (1..=STORMS).map(Plan::usual).collect();
    let reports = runs::all(&plans, |report| println!("{}", report.line()));
    assert_just(&reports);
    let sum = |figure: fn(&Report) -> usize| reports.iter().map(figure).sum::<usize>();
    println!(
        "{} jobs in {STORMS} storms: {} printed, {} twice; {} of {} with a reachable device printed",
        sum(Report::jobs),
        sum(Report::printed),
        sum(|report| report.doubled),
        sum(|report| report.reachable_printed),
        sum(|report| report.reachable),
    );
}

/// As the published one: 80,000 jobs in 30 min, here for 1,267 stores; at half-time 30 % of all lines are cut
/// at once, and some 380 printers come back together with the jobs that waited for them.
#[test]
#[ignore = "minutes: run by make storm"]
fn eighty_thousand_jobs_survive_a_cut_of_every_third_line() {
    let report = runs::one(Plan {
        shops: 1_267,
        jobs: 80_000,
        length_s: 1_800,
        drill: Drill::Cut,
        ..Plan::usual(80)
    });
    println!("{}", report.line());
    assert_just(std::slice::from_ref(&report));
    assert!(report.is_within_rate, "{}", report.line());
    assert!(report.recovered_printed * 1_000 >= report.recovered * 996, "{}", report.line());
}

/// 380 printers with six to nine jobs each come back together.
#[test]
#[ignore = "minutes: run by make storm"]
fn printers_that_come_back_together_get_their_jobs_within_the_rate() {
    let plan =
        Plan { shops: 1_267, jobs: 20_000, length_s: 120, drill: Drill::Cut, ..Plan::usual(81) };
    let report = runs::one(plan);
    println!("{}", report.line());
    assert_just(std::slice::from_ref(&report));
    assert!(report.is_within_rate, "{}", report.line());
    assert!(report.recovered_printed * 1_000 >= report.recovered * 996, "{}", report.line());
    // Nobody dials more than twice a second, also when the dispatcher is killed and all are cut off.
    assert!(report.dials_in_a_second <= plan.shops * 2, "{}", report.line());
}

#[test]
#[ignore = "minutes: run by make storm"]
fn every_part_of_the_schedule_is_for_something() {
    println!("{}", ablation::table());
}

/// Outages of the published table, in seconds, and what share of the orders it says was delivered; a longer one.
const OUTAGES: [(u64, Option<u32>); 5] =
    [(1, Some(98)), (3, Some(92)), (5, Some(85)), (10, Some(60)), (1_800, None)];

#[test]
#[ignore = "minutes: run by make storm"]
fn every_sale_of_an_outage_arrives_soon_after_its_end() {
    let outages = OUTAGES.map(|(seconds, published)| {
        let outage = outage::of(seconds, 20);
        let after = &outage.after;
        println!(
            "{seconds} s without network: {} of {} sales delivered, all of a register {} ms after it was back, p99 {} ms",
            outage.delivered,
            outage.sold,
            after.mean(),
            after.percentile(99)
        );
        (seconds, published, outage)
    });
    measured(&outages).keep().unwrap();
    for (seconds, _, outage) in outages {
        assert_eq!(outage.delivered, outage.sold, "{seconds} s");
        assert!(outage.after.percentile(99) <= 2_000, "{seconds} s: {outage:?}");
    }
}

/// For the summary of the benches.
#[expect(clippy::cast_precision_loss, reason = "a share, and milliseconds")]
fn measured(outages: &[(u64, Option<u32>, outage::Outage)]) -> Sheet {
    let mut bars = Vec::new();
    for (seconds, published, outage) in outages {
        let share = outage.delivered as f64 * 100.0 / outage.sold as f64;
        let figure = format!("outage of {seconds} s: delivered, %");
        let published = published.map(|share| format!("published {share} %")).unwrap_or_default();
        bars.push(Bar::at_least(figure, 100.0, share).peer(published));
    }
    let p99s = outages.iter().map(|(.., outage)| outage.after.percentile(99));
    let slowest = p99s.max().unwrap_or(u64::MAX) as f64;
    bars.push(
        Bar::at_most("p99 of these after the network is back, ms", 2_000.0, slowest).aim(500.0),
    );
    Sheet::of("storm", "outages", Findings::default().bars(bars))
}

/// 20,000 receipts in three days without a network, with an older copy of the database put back half-way.
#[test]
#[ignore = "minutes: run by make storm"]
fn nothing_is_lost_or_sold_twice_by_days_offline_and_an_older_copy() {
    let days = backlog::Days { hours: 72, sales: 20_000 };
    let drain = backlog::of(days);
    println!(
        "{} sales in {} h without network: {} records went up in {} ms from {} ms after it was back; \
         {} sales meanwhile, the slowest on paper after {} ms (here {} ms)",
        days.sales,
        days.hours,
        drain.backlog,
        drain.took.as_millis(),
        drain.noticed.as_millis(),
        drain.sold,
        drain.slowest.as_millis(),
        drain.slowest_here.as_millis(),
    );
    drain.assert_in_time();
    assert!(drain.slowest_here <= std::time::Duration::from_secs(1), "{drain:?}");
}
