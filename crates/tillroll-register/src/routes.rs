//! Which printer prints which kind.

use tillroll_domain::ids::JobKind;
use tillroll_store::Hint;

use crate::Register;
use crate::problem::Problem;
use crate::view::RoutesBody;

impl Register {
    /// Kind to printer name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn routes(&self) -> Result<RoutesBody, Problem> {
        let routes = self.store().routes().await?;
        let named = routes.into_iter().map(|(kind, printer)| (kind.to_string(), printer));
        Ok(RoutesBody(named.collect()))
    }

    /// Sends kinds to other printers from now on; kinds that are absent stay as they are.
    ///
    /// # Errors
    /// A kind or printer that is not known; nothing is changed then.
    pub async fn set_routes(&self, routes: &RoutesBody) -> Result<(), Problem> {
        let mut read = Vec::with_capacity(routes.0.len());
        for (kind, printer) in &routes.0 {
            let known = kind.parse::<JobKind>();
            let known = known.map_err(|error| Problem::value(kind, error.to_string()))?;
            self.store().printer_named(printer.clone()).await?;
            read.push((known, printer.clone()));
        }
        for (kind, printer) in read {
            self.store().set_route(kind, printer.clone()).await?;
            self.store().feed().hint(Hint::Printer { name: printer });
        }
        Ok(())
    }
}
