//! The head office: how the register stands with it, pairing by code, and the manager's list of records.

use tauri::State;
use tillroll_register::view::{
    CloudStatusView, PairCloudBody, RecordVerb, RecordsAnswered, RecordsBody,
};

use crate::argument::Argument;
use crate::desk::Desk;
use crate::refused::Answer;

/// How the register stands with the head office.
#[tauri::command(rename_all = "snake_case")]
pub async fn cloud(desk: State<'_, Desk>) -> Answer<CloudStatusView> {
    Ok(desk.register().await?.cloud().await?)
}

/// Pairs with a head office by the code it shows.
#[tauri::command(rename_all = "snake_case")]
pub async fn pair_cloud(
    desk: State<'_, Desk>,
    body: Argument<PairCloudBody>,
) -> Answer<CloudStatusView> {
    let (register, access) = desk.managed().await?;
    Ok(register.pair(&access, &body.read()?).await?)
}

/// Ends the pairing.
#[tauri::command(rename_all = "snake_case")]
pub async fn unpair_cloud(desk: State<'_, Desk>) -> Answer<()> {
    let (register, access) = desk.managed().await?;
    Ok(register.unpair(&access).await?)
}

/// Tries for a connection now.
#[tauri::command(rename_all = "snake_case")]
pub async fn retry_cloud(desk: State<'_, Desk>) -> Answer<CloudStatusView> {
    Ok(desk.register().await?.retry_cloud().await?)
}

/// Does what a manager asks of records.
#[tauri::command(rename_all = "snake_case")]
pub async fn answer_records(
    desk: State<'_, Desk>,
    verb: Argument<RecordVerb>,
    body: Argument<RecordsBody>,
) -> Answer<RecordsAnswered> {
    let (register, access) = desk.managed().await?;
    Ok(register.answer_records(&access, verb.read()?, &body.read()?).await?)
}
