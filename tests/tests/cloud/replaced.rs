//! A machine takes another one's place while a job is under way.

use anyhow::Result;

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
