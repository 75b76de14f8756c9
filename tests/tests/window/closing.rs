//! The manager closes a day that does not add up.

use anyhow::Result;
use fantoccini::key::Key;
use serde_json::json;
use tillroll_tests::api::receipt;

use crate::paper::squeezed;
use crate::shop::{PIN, shop};
use crate::texts::{text, text_with};

#[tokio::test]
async fn day_is_closed_with_differences_that_stay_on_the_report() -> Result<()> {
    let (desktop, printer, page) = shop(&[]).await?;
    let api = desktop.api().await?;
    // 12.50 in cash; the POS says it sold one more.
    api.post("/v1/receipts", &receipt(1)).await?;
    printer.wait_for_tickets(1).await?;
    let today = page.invoke("app_state", json!({})).await?["today"].clone();
    let totals = json!({"receipts": 2, "gross_minor": 2500});
    page.invoke("declare_pos_totals", json!({"date": today, "totals": totals})).await?;

    page.press(Key::F4).await?;
    page.sees(&text("day_expected")).await?;
    page.sees("12.50").await?;
    page.press(Key::F6).await?;
    page.fill("¥10.00", "1").await?;
    page.fill(&text("day_close_reason"), "a coin rolled away").await?;
    page.press(Key::Enter).await?;
    page.sees(&text("day_count_done")).await?;

    page.press(Key::F9).await?;
    page.sees(&text_with("day_close_title", "number", 1)).await?;
    page.fill(&text("pin_label"), "1111").await?;
    page.press(Key::Enter).await?;
    page.sees(&text("problem_wrong_pin")).await?;
    page.fill(&text("pin_label"), PIN).await?;
    page.press(Key::Enter).await?;
    page.sees(&text_with("day_close_done", "number", 1)).await?;

    let report = squeezed(&printer.wait_for_tickets(2).await?[1]);
    assert!(report.contains("Zreport") && report.contains("-2.50"), "{report}");
    let today = today.as_str().unwrap_or_default();
    let day = api.get(&format!("/v1/days/{today}")).await?;
    assert!(day["sessions"][0]["closed_at"].is_string(), "{day}");
    let cash = &day["sessions"][0]["cash"];
    assert_eq!(cash["difference_minor"], -250, "{day}");
    assert_eq!(cash["reason"], "a coin rolled away", "what was said at the count is sent: {day}");
    let codes: Vec<_> =
        day["differences"].as_array().unwrap().iter().map(|one| &one["code"]).collect();
    assert!(codes.contains(&&json!("pos")) && codes.contains(&&json!("cash_difference")), "{day}");
    Ok(())
}
