//! The head office commits, and its answer gets lost.

use anyhow::Result;

use crate::head_office::HeadOffice;
use crate::till::Till;

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
