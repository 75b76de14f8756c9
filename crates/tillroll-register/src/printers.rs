//! Printers: add, change, remove, probe, test, pause, resume, open the drawer.

use tillroll_domain::ids::Part;
use tillroll_domain::printer::{ConfirmationLevel, Unproven};
use tillroll_escpos::profile::{DEFAULT, Profile};
use tillroll_paper::{Behaviour, Device, Personality, VirtualPrinter};
use tillroll_spooler::device::{DeviceUri, discover};
use tillroll_spooler::probe;
use tillroll_store::{DrawerOpening, NewPrinter, Printer};

use crate::problem::{Code, Problem};
use crate::view::{DeviceView, PrinterBody, PrinterView, ProbeView};
use crate::{Access, Register};

/// Counting of a queue stops here.
const QUEUE_MOST: u32 = 1_000;

impl Register {
    /// Every printer with what it is doing.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn printers(&self) -> Result<Vec<PrinterView>, Problem> {
        let mut views = Vec::new();
        for printer in self.store().printers().await? {
            views.push(self.view_printer(printer).await?);
        }
        Ok(views)
    }

    /// One printer with what it is doing.
    ///
    /// # Errors
    /// [`Code::NotFound`] without such a printer.
    pub async fn printer(&self, name: &str) -> Result<PrinterView, Problem> {
        let printer = self.store().printer_named(name.to_owned()).await?;
        self.view_printer(printer).await
    }

    async fn view_printer(&self, printer: Printer) -> Result<PrinterView, Problem> {
        let (queued, oldest_at) = self.store().queue_of(printer.id, QUEUE_MOST).await?;
        let status = self.spooler().status(printer.id);
        Ok(PrinterView::of(printer, status, queued, oldest_at))
    }

    /// Adds a printer. Without a level in the body it is probed; one that cannot be reached now is
    /// added as `silent`, to be probed later.
    ///
    /// # Errors
    /// [`Code::Taken`], [`Code::PrinterUnusable`] or the field that cannot be used.
    pub async fn add_printer(
        &self,
        name: &str,
        body: &PrinterBody,
    ) -> Result<PrinterView, Problem> {
        let settings = Self::settings_of(name, body, None)?;
        let uri: DeviceUri = uri(&settings.uri)?;
        let level = match body.level {
            Some(level) => level,
            None => {
                self.lay_out(&uri, &settings.profile);
                self.probed(&uri).await.map_or(ConfirmationLevel::Silent, |probed| probed.level)
            }
        };
        let id = self.store().add_printer(NewPrinter { level, ..settings.clone() }).await?;
        let settings = NewPrinter { level, ..settings };
        self.renew_worker(Printer { id, settings, paused: false }).await?;
        self.printer(name).await
    }

    /// Changes a printer's settings; fields that are absent stay as they are. A job at the device is
    /// ended with the old ones.
    ///
    /// # Errors
    /// [`Code::NotFound`], or the field that cannot be used.
    pub async fn change_printer(
        &self,
        name: &str,
        body: &PrinterBody,
    ) -> Result<PrinterView, Problem> {
        let printer = self.change_settings(name, body).await?;
        self.renew_worker(printer).await?;
        self.printer(name).await
    }

    async fn change_settings(&self, name: &str, body: &PrinterBody) -> Result<Printer, Problem> {
        let _changing = self.changing_settings().await;
        let printer = self.store().printer_named(name.to_owned()).await?;
        let settings = Self::settings_of(name, body, Some(&printer.settings))?;
        self.store().change_printer(settings.clone()).await?;
        Ok(Printer { settings, ..printer })
    }

    /// Removes a printer; its waiting jobs go on the to-do list.
    ///
    /// # Errors
    /// [`Code::NotAllowed`] while a job is at the device.
    pub async fn remove_printer(&self, name: &str) -> Result<(), Problem> {
        let printer = self.store().printer_named(name.to_owned()).await?;
        self.remove_at_rest(printer).await
    }

    /// Pauses or resumes a printer. A job at the device is ended first.
    ///
    /// # Errors
    /// [`Code::NotFound`] without such a printer.
    pub async fn pause_printer(&self, name: &str, paused: bool) -> Result<PrinterView, Problem> {
        let printer = self.store().printer_named(name.to_owned()).await?;
        self.store().pause_printer(printer.id, paused).await?;
        self.renew_worker(Printer { paused, ..printer }).await?;
        self.printer(name).await
    }

    /// Asks the device what it can prove, and stores it. The worker rests meanwhile.
    ///
    /// # Errors
    /// [`Code::NotAllowed`] while a job is at the device; [`Code::PrinterUnusable`] when it cannot be
    /// reached.
    pub async fn probe_printer(&self, name: &str) -> Result<ProbeView, Problem> {
        let printer = self.store().printer_named(name.to_owned()).await?;
        self.probe_at_rest(printer).await
    }

    /// Probes a device nobody uses, and stores what it can prove.
    pub(crate) async fn probe_and_store(&self, name: &str) -> Result<ProbeView, Problem> {
        let printer = self.store().printer_named(name.to_owned()).await?;
        let probed = self.probed(&uri(&printer.settings.uri)?).await?;
        // A printer that is blocked tells less than it can: what is known of it stays.
        if probed.blocked.is_none() {
            let level = PrinterBody { level: Some(probed.level), ..PrinterBody::default() };
            self.change_settings(name, &level).await?;
        }
        Ok(probed)
    }

    /// Looks for printers at this computer. Nothing is opened and nothing is sent.
    ///
    /// # Errors
    /// [`Code::Unavailable`] when the search does not end in time.
    pub async fn discover(&self) -> Result<Vec<DeviceView>, Problem> {
        let found = discover(&self.spooler().context().timings.device).await;
        let found = found.map_err(|error| {
            let detail = error.to_string();
            Problem { source: Some(Box::new(error)), ..Problem::new(Code::Unavailable, detail) }
        })?;
        Ok(found.into_iter().map(DeviceView::from).collect())
    }

    async fn probed(&self, uri: &DeviceUri) -> Result<ProbeView, Problem> {
        let context = self.spooler().context();
        let probed = probe(uri, &context.timings, &context.virtuals).await;
        probed.map(ProbeView::from).map_err(|error| {
            let detail = error.to_string();
            Problem { source: Some(Box::new(error)), ..Problem::new(Code::PrinterUnusable, detail) }
        })
    }

    /// Opens the drawer without a sale: needs the right to it, is recorded, and is not tried twice.
    ///
    /// # Errors
    /// [`Code::Forbidden`], or [`Code::NotAllowed`] when the printer cannot take it now.
    pub async fn open_drawer(
        &self,
        access: &Access,
        name: &str,
        reason: &str,
    ) -> Result<(), Problem> {
        access.opens_drawer()?;
        let reason = reason.trim();
        if reason.is_empty() || reason.len() > 500 {
            return Err(Problem::value("reason", "must say in 1 to 500 bytes why"));
        }
        let printer = self.store().printer_named(name.to_owned()).await?;
        let opening = DrawerOpening {
            printer: printer.id,
            client: Some(access.0.id),
            reason: reason.to_owned(),
        };
        self.store().record_drawer_opening(opening, self.clock().now()).await?;
        if self.spooler().open_drawer(printer.id) {
            return Ok(());
        }
        Err(Problem::new(Code::NotAllowed, "the printer takes no pulse now"))
    }

    /// What a body asks for, on top of what is stored.
    fn settings_of(
        name: &str,
        body: &PrinterBody,
        stored: Option<&NewPrinter>,
    ) -> Result<NewPrinter, Problem> {
        let name =
            Part::new(name, "name").map_err(|error| Problem::value("name", error.to_string()))?;
        let text = body.uri.clone().or_else(|| stored.map(|stored| stored.uri.clone()));
        let text =
            text.ok_or_else(|| Problem::value("uri", "is required: where is the printer?"))?;
        let uri = uri(&text)?;
        let profile = body
            .profile
            .clone()
            .or_else(|| stored.map(|stored| stored.profile.clone()))
            .unwrap_or_else(|| default_profile(&uri).to_owned());
        let known = Profile::named(&profile)
            .ok_or_else(|| Problem::value("profile", "is none of the known profiles"))?;
        let columns = body.columns.or_else(|| stored.and_then(|stored| stored.columns));
        if let Some(columns) = columns {
            known
                .with_columns(columns)
                .map_err(|error| Problem::value("columns", error.to_string()))?;
        }
        if body.drawer_pin.is_some_and(|pin| pin > 1) {
            return Err(Problem::value("drawer_pin", "must be 0 (pin 2) or 1 (pin 5)"));
        }
        Ok(NewPrinter {
            name,
            uri: uri.to_string(),
            profile,
            columns,
            level: body
                .level
                .or_else(|| stored.map(|stored| stored.level))
                .unwrap_or(ConfirmationLevel::Silent),
            unproven: body
                .unproven
                .or_else(|| stored.map(|stored| stored.unproven))
                .unwrap_or(Unproven::Ask),
            drawer_pin: body
                .drawer_pin
                .or_else(|| stored.map(|stored| stored.drawer_pin))
                .unwrap_or(0),
        })
    }

    /// A `virtual:` printer is made inside this process when its worker is to start.
    pub(crate) fn lay_out_virtual(&self, printer: &Printer) {
        if let Ok(uri) = printer.settings.uri.parse() {
            self.lay_out(&uri, &printer.settings.profile);
        }
    }

    fn lay_out(&self, uri: &DeviceUri, profile: &str) {
        let DeviceUri::Virtual { name } = uri else { return };
        let virtuals = &self.spooler().context().virtuals;
        if virtuals.get(name).is_none() {
            let mut behaviour = Behaviour::new(Personality::Token);
            if let Some(profile) = Profile::named(profile) {
                behaviour.device = Device::from(profile);
            }
            virtuals.insert(name.clone(), VirtualPrinter::new(behaviour));
        }
    }

    /// The virtual printer of that name, to look at its paper.
    #[must_use]
    pub fn virtual_printer(&self, name: &str) -> Option<VirtualPrinter> {
        self.spooler().context().virtuals.get(name)
    }
}

fn uri(text: &str) -> Result<DeviceUri, Problem> {
    text.parse().map_err(|error: tillroll_spooler::device::UriError| {
        Problem::value("uri", error.to_string())
    })
}

fn default_profile(uri: &DeviceUri) -> &'static str {
    if matches!(uri, DeviceUri::Virtual { .. }) { "virtual" } else { DEFAULT }
}
