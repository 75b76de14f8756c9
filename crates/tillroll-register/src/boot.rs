//! Boot and stop: the folder is locked, the store opened and held against its mark, a worker started for
//! each printer, and the head office joined where there is one; and all of it ends in order, within a
//! limit.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::clock::Clock;
use tillroll_domain::ids::OrderScope;
use tillroll_escpos::compose::Locale;
use tillroll_escpos::encode::Assets;
use tillroll_escpos::typeset::Typesetter;
use tillroll_machine::SystemClock;
use tillroll_paper::fonts::DocumentFonts;
use tillroll_spooler::device::VirtualPrinters;
use tillroll_spooler::{Context, Spooler, Stationery, Timings};
use tillroll_store::{NewClient, RegisterSettings, Store, StoreError, StoreOptions};

use crate::assets::Logos;
use crate::clients::{OWNER, draw_token, hash_of};
use crate::folder::{self, FolderError};
use crate::problem::Problem;
use crate::register::Parts;
use crate::{Register, TOKEN_FILE, attention, pace};

/// How a register is run.
#[derive(Clone)]
pub struct RegisterOptions {
    /// Both clocks.
    pub clock: Arc<dyn Clock>,
    /// Limits of the spooler.
    pub timings: Timings,
    /// Limits of what waits for the head office.
    pub sync: tillroll_sync::Timings,
    /// How the store is opened.
    pub store: StoreOptions,
    /// Fonts for lines no code page has.
    pub fonts: Vec<Vec<u8>>,
    /// Where the fonts of documents lie.
    pub document_fonts: DocumentFonts,
    /// Printers inside this process; those that are missing are made.
    pub virtuals: VirtualPrinters,
    /// Draws a number for jitter; nothing depends on its quality.
    pub random: fn() -> u32,
}

impl Default for RegisterOptions {
    fn default() -> Self {
        Self {
            clock: Arc::new(SystemClock),
            timings: Timings::default(),
            sync: tillroll_sync::Timings::default(),
            store: StoreOptions::default(),
            fonts: tillroll_paper::fonts::installed(),
            document_fonts: DocumentFonts::of_machine(),
            virtuals: VirtualPrinters::default(),
            random,
        }
    }
}

/// Why a register does not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BootError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A setting cannot be used.
    #[error(transparent)]
    Setting(#[from] Problem),
}

/// How long jobs at a device are given when the register stops.
const STOP_WITHIN: Duration = Duration::from_secs(3);

impl Register {
    /// Makes a register in a new or empty folder; returns where the owner's token lies. One whose making was
    /// cut off is made to its end.
    ///
    /// # Errors
    /// [`BootError`] naming the setting or file at fault.
    pub async fn init(folder: &Path, settings: RegisterSettings) -> Result<PathBuf, BootError> {
        locale(&settings)?;
        settings.calendar()?;
        folder::make(folder)?;
        let _lock = folder::lock(folder)?;
        let store = match Store::create(folder, &settings, StoreOptions::default()) {
            Err(StoreError::AlreadyInitialised) => finished(folder, &settings)?,
            created => created?,
        };
        let token = draw_token()?;
        let owner = NewClient {
            name: OWNER.to_owned(),
            token_hash: hash_of(&token),
            order_scope: OrderScope::Store,
            may_open_drawer: true,
            may_manage: true,
        };
        store.put_client(owner, SystemClock.now()).await?;
        let path = folder.join(TOKEN_FILE);
        folder::write_private(&path, token.as_bytes())?;
        // An unclean close would only cost a check at the first start.
        let _ = store.close();
        Ok(path)
    }

    /// Runs the register of a folder.
    ///
    /// # Errors
    /// [`BootError`]; [`FolderError::InUse`] while another program runs it.
    pub async fn start(folder: &Path, options: RegisterOptions) -> Result<Self, BootError> {
        if !folder.is_dir() {
            return Err(StoreError::NotInitialised.into());
        }
        let lock = folder::lock(folder)?;
        let has_fonts = !options.fonts.is_empty();
        let clock = Arc::clone(&options.clock);
        let (store, opened) = Store::open(folder, options.store, clock.now())?;
        if let Some(epoch) = opened.new_epoch {
            tracing::warn!(
                epoch,
                "the database is older than what happened; open jobs are held for an answer"
            );
        }
        tell_of_fonts(&store, has_fonts, clock.now()).await?;
        let settings = store.settings()?;
        let logos = Logos::of(folder);
        let stationery = Stationery {
            currency: settings.currency,
            locale: locale(&settings)?,
            zone: settings.calendar()?.zone().clone(),
            assets: Arc::new(logos.clone()) as Arc<dyn Assets + Send + Sync>,
            typesetter: Arc::new(Mutex::new(Typesetter::from_fonts(options.fonts))),
        };
        let context = Context {
            store: store.clone(),
            clock,
            timings: options.timings,
            stationery,
            virtuals: options.virtuals,
            random: options.random,
        };
        store.clamp_due_times(options.clock.now()).await?;
        let calendar = settings.calendar()?;
        let register = Self::assemble(Parts {
            folder: folder.to_owned(),
            lock: Mutex::new(Some(lock)),
            settings,
            calendar,
            logos,
            spooler: Spooler::new(context),
            has_fonts,
            document_fonts: options.document_fonts,
            sync: options.sync,
        });
        register.start_printers().await?;
        // An older copy does not know what was printed after it was made.
        if opened.new_epoch.is_none() {
            register.print_missing_report().await;
        }
        register.keep(tokio::spawn(pace::keep(register.downgrade())));
        register.keep(tokio::spawn(attention::tell(register.downgrade())));
        // A till sells without a head office, whatever is wrong with the pairing.
        if let Err(problem) = register.start_cloud().await {
            tracing::error!(%problem, "the head office cannot be reached in this run");
        }
        Ok(register)
    }

    /// Stops, for every clone: jobs at a device get a few seconds, the queue stays as it is. Whoever
    /// still asks is answered with [`crate::problem::Code::Stopping`] or
    /// [`crate::problem::Code::Unavailable`].
    pub async fn stop(self) {
        self.note_stopped();
        self.end_keeping();
        self.end_cloud().await;
        self.spooler().stop_all(STOP_WITHIN).await;
        if let Err(error) = self.store().clone().close() {
            tracing::warn!(%error, "the database was not closed in order; the next start checks it");
        }
        self.free_folder();
    }

    async fn start_printers(&self) -> Result<(), BootError> {
        for printer in self.store().printers().await? {
            let name = printer.settings.name.to_string();
            self.lay_out_virtual(&printer.settings);
            // One printer with unusable settings must not keep the others from printing.
            if let Err(error) = self.spooler().start(printer) {
                tracing::error!(printer.name = %name, %error, "printer {name} cannot be started");
            }
        }
        Ok(())
    }
}

/// Without fonts the register runs, but not every receipt can be printed: that must not stay in the log.
async fn tell_of_fonts(store: &Store, found: bool, now: Timestamp) -> Result<(), StoreError> {
    if !found {
        tracing::warn!("{NO_FONTS}");
    }
    store.keep_notice("fonts_missing", (!found).then(|| NO_FONTS.to_owned()), now).await
}

const NO_FONTS: &str = "no fonts were found: lines a printer has no characters for cannot be printed; \
    install fonts-dejavu-core and fonts-noto-cjk, then start the register again";

/// A register without its owner's token: its making was cut off near the end.
fn finished(folder: &Path, settings: &RegisterSettings) -> Result<Store, BootError> {
    let (store, _) = Store::open(folder, StoreOptions::default(), SystemClock.now())?;
    if store.settings()? == *settings {
        return Ok(store);
    }
    Err(FolderError::Begun(folder.to_owned()).into())
}

fn locale(settings: &RegisterSettings) -> Result<Locale, Problem> {
    let known = Locale::ALL.into_iter().find(|locale| locale.tag() == settings.locale);
    known.ok_or_else(|| Problem::value("locale", "must be zh-CN, en, fr or de"))
}

fn random() -> u32 {
    let mut bits = [0_u8; 4];
    // Without random bits every delay is its full length.
    let _ = getrandom::fill(&mut bits);
    u32::from_le_bytes(bits)
}
