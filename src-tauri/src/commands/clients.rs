//! POS programs and their tokens; for a manager.

use tauri::State;
use tillroll_register::view::{ClientBody, ClientMade, ClientView};

use crate::argument::Argument;
use crate::desk::Desk;
use crate::refused::Answer;

/// Every client program.
#[tauri::command(rename_all = "snake_case")]
pub async fn clients(desk: State<'_, Desk>) -> Answer<Vec<ClientView>> {
    Ok(desk.register().await?.clients().await?)
}

/// Makes a client program, or gives one a new token, which is shown this once.
#[tauri::command(rename_all = "snake_case")]
pub async fn make_client(desk: State<'_, Desk>, body: Argument<ClientBody>) -> Answer<ClientMade> {
    let (register, _) = desk.managed().await?;
    Ok(register.make_client(&body.read()?).await?)
}

/// Takes a client program's token away.
#[tauri::command(rename_all = "snake_case")]
pub async fn revoke_client(desk: State<'_, Desk>, name: String) -> Answer<()> {
    let (register, _) = desk.managed().await?;
    Ok(register.revoke_client(&name).await?)
}
