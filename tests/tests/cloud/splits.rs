//! Sales are shared by a bank: told with their records, paid once, settled by the manager from the register.

use anyhow::{Context as _, Result, ensure};
use tillroll_dispatcher::bank_sim::BankFaults;
use tillroll_domain::splits::Verb;
use tillroll_register::problem::Code;
use tillroll_register::view::{SplitBody, SplitsView};
use tokio::time::Instant;

use crate::head_office::{HeadOffice, PATIENCE};
use crate::till::Till;

const PRICE: i64 = 1_250;

/// A head office that pays by a bank, and a register of a store that shares its orders.
async fn sharing(faults: BankFaults) -> Result<(HeadOffice, Till)> {
    let office = HeadOffice::open_with_bank(&["S1"], faults).await?;
    office.share_orders(0).await?;
    let till = Till::open(&office, "R1", "front").await?;
    till.until_sharing().await?;
    Ok((office, till))
}

/// Looks until the register shows the day's splits so.
async fn until(
    till: &Till,
    what: &str,
    wished: impl Fn(&SplitsView) -> bool,
) -> Result<SplitsView> {
    let limit = Instant::now() + PATIENCE;
    loop {
        let splits = till.register.splits(till.today()).await?;
        if wished(&splits) {
            return Ok(splits);
        }
        ensure!(Instant::now() < limit, "not {what}: {splits:?}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// Looks until so many sales are paid, and holds the day against the bank's ledger.
async fn until_paid(office: &HeadOffice, till: &Till, sales: u64) -> Result<SplitsView> {
    let splits = until(till, "all paid", |splits| splits.sales.succeeded.count == sales).await?;
    let (succeeded, refunds) = (splits.sales.succeeded, splits.refunds.succeeded);
    let sums = office.bank()?.sums().await?;
    assert_eq!((sums.paid, sums.twice), (succeeded.count + refunds.count, 0));
    assert_eq!(sums.amount_minor, succeeded.amount_minor + refunds.amount_minor);
    Ok(splits)
}

#[tokio::test(flavor = "multi_thread")]
async fn offline_sales_are_shared_when_the_line_is_back_and_paid_once() -> Result<()> {
    let (office, till) = sharing(BankFaults::default()).await?;
    till.sell(1).await?;
    until_paid(&office, &till, 1).await?;
    till.cut_network().await?;
    for n in 2..=10 {
        till.sell(n).await?;
    }
    let away = till.register.splits(till.today()).await?;
    assert!(!away.reached && away.shared, "{away:?}");
    assert_eq!((away.sales.succeeded.count, away.unsent.count), (1, 9), "as told before");
    assert_eq!(away.unsent.amount_minor, 9 * PRICE);
    assert!(away.told_at.is_some());
    till.restore_network().await?;
    let back = until_paid(&office, &till, 10).await?;
    assert!(back.reached && back.unsent.count == 0, "{back:?}");
    assert_eq!(back.sales.succeeded.amount_minor, 10 * PRICE);
    till.until_days_are_equal().await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_lost_after_the_commit_make_each_payment_once() -> Result<()> {
    let (office, till) = sharing(BankFaults::default()).await?;
    till.lose_answers(true);
    for n in 0..5 {
        till.sell(n).await?;
    }
    office.until_booked("R1", till.today(), 5).await?;
    till.lose_answers(false);
    until_paid(&office, &till, 5).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn refund_takes_back_in_proportion_after_its_sale_is_paid() -> Result<()> {
    let (office, till) = sharing(BankFaults::default()).await?;
    till.cut_network().await?;
    let sold = till.sell(1).await?;
    let refunded = till.refund(1, 500).await?;
    till.restore_network().await?;
    until(&till, "refunded", |splits| splits.refunds.succeeded.count == 1).await?;
    let splits = until_paid(&office, &till, 1).await?;
    assert_eq!(splits.refunds.succeeded.amount_minor, 500);
    let split = office.split(&refunded).await?;
    assert_eq!(split["of"], sold.as_str());
    let parts: Vec<_> = split["parts"].as_array().context("parts")?.iter().collect();
    assert_eq!((&parts[0]["amount_minor"], &parts[1]["amount_minor"]), (&30.into(), &470.into()));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn manager_settles_at_the_register_what_the_bank_refuses() -> Result<()> {
    let frozen = vec!["platform".parse()?];
    let (office, till) = sharing(BankFaults { frozen, ..BankFaults::default() }).await?;
    for n in 1..=3 {
        till.sell(n).await?;
    }
    let left = until(&till, "left to a manager", |splits| splits.manual.len() == 3).await?;
    assert_eq!((left.sales.manual.count, left.sales.manual.amount_minor), (3, 3 * PRICE));
    assert!(left.manual.iter().all(|split| split.reason.as_deref() == Some("frozen")));
    let [third, second, first] = [0, 1, 2].map(|at| left.manual[at].id.clone());
    let answer = async |id: &str, verb, note: Option<&str>| {
        let body = SplitBody { note: note.map(str::to_owned) };
        till.register.answer_split(&till.access, id, verb, &body).await
    };
    let silent = answer(&first, Verb::Settle, None).await.unwrap_err();
    assert_eq!(silent.code, Code::InvalidValue, "evidence is needed");
    assert_eq!(answer(&first, Verb::Settle, Some("slip 4711")).await?.state, "succeeded");
    assert_eq!(answer(&second, Verb::Cancel, Some("sold to staff")).await?.state, "failed");
    let again = answer(&second, Verb::Cancel, Some("again")).await.unwrap_err();
    assert_eq!(again.code, Code::CloudRefused, "{again}");
    office.bank()?.set_faults(BankFaults::default());
    answer(&third, Verb::Retry, None).await?;
    let splits = until(&till, "settled", |splits| splits.sales.succeeded.count == 2).await?;
    assert_eq!((splits.manual.len(), splits.sales.canceled.count), (0, 1));
    assert_eq!(office.bank()?.sums().await?.paid, 1, "one by evidence, one by the bank");
    let history = &office.split(&first).await?["history"];
    let last = history.as_array().and_then(|steps| steps.last()).context("history")?;
    assert_eq!((&last["by"], &last["note"]), (&"R1/owner".into(), &"slip 4711".into()));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn sale_that_cannot_be_shared_is_on_the_managers_list_and_in_the_books() -> Result<()> {
    let office = HeadOffice::open_with_bank(&["S1"], BankFaults::default()).await?;
    office.share_orders_without_table(0).await?;
    let till = Till::open(&office, "R1", "front").await?;
    till.until_sharing().await?;
    till.sell(1).await?;
    till.until("told all but one", |cloud| cloud.unsent == 0 && cloud.refused_records == 1).await?;
    let [refused] = &till.register.cloud_records(None).await?.parked[..] else { panic!("one") };
    assert_eq!(refused.kind, "split");
    assert!(
        refused.detail.as_deref().unwrap_or_default().contains("no share table"),
        "{refused:?}"
    );
    office.until_booked("R1", till.today(), 1).await?;
    // Once there is a table the manager has it sent again.
    office.set_share_table(0).await?;
    till.send_again(refused.id).await?;
    until_paid(&office, &till, 1).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn register_sees_and_settles_the_splits_of_its_own_store_alone() -> Result<()> {
    let frozen = vec!["platform".parse()?];
    let faults = BankFaults { frozen, ..BankFaults::default() };
    let office = HeadOffice::open_with_bank(&["S1", "S2"], faults).await?;
    office.share_orders(0).await?;
    let first = Till::open(&office, "R1", "front").await?;
    let code = office.code_in(1, "R1").await?;
    let clock = std::sync::Arc::new(tillroll_register::SystemClock);
    let second = Till::with(&office, ("S2", "R1"), "front", &code, clock).await?;
    first.until_sharing().await?;
    first.sell(1).await?;
    second.sell(1).await?;
    let left = until(&first, "left to a manager", |splits| splits.manual.len() == 1).await?;
    let theirs = until(&second, "asked", |splits| splits.reached).await?;
    assert!(!theirs.shared && theirs.manual.is_empty(), "{theirs:?}");
    let body = SplitBody { note: Some("not mine".to_owned()) };
    let id = &left.manual[0].id;
    let asked = second.register.answer_split(&second.access, id, Verb::Cancel, &body).await;
    assert_eq!(asked.unwrap_err().code, Code::NotFound, "as if it did not exist");
    Ok(())
}
