//! Printers and routes.

use tauri::State;
use tillroll_register::Register;
use tillroll_register::view::{
    AddedPrinter, DeviceView, JobView, PrinterBody, PrinterView, ProbeView, ProfileView,
    ProfilesView, RoutesBody,
};

use crate::argument::Argument;
use crate::desk::Desk;
use crate::refused::Answer;

/// Every printer with what it is doing.
#[tauri::command(rename_all = "snake_case")]
pub async fn printers(desk: State<'_, Desk>) -> Answer<Vec<PrinterView>> {
    Ok(desk.register().await?.printers().await?)
}

/// Adds a printer; for a manager.
#[tauri::command(rename_all = "snake_case")]
pub async fn add_printer(
    desk: State<'_, Desk>,
    name: String,
    body: Argument<PrinterBody>,
) -> Answer<AddedPrinter> {
    let (register, _) = desk.managed().await?;
    Ok(register.add_printer(&name, &body.read()?).await?)
}

/// Changes a printer's settings; for a manager.
#[tauri::command(rename_all = "snake_case")]
pub async fn change_printer(
    desk: State<'_, Desk>,
    name: String,
    body: Argument<PrinterBody>,
) -> Answer<PrinterView> {
    let (register, _) = desk.managed().await?;
    Ok(register.change_printer(&name, &body.read()?).await?)
}

/// Removes a printer; for a manager.
#[tauri::command(rename_all = "snake_case")]
pub async fn remove_printer(desk: State<'_, Desk>, name: String) -> Answer<()> {
    let (register, _) = desk.managed().await?;
    Ok(register.remove_printer(&name).await?)
}

/// Asks a printer what it can prove, and stores it; for a manager.
#[tauri::command(rename_all = "snake_case")]
pub async fn probe_printer(desk: State<'_, Desk>, name: String) -> Answer<ProbeView> {
    let (register, _) = desk.managed().await?;
    Ok(register.probe_printer(&name).await?)
}

/// Prints a test page.
#[tauri::command(rename_all = "snake_case")]
pub async fn test_printer(desk: State<'_, Desk>, name: String) -> Answer<JobView> {
    let register = desk.register().await?;
    let accepted = register.test_printer(&name).await?;
    Ok(register.job(&accepted.id).await?.job)
}

/// Pauses or resumes a printer.
#[tauri::command(rename_all = "snake_case")]
pub async fn pause_printer(
    desk: State<'_, Desk>,
    name: String,
    paused: bool,
) -> Answer<PrinterView> {
    Ok(desk.register().await?.pause_printer(&name, paused).await?)
}

/// Opens the drawer without a sale; for a manager, and recorded.
#[tauri::command(rename_all = "snake_case")]
pub async fn open_drawer(desk: State<'_, Desk>, name: String, reason: String) -> Answer<()> {
    let (register, access) = desk.managed().await?;
    Ok(register.open_drawer(&access, &name, &reason).await?)
}

/// Looks for printers at this computer, and in its network when asked to.
#[tauri::command(rename_all = "snake_case")]
pub async fn discover_printers(desk: State<'_, Desk>, network: bool) -> Answer<Vec<DeviceView>> {
    let register = desk.register().await?;
    let mut found = register.discover().await?;
    if network {
        found.extend(register.discover_network().await?);
    }
    Ok(found)
}

/// The shipped printer profiles.
#[tauri::command(rename_all = "snake_case")]
pub fn profiles() -> Vec<ProfileView> {
    ProfilesView::shipped().profiles
}

/// Printer name by kind.
#[tauri::command(rename_all = "snake_case")]
pub async fn routes(desk: State<'_, Desk>) -> Answer<RoutesBody> {
    Ok(desk.register().await?.routes().await?)
}

/// Sends kinds to other printers from now on; for a manager.
#[tauri::command(rename_all = "snake_case")]
pub async fn set_routes(desk: State<'_, Desk>, routes: Argument<RoutesBody>) -> Answer<RoutesBody> {
    let (register, _): (Register, _) = desk.managed().await?;
    register.set_routes(&routes.read()?).await?;
    Ok(register.routes().await?)
}
