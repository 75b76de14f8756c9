//! The head office commits, and its answer gets lost or comes late.

use anyhow::Result;

use crate::head_office::HeadOffice;
use crate::till::Till;

/// An order is made once though its answer is lost (odoo/odoo#40567).
#[tokio::test(flavor = "multi_thread")]
async fn answers_lost_after_the_commit_count_each_sale_once() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let till = Till::open(&office, "R1", "front").await?;
    till.lose_answers(true);
    for n in 0..5 {
        till.sell(n).await?;
    }
    office.until_booked("R1", till.today(), 5).await?;
    assert!(till.register.cloud().await?.unsent > 0, "nothing was acknowledged");
    till.lose_answers(false);
    let day = till.until_days_are_equal().await?;
    assert_eq!((day.register.receipts, day.register.gross_minor), (5, 5 * 1_250));
    Ok(())
}

/// The work takes longer than the register waits for it, so that a copy of the request comes in behind it.
#[tokio::test(flavor = "multi_thread")]
async fn copies_that_pile_up_behind_slow_work_count_each_sale_once() -> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let till = Till::open(&office, "R1", "front").await?;
    let busy = office.keep_busy()?;
    till.sell(1).await?;
    till.until_asked(2).await?;
    assert!(till.register.cloud().await?.unsent > 0, "nothing is in the books yet");
    drop(busy);
    let day = till.until_days_are_equal().await?;
    assert_eq!((day.register.receipts, day.register.gross_minor), (1, 1_250));
    let refused = till.register.cloud_records(None).await?.parked;
    assert!(refused.is_empty(), "each copy got the same answer: {refused:?}");
    Ok(())
}
