//! The cable between the tills and this machine, and what is wrong with it.

use std::fmt;

use anyhow::Result;

use super::namespace::Namespace;

/// Packets lost each way, in a hundred.
pub const LOSS: u32 = 15;
/// What a thin line carries each way, for all registers together.
const THIN_KBIT: u32 = 1_000;

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cable {
    /// It loses packets.
    Lossy,
    /// It carries little.
    Thin,
}

impl Cable {
    /// Lays it. Needs root.
    pub fn lay(self) -> Result<Namespace> {
        match self {
            Self::Lossy => Namespace::with_loss(LOSS),
            Self::Thin => {
                let namespace = Namespace::new()?;
                namespace.narrow(THIN_KBIT)?;
                Ok(namespace)
            }
        }
    }
}

impl fmt::Display for Cable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lossy => write!(f, "{LOSS} % of all packets lost"),
            Self::Thin => write!(f, "{THIN_KBIT} kbit/s for all"),
        }
    }
}
