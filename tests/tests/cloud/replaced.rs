//! A machine takes another one's place while a job is under way.

use anyhow::Result;
use tillroll_register::view::CloudState;

use crate::head_office::{HeadOffice, kitchen};
use crate::till::Till;

#[tokio::test(flavor = "multi_thread")]
async fn job_the_old_machine_took_is_held_on_the_new_one() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let old = Till::open(&office, "R1", "kitchen").await?;
    old.printer("kitchen")?.fault(tillroll_paper::Fault::PaperEndAfterLines(2));
    let id = office.order(&kitchen("A-1")).await?;
    old.until_job(&id, "printing").await?;
    office.until(&id, "accepted").await?;
    let _broken = old.close().await;
    let new = Till::open(&office, "R1", "kitchen").await?;
    new.until_job(&id, "held").await?;
    let story = new.register.job(&id).await?;
    assert_eq!(story.job.reason.map(|reason| reason.to_string()).as_deref(), Some("restored"));
    assert_eq!(new.printer("kitchen")?.cut_tickets(), 0, "it may be on paper already");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn new_machine_sells_on_above_the_numbers_of_the_old_one() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let old = Till::open(&office, "R1", "front").await?;
    for n in 1..=3 {
        old.sell(n).await?;
    }
    old.register.close_day(&old.access, old.today(), &Default::default()).await?;
    old.until("told everything", |cloud| cloud.unsent == 0).await?;
    let _broken = old.close().await;
    let new = Till::open(&office, "R1", "front").await?;
    for n in 4..=6 {
        new.sell(n).await?;
    }
    new.register.close_day(&new.access, new.today(), &Default::default()).await?;
    new.until("told everything", |cloud| cloud.unsent == 0).await?;
    let refused = new.register.cloud_records(None).await?.parked;
    assert!(refused.is_empty(), "{refused:?}");
    office.until_booked("R1", new.today(), 6).await?;
    assert_eq!(office.day(new.today()).await?["registers"][0]["closed"], 2);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn machine_that_was_replaced_says_so_and_what_it_sells_meets_nothing() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let old = Till::open(&office, "R1", "front").await?;
    let new = Till::open(&office, "R1", "front").await?;
    old.until_state(CloudState::Refused).await?;
    for n in 1..=3 {
        old.sell(n).await?;
        new.sell(n + 3).await?;
    }
    new.until_days_are_equal().await?;
    assert!(old.register.cloud().await?.unsent > 0);
    // Somebody pairs the old one again: the numbers it gave out beside the new one are refused by name.
    let (url, code) = (old.url(), office.code_for("R1").await?);
    let body = tillroll_register::view::PairCloudBody { url, code };
    old.register.pair(&old.access, &body).await?;
    old.until("told all it may", |cloud| cloud.unsent == 0).await?;
    let refused = old.register.cloud_records(None).await?.parked;
    let receipts: Vec<_> = refused.iter().filter(|record| record.kind == "receipt").collect();
    assert_eq!(receipts.len(), 3, "{refused:?}");
    assert!(receipts.iter().all(|record| record.code == "conflict"), "{refused:?}");
    office.until_booked("R1", new.today(), 3).await?;
    let sold = old.sell(7).await?;
    old.until("told it", |cloud| cloud.unsent == 0).await?;
    office.until_booked("R1", new.today(), 4).await?;
    old.until_job(&sold, "printed").await?;
    Ok(())
}

/// Two machines of one register go on alone from the same number (OCA/l10n-spain#4921).
#[tokio::test(flavor = "multi_thread")]
async fn numbers_that_two_machines_gave_out_offline_are_shown_and_never_overwritten() -> Result<()>
{
    let office = HeadOffice::open(&["S1"]).await?;
    let first = Till::open(&office, "R1", "front").await?;
    first.cut_network().await?;
    let second = Till::open(&office, "R1", "front").await?;
    second.cut_network().await?;
    let mut sold = Vec::new();
    for n in 101..=103 {
        sold.push(second.sell(n).await?);
        // The same number, another sale.
        first.sell_for(n, 900).await?;
    }
    second.restore_network().await?;
    second.until_days_are_equal().await?;
    first.reconnect().await;
    let cloud = first.until_state(CloudState::Refused).await?;
    assert!(cloud.unsent > 0, "nothing of it went anywhere: {cloud:?}");

    let (url, code) = (first.url(), office.code_for("R1").await?);
    let body = tillroll_register::view::PairCloudBody { url, code };
    first.register.pair(&first.access, &body).await?;
    first.until("told all it may", |cloud| cloud.unsent == 0).await?;
    let refused = first.register.cloud_records(None).await?.parked;
    let conflicts = refused.iter().filter(|record| record.kind == "receipt");
    let named: Vec<_> = conflicts.map(|record| (record.code.as_str(), &record.job_id)).collect();
    let expected: Vec<_> = sold.iter().map(|id| ("conflict", Some(id.clone()))).collect();
    assert!(named.iter().copied().eq(expected.iter().map(|(code, id)| (*code, id))), "{refused:?}");
    let theirs = office.day(second.today()).await?;
    let books = &theirs["registers"][0];
    assert_eq!((&books["receipts"], &books["gross_minor"]), (&3.into(), &(3 * 1_250).into()));
    Ok(())
}
