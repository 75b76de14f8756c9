//! The training store: a register in a temporary folder with a virtual printer, and sales that come by
//! themselves. Nothing of it outlives the program.

mod menu;

use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;
use tillroll_domain::receipt::Receipt;
use tokio::task::JoinHandle;

use crate::problem::{Code, Problem};
use crate::view::{PrinterBody, SetUpBody};
use crate::{Access, BootError, FolderError, Register};

/// The manager's PIN of every training store.
pub const TRAINING_PIN: &str = "1234";
/// The name of its printer.
pub const TRAINING_PRINTER: &str = "front";
/// Between two sales.
pub const SALE_EVERY: Duration = Duration::from_secs(6);
/// Of so many sales one is a refund.
const REFUND_EVERY: u32 = 9;

/// The folder of a training store; it is removed when this is dropped.
#[derive(Debug)]
pub struct TrainingFolder(TempDir);

impl TrainingFolder {
    /// Sets a training store up.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub async fn set_up() -> Result<Self, Problem> {
        let made = tempfile::Builder::new().prefix("tillroll-training-").tempdir();
        let parent = made.map_err(|source| {
            BootError::Folder(FolderError::Io {
                action: "make",
                path: std::env::temp_dir(),
                source,
            })
        })?;
        let folder = Self(parent);
        Register::set_up(folder.path(), &store()).await?;
        Ok(folder)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

fn store() -> SetUpBody {
    SetUpBody {
        store: "TRAINING".to_owned(),
        register: "R1".to_owned(),
        zone: "Asia/Shanghai".to_owned(),
        cutoff: "04:00".to_owned(),
        currency: "CNY".to_owned(),
        locale: "zh-CN".to_owned(),
        manager_pin: TRAINING_PIN.to_owned(),
    }
}

impl Register {
    /// Adds the virtual printer and the PIN of a training store.
    ///
    /// # Errors
    /// When nothing can be stored.
    pub async fn furnish_training(&self, access: &Access) -> Result<(), Problem> {
        self.set_pin(access, TRAINING_PIN).await?;
        let uri = Some(format!("virtual:{TRAINING_PRINTER}"));
        let body = PrinterBody { uri, ..PrinterBody::default() };
        self.add_printer(TRAINING_PRINTER, &body).await?;
        Ok(())
    }

    /// Sells something every so often until the task is aborted or the register stops.
    #[must_use]
    pub fn sell_for_training(&self, access: Access, every: Duration) -> JoinHandle<()> {
        let register = self.downgrade();
        tokio::spawn(async move {
            let mut ticks = tokio::time::interval(every);
            for nth in 1.. {
                ticks.tick().await;
                let Some(register) = register.upgrade().filter(|one| !one.is_stopped()) else {
                    return;
                };
                if let Err(problem) = register.sell_once(&access, nth).await {
                    tracing::warn!(%problem, nth, "a training sale was refused");
                }
            }
        })
    }

    async fn sell_once(&self, access: &Access, nth: u32) -> Result<(), Problem> {
        let receipt: Receipt = menu::sale(nth, nth.is_multiple_of(REFUND_EVERY))?;
        let body = serde_json::to_vec(&receipt)
            .map_err(|error| Problem::new(Code::Internal, error.to_string()))?;
        self.submit(access, &body).await?;
        Ok(())
    }
}
