//! The manager's PIN, and the settings it guards.

use tauri::State;
use tillroll_register::view::{Settings, Unlocked};

use crate::argument::Argument;
use crate::desk::Desk;
use crate::refused::Answer;

/// Gives this desk the manager's rights for a while.
#[tauri::command(rename_all = "snake_case")]
pub async fn unlock_manager(desk: State<'_, Desk>, pin: String) -> Answer<Unlocked> {
    Ok(desk.unlock(&pin).await?)
}

/// Gives the manager's rights up.
#[tauri::command(rename_all = "snake_case")]
pub async fn lock_manager(desk: State<'_, Desk>) -> Answer<()> {
    desk.running().await?.lock();
    Ok(())
}

/// Sets the PIN: the first one by anyone at this machine, another by a manager.
#[tauri::command(rename_all = "snake_case")]
pub async fn set_manager_pin(desk: State<'_, Desk>, pin: String) -> Answer<()> {
    let (register, access) = desk.seated().await?;
    Ok(register.set_pin(&access, &pin).await?)
}

/// What the owner may change while the register runs.
#[tauri::command(rename_all = "snake_case")]
pub async fn settings(desk: State<'_, Desk>) -> Answer<Settings> {
    Ok(desk.register().await?.preferences())
}

/// Changes it, from now on.
#[tauri::command(rename_all = "snake_case")]
pub async fn change_settings(
    desk: State<'_, Desk>,
    settings: Argument<Settings>,
) -> Answer<Settings> {
    let (register, access) = desk.managed().await?;
    Ok(register.change_preferences(&access, settings.read()?).await?)
}
