//! The day.

use jiff::civil::Date;
use tauri::State;
use tillroll_register::view::{
    CashBody, CloseBody, ClosingView, DayView, ExportFormat, HourView, ManualSplitView, SplitBody,
    SplitVerb, SplitsView, TotalsView,
};

use crate::argument::Argument;
use crate::desk::Desk;
use crate::refused::Answer;

/// The reconciliation of a day.
#[tauri::command(rename_all = "snake_case")]
pub async fn day(desk: State<'_, Desk>, date: Argument<Date>) -> Answer<DayView> {
    Ok(desk.register().await?.day(date.read()?).await?)
}

/// The hours of a day.
#[tauri::command(rename_all = "snake_case")]
pub async fn hours(desk: State<'_, Desk>, date: Argument<Date>) -> Answer<Vec<HourView>> {
    Ok(desk.register().await?.hours(date.read()?).await?)
}

/// What the POS says of a day, keyed in.
#[tauri::command(rename_all = "snake_case")]
pub async fn declare_pos_totals(
    desk: State<'_, Desk>,
    date: Argument<Date>,
    totals: Argument<TotalsView>,
) -> Answer<()> {
    let register = desk.register().await?;
    Ok(register.declare_pos_totals(date.read()?, totals.read()?).await?)
}

/// A movement of cash that is no sale.
#[tauri::command(rename_all = "snake_case")]
pub async fn move_cash(
    desk: State<'_, Desk>,
    date: Argument<Date>,
    body: Argument<CashBody>,
) -> Answer<()> {
    let (register, access) = desk.seated().await?;
    Ok(register.move_cash(&access, date.read()?, &body.read()?).await?)
}

/// Closes the open session of a day; the PIN signs it.
#[tauri::command(rename_all = "snake_case")]
pub async fn close_day(
    desk: State<'_, Desk>,
    date: Argument<Date>,
    z_no: Option<i64>,
    counted_minor: Option<i64>,
    reason: Option<String>,
    pin: String,
) -> Answer<ClosingView> {
    let date = date.read()?;
    let (register, access) = desk.managed_by(&pin).await?;
    let body = CloseBody { z_no, counted_minor, reason };
    Ok(register.close_day(&access, date, &body).await?)
}

/// Writes a day to a file of this user; its path.
#[tauri::command(rename_all = "snake_case")]
pub async fn export_day(
    desk: State<'_, Desk>,
    date: Argument<Date>,
    format: Argument<ExportFormat>,
) -> Answer<String> {
    let register = desk.register().await?;
    let path = register.export_day(date.read()?, format.read()?, &desk.exports()).await?;
    Ok(path.display().to_string())
}

/// A day's splits of the store.
#[tauri::command(rename_all = "snake_case")]
pub async fn splits(desk: State<'_, Desk>, date: Argument<Date>) -> Answer<SplitsView> {
    Ok(desk.register().await?.splits(date.read()?).await?)
}

/// Does what a manager asks of a split.
#[tauri::command(rename_all = "snake_case")]
pub async fn answer_split(
    desk: State<'_, Desk>,
    id: String,
    verb: Argument<SplitVerb>,
    body: Argument<SplitBody>,
) -> Answer<ManualSplitView> {
    let (register, access) = desk.managed().await?;
    Ok(register.answer_split(&access, &id, verb.read()?, &body.read()?).await?)
}
