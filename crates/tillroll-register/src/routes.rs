//! Which printer prints which kind.

use std::collections::BTreeMap;

use tillroll_domain::ids::JobKind;

use crate::Register;
use crate::problem::Problem;

impl Register {
    /// Kind to printer name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn routes(&self) -> Result<BTreeMap<String, String>, Problem> {
        let routes = self.store().routes().await?;
        Ok(routes.into_iter().map(|(kind, printer)| (kind.to_string(), printer)).collect())
    }

    /// Sends kinds to other printers from now on.
    ///
    /// # Errors
    /// A kind or printer that is not known; those before it are changed.
    pub async fn set_routes(&self, routes: &BTreeMap<String, String>) -> Result<(), Problem> {
        let mut read = Vec::with_capacity(routes.len());
        for (kind, printer) in routes {
            let known = kind.parse::<JobKind>();
            let kind = known.map_err(|error| Problem::value(kind, error.to_string()))?;
            read.push((kind, printer.clone()));
        }
        for (kind, printer) in read {
            self.store().set_route(kind, printer).await?;
        }
        Ok(())
    }
}
