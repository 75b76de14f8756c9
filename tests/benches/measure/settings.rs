//! The register that is measured.

use anyhow::Result;
use tillroll_domain::ids::Part;
use tillroll_store::RegisterSettings;

/// The profile of its printer, one that proves its jobs by token.
pub const PROFILE: &str = "tm-t20iii";

/// What is fixed at its set-up.
pub fn settings() -> Result<RegisterSettings> {
    Ok(RegisterSettings {
        store: Part::new("S1", "store")?,
        register: Part::new("R1", "register")?,
        zone: "Asia/Shanghai".to_owned(),
        cutoff: "04:00".to_owned(),
        currency: "CNY".parse()?,
        locale: "en".to_owned(),
    })
}
