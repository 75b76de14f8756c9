//! What the register itself has to tell.

use crate::support::Till;

#[tokio::test]
async fn condition_is_told_while_it_holds_and_once_until_it_was_read() {
    let till = Till::new().await;
    let keep = async |holds: bool| {
        let detail = holds.then(|| "no fonts were found".to_owned());
        till.store.keep_notice("fonts_missing", detail, till.now()).await.unwrap();
        till.store.notices().await.unwrap()
    };
    keep(true).await;
    let told = keep(true).await;
    assert_eq!((told.len(), told[0].code.as_str()), (1, "fonts_missing"));
    assert!(keep(false).await.is_empty());
    let told = keep(true).await;
    till.store.answer_notice(told[0].id, till.now()).await.unwrap();
    assert_eq!(keep(true).await.len(), 1, "it still holds at the next start");
}
