//! The shipped profiles: the database's printers with our overlay laid over them.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{Cjk, CodePage, ConfirmationHint, Cutter, DrawerPin, Profile};

const PRINTERS: &str = include_str!("../../profiles/printers.json");
const OVERLAY: &str = include_str!("../../profiles/overlay.json");

/// Rows of a picture in one command where the overlay says nothing.
const BAND_ROWS: u32 = 128;

/// A printer of the database.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Base {
    name: String,
    vendor: String,
    columns_a: u32,
    columns_b: u32,
    dots: Option<u32>,
    dpi: Option<u32>,
    code_pages: Vec<(u8, CodePage)>,
    cutter: Cutter,
    raster: bool,
    graphics: bool,
    qr: bool,
    barcode_b: bool,
    drawer: bool,
}

/// A profile offered, and where it differs from its base.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Overlay {
    name: String,
    base: String,
    vendor: Option<String>,
    columns_a: Option<u32>,
    columns_b: Option<u32>,
    dots: Option<u32>,
    dpi: Option<u32>,
    code_pages: Option<Vec<(u8, CodePage)>>,
    graphics: Option<bool>,
    qr: Option<bool>,
    max_qr_bytes: Option<u32>,
    band_rows: Option<u32>,
    confirmation: Option<ConfirmationHint>,
    #[serde(default)]
    cjk: Cjk,
    #[serde(default)]
    cjk_on_at_power_up: bool,
    notes: String,
    #[expect(dead_code, reason = "for the reader of the file")]
    sources: Vec<String>,
}

static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| load().unwrap_or_default());

/// Every profile; the test beside proves that the files compiled in can be read.
pub(super) fn profiles() -> &'static [Profile] {
    &PROFILES
}

/// Reads both files; an overlay whose base is missing is left out.
pub(super) fn load() -> Result<Vec<Profile>, serde_json::Error> {
    let bases: Vec<Base> = serde_json::from_str(PRINTERS)?;
    let overlays: Vec<Overlay> = serde_json::from_str(OVERLAY)?;
    let base_of = |overlay: &Overlay| bases.iter().find(|base| base.name == overlay.base);
    Ok(overlays
        .into_iter()
        .filter_map(|overlay| Some(merged(base_of(&overlay)?, overlay)))
        .collect())
}

fn merged(base: &Base, overlay: Overlay) -> Profile {
    let columns_a = overlay.columns_a.unwrap_or(base.columns_a);
    let pins = if base.drawer { vec![DrawerPin::Two, DrawerPin::Five] } else { Vec::new() };
    Profile {
        name: overlay.name,
        vendor: overlay.vendor.unwrap_or_else(|| base.vendor.clone()),
        columns_a,
        columns_b: overlay.columns_b.unwrap_or(base.columns_b),
        dots: overlay.dots.or(base.dots).unwrap_or(columns_a * 12),
        dpi: overlay.dpi.or(base.dpi).unwrap_or(203),
        code_pages: by_preference(overlay.code_pages.unwrap_or_else(|| base.code_pages.clone())),
        cjk: overlay.cjk,
        cjk_on_at_power_up: overlay.cjk_on_at_power_up,
        cutter: base.cutter,
        raster: base.raster,
        graphics: overlay.graphics.unwrap_or(base.graphics),
        qr: overlay.qr.unwrap_or(base.qr),
        barcode_b: base.barcode_b,
        drawer_pins: pins,
        max_qr_bytes: overlay.max_qr_bytes.unwrap_or(0),
        band_rows: overlay.band_rows.unwrap_or(BAND_ROWS),
        confirmation: overlay.confirmation,
        notes: overlay.notes,
    }
}

/// First the page a printer starts in, then those with the euro sign, those with lines to draw
/// before those without; the others by number.
fn by_preference(mut pages: Vec<(u8, CodePage)>) -> Vec<(u8, CodePage)> {
    const FIRST: [CodePage; 5] =
        [CodePage::Cp437, CodePage::Cp858, CodePage::Windows1252, CodePage::Cp850, CodePage::Cp852];
    let rank =
        |page: CodePage| FIRST.iter().position(|&first| first == page).unwrap_or(FIRST.len());
    pages.sort_by_key(|&(number, page)| (rank(page), number));
    pages
}
