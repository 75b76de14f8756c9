//! The virtual printers of this process, by name: met anew at every open, so that a replaced printer is
//! the one that prints next.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tillroll_paper::VirtualPrinter;
use tokio::io::DuplexStream;
use tokio::time::timeout;

use super::OpenError;

/// The virtual printers by name. Clones share one register.
#[derive(Clone, Default)]
pub struct VirtualPrinters {
    printers: Arc<RwLock<BTreeMap<String, VirtualPrinter>>>,
}

impl VirtualPrinters {
    /// Adds or replaces the printer `name`.
    pub fn insert(&self, name: impl Into<String>, printer: VirtualPrinter) {
        let mut printers = self.printers.write().unwrap_or_else(PoisonError::into_inner);
        printers.insert(name.into(), printer);
    }

    /// Takes the printer `name` away; links that are open live on.
    pub fn remove(&self, name: &str) {
        self.printers.write().unwrap_or_else(PoisonError::into_inner).remove(name);
    }

    /// The printer `name`.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<VirtualPrinter> {
        self.printers.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Connects to the printer `name`; one that serves another host is waited for within the limit.
    pub(super) async fn connect(
        &self,
        name: &str,
        limit: Duration,
    ) -> Result<DuplexStream, OpenError> {
        let Some(printer) = self.get(name) else {
            return Err(OpenError::NotFound(io::Error::from(io::ErrorKind::NotFound).into()));
        };
        match timeout(limit, printer.connect()).await {
            Ok(connected) => connected.map_err(|error| OpenError::Refused(error.into())),
            Err(_elapsed) => Err(OpenError::TimedOut { limit }),
        }
    }
}
