//! The virtual printers of this process, by name.
//!
//! A printer is known by the way to connect to it, so that a replaced printer is met at the next
//! open and one that refuses does so itself.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::io::{AsyncRead, AsyncWrite};

use super::link::InProcess;
use super::{Cause, OpenError};

type Connect = Arc<dyn Fn() -> Result<Box<dyn InProcess>, Cause> + Send + Sync>;

/// The virtual printers by name. Clones share one register.
#[derive(Clone, Default)]
pub struct VirtualPrinters {
    printers: Arc<RwLock<BTreeMap<String, Connect>>>,
}

impl VirtualPrinters {
    /// Adds or replaces the printer `name`; `connect` opens one connection or says why it is
    /// refused.
    pub fn insert<Stream, Refusal>(
        &self,
        name: impl Into<String>,
        connect: impl Fn() -> Result<Stream, Refusal> + Send + Sync + 'static,
    ) where
        Stream: AsyncRead + AsyncWrite + Send + Sync + Unpin + 'static,
        Refusal: Into<Cause>,
    {
        let connect = move || match connect() {
            Ok(stream) => Ok(Box::new(stream) as Box<dyn InProcess>),
            Err(refusal) => Err(refusal.into()),
        };
        let mut printers = self.printers.write().unwrap_or_else(PoisonError::into_inner);
        printers.insert(name.into(), Arc::new(connect));
    }

    /// Takes the printer `name` away; links that are open live on.
    pub fn remove(&self, name: &str) {
        self.printers.write().unwrap_or_else(PoisonError::into_inner).remove(name);
    }

    /// Connects to the printer `name`.
    pub(super) fn connect(&self, name: &str) -> Result<Box<dyn InProcess>, OpenError> {
        let printer = {
            let printers = self.printers.read().unwrap_or_else(PoisonError::into_inner);
            printers.get(name).cloned()
        };
        let Some(connect) = printer else {
            return Err(OpenError::NotFound(io::Error::from(io::ErrorKind::NotFound).into()));
        };
        connect().map_err(OpenError::Refused)
    }
}
