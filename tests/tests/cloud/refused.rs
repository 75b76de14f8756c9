//! What the head office refuses is shown, and holds up nothing else.

use anyhow::Result;

use crate::head_office::HeadOffice;
use crate::till::Till;

/// One refused sale blocks no other, and the day's close shows it (frappe/erpnext#13388).
#[tokio::test(flavor = "multi_thread")]
async fn number_of_another_register_is_refused_and_shown_and_the_sales_around_it_go_on()
-> Result<()> {
    let office = HeadOffice::open(&["S1"]).await?;
    let first = Till::open(&office, "R1", "front").await?;
    let second = Till::open(&office, "R2", "bar").await?;
    let taken = first.sell(2).await?;
    office.until_booked("R1", first.today(), 1).await?;
    second.cut_network().await?;
    for n in 1..=5 {
        second.sell(n).await?;
    }
    second.restore_network().await?;
    second.until("told all but one", |cloud| cloud.unsent == 0).await?;
    let refused = second.register.cloud_records(None).await?.parked;
    assert!(refused.iter().all(|record| record.job_id.as_deref() == Some(&taken)), "{refused:?}");
    let receipt = refused.iter().find(|record| record.kind == "receipt").unwrap();
    assert_eq!(receipt.code, "conflict");
    assert!(receipt.detail.as_deref().unwrap_or_default().contains("R1"), "{receipt:?}");
    office.until_booked("R2", second.today(), 4).await?;
    office.until_booked("R1", first.today(), 1).await?;
    second.until_difference("refused").await?;
    let closed =
        second.register.close_day(&second.access, second.today(), &Default::default()).await?;
    assert!(closed.differences > 0, "{closed:?}");
    second.until_difference("refused").await?;
    Ok(())
}
