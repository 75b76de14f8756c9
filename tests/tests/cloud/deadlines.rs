//! What comes too late waits for the clerk, and what is on paper all the same settles its job.

use anyhow::Result;
use tillroll_domain::print_job::Verb;
use tillroll_paper::Paper;
use tillroll_register::view::AnswerBody;

use crate::head_office::{HeadOffice, PATIENCE, kitchen_within};
use crate::till::Till;

#[tokio::test(flavor = "multi_thread")]
async fn order_that_timed_out_while_the_store_was_away_is_held_for_the_clerk() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let till = Till::open(&office, "R1", "kitchen").await?;
    till.cut_network().await?;
    let id = office.order(&kitchen_within("A-1", 1)).await?;
    let job = office.until(&id, "timed_out").await?;
    assert_eq!(job["reason"], "device_offline");
    till.restore_network().await?;
    till.until_job(&id, "held").await?;
    let todo = till.register.todo().await?;
    assert!(todo.jobs.iter().any(|job| job.id == id), "the clerk is asked");
    assert_eq!(till.printer("kitchen")?.cut_tickets(), 0);
    // The clerk wants it all the same.
    till.register.answer(&till.access, &id, Verb::Print, &AnswerBody::default()).await?;
    let job = office.until(&id, "printed").await?;
    assert_eq!(job["late"], true);
    assert_eq!(till.printer("kitchen")?.cut_tickets(), 1);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn paper_that_the_head_office_could_not_hear_of_settles_the_job_late() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let till = Till::open(&office, "R1", "kitchen").await?;
    let printer = till.printer("kitchen")?;
    // The paper ends in the middle of the job, so that it is at the device when the network goes.
    printer.fault(tillroll_paper::Fault::PaperEndAfterLines(2));
    let id = office.order(&kitchen_within("A-1", 4)).await?;
    till.until_job(&id, "printing").await?;
    office.until(&id, "accepted").await?;
    till.cut_network().await?;
    printer.set_paper(Paper::Ok);
    printer.wait_for_tickets(1, PATIENCE).await?;
    till.until_job(&id, "printed").await?;
    office.until(&id, "timed_out").await?;
    till.restore_network().await?;
    let job = office.until(&id, "printed").await?;
    assert_eq!(job["late"], true);
    assert_eq!(printer.cut_tickets(), 1);
    Ok(())
}
