//! Printers that could be added.

use serde::{Deserialize, Serialize};
use tillroll_escpos::profile::Profile;
use tillroll_spooler::device::Discovered;
use utoipa::ToSchema;

/// The shipped printer profiles.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ProfilesView {
    /// In the order they are offered.
    pub profiles: Vec<ProfileView>,
}

/// A printer profile.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProfileView {
    /// Its name.
    pub name: String,
    /// Who makes such printers.
    pub vendor: String,
    /// Columns of the usual font.
    pub columns: u32,
    /// Printable dots across.
    pub dots: u32,
    /// What to know about it.
    pub notes: String,
}

impl ProfilesView {
    /// Every profile this program ships.
    #[must_use]
    pub fn shipped() -> Self {
        Self { profiles: Profile::all().iter().map(ProfileView::from).collect() }
    }
}

impl From<&Profile> for ProfileView {
    fn from(profile: &Profile) -> Self {
        Self {
            name: profile.name.clone(),
            vendor: profile.vendor.clone(),
            columns: profile.columns_a,
            dots: profile.dots,
            notes: profile.notes.clone(),
        }
    }
}

/// What is connected to this computer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct DevicesView {
    /// Devices that may be printers.
    pub devices: Vec<DeviceView>,
}

/// A device that may be a printer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct DeviceView {
    /// Its address, as a printer is added with. The line settings of a serial port are a guess.
    pub uri: String,
    /// What it calls itself, where it does.
    pub name: Option<String>,
}

impl From<Discovered> for DeviceView {
    fn from(found: Discovered) -> Self {
        Self { uri: found.uri.to_string(), name: found.name }
    }
}
