//! What the owner may change while the register runs.

use std::time::Duration;

use tillroll_store::Preferences;

use crate::problem::Problem;
use crate::view::Settings;
use crate::{Access, Register};

/// A pending job is listed when it waited this long, unless the owner chose otherwise.
const ATTENTION_AFTER: Duration = Duration::from_secs(60);
/// A choice between a second and a day.
const CHOICE_S: std::ops::RangeInclusive<u32> = 1..=86_400;

impl Register {
    /// The preferences as they stand, defaults filled in.
    #[must_use]
    pub fn preferences(&self) -> Settings {
        let kept = self.store().preferences();
        let stale_after = kept.stale_after.unwrap_or(self.spooler().context().timings.stale_after);
        Settings {
            attention_after_s: seconds(kept.attention_after.unwrap_or(ATTENTION_AFTER)),
            stale_after_s: seconds(stale_after),
            sounds: kept.sounds,
        }
    }

    /// Changes them, from now on.
    ///
    /// # Errors
    /// [`crate::problem::Code::Forbidden`] without the right to manage, or the field that cannot be used.
    pub async fn change_preferences(
        &self,
        access: &Access,
        settings: Settings,
    ) -> Result<Settings, Problem> {
        access.manages()?;
        let preferences = Preferences {
            attention_after: Some(choice("attention_after_s", settings.attention_after_s)?),
            stale_after: Some(choice("stale_after_s", settings.stale_after_s)?),
            sounds: settings.sounds,
        };
        self.store().put_preferences(preferences).await?;
        Ok(self.preferences())
    }
}

fn choice(field: &str, seconds: u32) -> Result<Duration, Problem> {
    if CHOICE_S.contains(&seconds) {
        return Ok(Duration::from_secs(u64::from(seconds)));
    }
    Err(Problem::value(field, "must be 1 to 86400 seconds"))
}

fn seconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_secs()).unwrap_or(u32::MAX)
}
