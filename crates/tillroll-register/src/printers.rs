//! Printers: add, change, remove, probe, test, pause, resume, open the drawer.

use std::time::Duration;

use tillroll_domain::ids::{IdError, Part};
use tillroll_domain::printer::{ConfirmationLevel, PrinterState, Unproven};
use tillroll_escpos::profile::{DEFAULT, Profile};
use tillroll_paper::{Behaviour, Device, Personality, VirtualPrinter};
use tillroll_spooler::device::{DeviceUri, discover};
use tillroll_spooler::probe;
use tillroll_store::{
    NewDrawerOpening, NewPrinter, OpeningOutcome, Printer, PrinterId, StoreError,
};
use tokio::time::timeout;

use crate::problem::{Code, Problem};
use crate::view::{AddedPrinter, DeviceView, PrinterBody, PrinterView, ProbeView};
use crate::{Access, Register};

/// Counting of a queue stops here.
const QUEUE_MOST: u32 = 1_000;
/// Whoever adds a printer nobody answers for waits so long to see that it is stopped.
const FIRST_LOOK: Duration = Duration::from_secs(5);

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

    /// Adds a printer. Without a level in the body it is probed first; one that cannot be reached now is
    /// added as `silent`, to be probed later, and says so.
    ///
    /// # Errors
    /// [`Code::Taken`], [`Code::PrinterUnusable`] or the field that cannot be used.
    pub async fn add_printer(
        &self,
        name: &str,
        body: &PrinterBody,
    ) -> Result<AddedPrinter, Problem> {
        let settings = Self::settings_of(name, body, None)?;
        self.refuse_taken(name).await?;
        let found = match body.level {
            Some(_) => None,
            None => {
                self.lay_out_virtual(&settings);
                Some(self.probed(&uri(&settings.uri)?).await)
            }
        };
        let level = match &found {
            Some(Ok(probed)) => probed.level,
            Some(Err(_)) | None => settings.level,
        };
        let settings = NewPrinter { level, ..settings };
        let id = self.store().add_printer(settings.clone()).await?;
        self.renew_worker(Printer { id, settings, paused: false }).await?;
        if matches!(found, Some(Err(_))) {
            self.first_look(id).await;
        }
        Ok(AddedPrinter::of(self.printer(name).await?, found))
    }

    /// Before anything is asked of a device: the name decides.
    async fn refuse_taken(&self, name: &str) -> Result<(), Problem> {
        match self.store().printer_named(name.to_owned()).await {
            Ok(_) => Err(StoreError::Taken { what: "printer", name: name.to_owned() }.into()),
            Err(StoreError::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits, with a limit, until the worker of a printer nobody answers for shows that.
    async fn first_look(&self, id: PrinterId) {
        if let Some(mut status) = self.spooler().watch(id) {
            let looked = status.wait_for(|status| status.state != PrinterState::Idle);
            // Without it the answer to the probe tells.
            let _ = timeout(FIRST_LOOK, looked).await;
        }
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
        let now = self.clock().now();
        let opening = NewDrawerOpening {
            printer: printer.id,
            client: Some(access.0.id),
            reason: reason.to_owned(),
            day: self.calendar().day_of(now),
        };
        let opening = self.store().record_drawer_opening(opening, now).await?;
        if self.spooler().open_drawer(printer.id, opening) {
            return Ok(());
        }
        self.store().settle_drawer_opening(opening, OpeningOutcome::Dropped).await?;
        Err(Problem::new(Code::NotAllowed, "the printer takes no pulse now"))
    }

    /// What a body asks for, on top of what is stored.
    fn settings_of(
        name: &str,
        body: &PrinterBody,
        stored: Option<&NewPrinter>,
    ) -> Result<NewPrinter, Problem> {
        let name: Part =
            name.parse().map_err(|error: IdError| Problem::value("name", error.to_string()))?;
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
                .map_err(|_| Problem::value("columns", "must be from 20 to 96"))?;
        }
        if body.drawer_pin.is_some_and(|pin| pin > 1) {
            return Err(Problem::value("drawer_pin", "must be 0 (pin 2) or 1 (pin 5)"));
        }
        Ok(NewPrinter {
            name,
            level: level_of(&uri, body.level, stored)?,
            uri: uri.to_string(),
            profile,
            columns,
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

    /// A `virtual:` printer is made inside this process when it is probed, or its worker is to start.
    pub(crate) fn lay_out_virtual(&self, settings: &NewPrinter) {
        let Ok(DeviceUri::Virtual { name }) = settings.uri.parse() else { return };
        let virtuals = &self.spooler().context().virtuals;
        if virtuals.get(&name).is_none() {
            let mut behaviour = Behaviour::new(Personality::Token);
            if let Some(profile) = Profile::named(&settings.profile) {
                behaviour.device = Device::from(profile);
            }
            virtuals.insert(name, VirtualPrinter::new(behaviour));
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

/// The level asked for, or stored, where the device can give it: a file answers nothing.
fn level_of(
    uri: &DeviceUri,
    asked: Option<ConfirmationLevel>,
    stored: Option<&NewPrinter>,
) -> Result<ConfirmationLevel, Problem> {
    let silent = ConfirmationLevel::Silent;
    match (uri, asked) {
        (DeviceUri::File { .. }, Some(level)) if level != silent => {
            Err(Problem::value("level", "must be silent: a file answers nothing"))
        }
        (DeviceUri::File { .. }, _) => Ok(silent),
        (_, asked) => Ok(asked.or_else(|| stored.map(|stored| stored.level)).unwrap_or(silent)),
    }
}

fn default_profile(uri: &DeviceUri) -> &'static str {
    if matches!(uri, DeviceUri::Virtual { .. }) { "virtual" } else { DEFAULT }
}
