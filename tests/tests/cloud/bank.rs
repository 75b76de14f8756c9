//! A bank that pays splits, and how a dispatcher pays by it.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use tillroll_dispatcher::bank_sim::{BankFaults, BankOptions, BankSim};
use tillroll_dispatcher::config::Config;
use tillroll_dispatcher::payments::Seal;
use tillroll_register::SystemClock;

const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

pub async fn open(folder: &Path, faults: BankFaults) -> Result<BankSim> {
    let options = BankOptions {
        data: folder.to_owned(),
        listen: ([127, 0, 0, 1], 0).into(),
        seal: Seal::of(SECRET).context("a seal")?,
        faults,
        clock: Arc::new(SystemClock),
        // No fault of these tests is drawn.
        random: || 0,
    };
    Ok(BankSim::start(options).await?)
}

pub fn pay_by(config: &mut Config, bank: &BankSim) -> Result<()> {
    config.splits.channel = format!("http://{}", bank.address());
    config.splits.secret = SECRET.to_owned().try_into()?;
    Ok(())
}

/// 6 % for the platform, the rest for the merchant.
pub fn share_table() -> Value {
    json!({"valid_from": "2020-01-01T00:00:00Z", "shares": [
        {"party": "platform", "rate_bp": 600}, {"party": "merchant", "rate_bp": 9_400}]})
}
