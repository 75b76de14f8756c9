//! From a job's stored body to the bytes of its printer.
//!
//! The same job gives the same bytes; their SHA-256 stands with the attempt.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use sha2::{Digest as _, Sha256};
use tillroll_domain::ids::JobId;
use tillroll_domain::money::Currency;
use tillroll_domain::receipt::Receipt;
use tillroll_escpos::command;
use tillroll_escpos::compose::{Heading, Locale, Mark, compose, mark_row};
use tillroll_escpos::document::{Document, Row};
use tillroll_escpos::encode::{Assets, EncodeError, encode};
use tillroll_escpos::profile::Profile;
use tillroll_escpos::raw::sanitize;
use tillroll_escpos::typeset::Typesetter;
use tillroll_store::{Body, BodyFormat, JobRow, NewReceipt, PlannedAttempt};

use crate::session::Counters;

/// A body of up to so many bytes is rendered while its POS waits for the answer.
const SHORT: usize = 16 * 1024;
/// More than the longest content of a QR code.
const LONGEST_CODE: usize = 8_192;
/// Dots a line feed moves the paper: a line is 30, and larger letters take more.
const LINE_DOTS: u64 = 48;
/// Fewest bytes that print a row of dots on the narrowest paper, 58 mm.
const DOT_ROW_BYTES: u64 = 48;
/// More than what stands before the data of any command.
const COMMAND_HEAD: usize = 64;

/// What all printers of a store have in common on paper.
#[derive(Clone)]
pub struct Stationery {
    /// The store's currency.
    pub currency: Currency,
    /// The language of the paper.
    pub locale: Locale,
    /// The store's time zone.
    pub zone: TimeZone,
    /// Stored pictures.
    pub assets: Arc<dyn Assets + Send + Sync>,
    /// Sets lines no code page has.
    pub typesetter: Arc<Mutex<Typesetter>>,
}

/// Renders the jobs of one printer.
#[derive(Clone)]
pub struct Renderer {
    profile: Profile,
    stationery: Stationery,
}

/// A job in the bytes of its printer.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// The mark before a POS's own bytes, which expect a device just initialised: it is initialised again
    /// behind the mark. Empty where a mark is part of the body.
    pub mark: Vec<u8>,
    /// Print data; ends at the beginning of a line.
    pub body: Vec<u8>,
    /// The cut.
    pub cut: Vec<u8>,
    /// Cuts in both.
    pub cuts: i64,
    /// Everything in it is known, so that a proof is one. A raw job with unknown commands is treated as on
    /// a printer that cannot confirm.
    pub provable: bool,
    /// About how long its paper is, in dots; rather too long.
    pub paper_dots: u64,
    /// SHA-256 of mark, body and cut.
    pub sha256: [u8; 32],
}

/// Why a job cannot be turned into bytes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The printer cannot print it.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The stored body does not read back.
    #[error("the stored body cannot be read: {0}")]
    Body(#[from] serde_json::Error),
    /// The body holds neither lines nor bytes.
    #[error("the stored body holds nothing to print")]
    Nothing,
    /// Rendering met an unexpected fault, which would come again.
    #[error("rendering failed in an unexpected way")]
    Panicked,
}

impl Rendered {
    fn new(mark: Vec<u8>, body: Vec<u8>, cut: Vec<u8>, cuts: u32, provable: bool) -> Self {
        let mut digest = Sha256::new();
        for part in [&mark, &body, &cut] {
            digest.update(part);
        }
        let sha256 = digest.finalize().into();
        let paper_dots = paper_dots(&mark) + paper_dots(&body);
        Self { mark, body, cut, cuts: cuts.into(), provable, paper_dots, sha256 }
    }

    /// All of it, in order, for a device just initialised that is asked nothing.
    #[must_use]
    pub fn print_data(&self) -> Vec<u8> {
        let again: &[u8] = if self.mark.is_empty() { &[] } else { &command::ESC_AT };
        [&self.mark, again, &self.body, &self.cut].concat()
    }

    /// What stands with its attempt. Without counters nothing can be concluded from them later, as it
    /// must be for a job of which nobody knows what it prints.
    pub(crate) fn planned(&self, counters: Option<Counters>) -> PlannedAttempt {
        let counters = counters.filter(|_| self.provable);
        let bytes = self.mark.len() + self.body.len() + self.cut.len();
        let byte_count = i64::try_from(bytes).unwrap_or(i64::MAX);
        PlannedAttempt {
            lines_before: counters.map(|counters| counters.lines),
            cuts_before: counters.map(|counters| counters.cuts),
            cuts: self.cuts,
            byte_count,
            sha256: self.sha256,
        }
    }
}

/// What stands on the paper beside the body.
#[derive(Clone, Copy)]
struct Asked<'a> {
    job_id: &'a JobId,
    recorded_at: Timestamp,
    mark: Mark,
}

impl<'a> Asked<'a> {
    fn of(job: &'a JobRow) -> Self {
        Self { job_id: &job.job_id, recorded_at: job.recorded_at, mark: mark_of(job) }
    }
}

impl Renderer {
    /// A renderer for a printer of that profile.
    #[must_use]
    pub fn new(profile: Profile, stationery: Stationery) -> Self {
        Self { profile, stationery }
    }

    /// At least so many bytes end whatever command of a job the device was left in: the longest are a
    /// band of a picture and the content of a QR code (7,089 bytes).
    pub(crate) fn longest_command(&self) -> usize {
        let band = self.profile.band_rows.saturating_mul(self.profile.dots.div_ceil(8));
        usize::try_from(band).unwrap_or(usize::MAX).max(LONGEST_CODE) + COMMAND_HEAD
    }

    /// Renders a job. Pure, but for the wait for the typesetter.
    ///
    /// # Errors
    /// [`RenderError`]: trying again will not help.
    pub fn render(&self, job: &JobRow, body: &Body) -> Result<Rendered, RenderError> {
        let mut typesetter =
            self.stationery.typesetter.lock().unwrap_or_else(PoisonError::into_inner);
        self.render_with(Asked::of(job), body, &mut typesetter)
    }

    /// Renders a receipt that is about to be recorded, if it is short and nobody else is rendering now:
    /// whoever hands it over does not wait for a picture to be set.
    pub(crate) fn try_render_new(&self, new: &NewReceipt) -> Option<Rendered> {
        let asked = Asked { job_id: &new.job_id, recorded_at: new.recorded_at, mark: Mark::None };
        self.try_render(asked, &new.body)
    }

    /// Renders a job that waited, if it is short and nobody else is rendering now.
    pub(crate) fn try_render_job(&self, job: &JobRow, body: &Body) -> Option<Rendered> {
        self.try_render(Asked::of(job), body)
    }

    fn try_render(&self, asked: Asked<'_>, body: &Body) -> Option<Rendered> {
        if body.text.len() > SHORT {
            return None;
        }
        let mut typesetter = match self.stationery.typesetter.try_lock() {
            Ok(typesetter) => typesetter,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        self.render_with(asked, body, &mut typesetter).ok()
    }

    /// One job that cannot be rendered costs no other: a panic is that job's error.
    fn render_with(
        &self,
        asked: Asked<'_>,
        body: &Body,
        typesetter: &mut Typesetter,
    ) -> Result<Rendered, RenderError> {
        let rendering = AssertUnwindSafe(|| self.render_body(asked, body, typesetter));
        catch_unwind(rendering).unwrap_or(Err(RenderError::Panicked))
    }

    fn render_body(
        &self,
        asked: Asked<'_>,
        body: &Body,
        typesetter: &mut Typesetter,
    ) -> Result<Rendered, RenderError> {
        match body.format {
            BodyFormat::Document => {
                let mut document: Document = serde_json::from_str(&body.text)?;
                document.splice(0..0, self.mark_row(asked.mark));
                self.encode(&document, typesetter)
            }
            BodyFormat::Receipt => {
                let receipt: Receipt = serde_json::from_str(&body.text)?;
                if receipt.raw_base64.is_some() {
                    return self.raw(&receipt, asked.mark, typesetter);
                }
                self.encode(&compose(&receipt, &self.heading(asked)), typesetter)
            }
        }
    }

    fn heading<'a>(&self, asked: Asked<'a>) -> Heading<'a> {
        Heading {
            job_id: asked.job_id,
            currency: self.stationery.currency,
            locale: self.stationery.locale,
            zone: self.stationery.zone.clone(),
            recorded_at: asked.recorded_at,
            mark: asked.mark,
            store_name: None,
        }
    }

    fn mark_row(&self, mark: Mark) -> Option<Row> {
        mark_row(mark, self.stationery.locale)
    }

    fn encode(
        &self,
        document: &[Row],
        typesetter: &mut Typesetter,
    ) -> Result<Rendered, RenderError> {
        let assets = self.stationery.assets.as_ref();
        let encoded = encode(document, &self.profile, assets, typesetter)?;
        Ok(Rendered::new(Vec::new(), encoded.body, encoded.cut, encoded.cuts, true))
    }

    /// A POS's own bytes, made fit for proof; a mark goes before them and leaves nothing behind.
    fn raw(
        &self,
        receipt: &Receipt,
        mark: Mark,
        typesetter: &mut Typesetter,
    ) -> Result<Rendered, RenderError> {
        let job = sanitize(&receipt.raw().ok_or(RenderError::Nothing)?);
        let mark = match self.mark_row(mark) {
            Some(row) => {
                let assets = self.stationery.assets.as_ref();
                encode(&[row], &self.profile, assets, typesetter)?.body
            }
            None => Vec::new(),
        };
        Ok(Rendered::new(mark, job.body, job.cut, job.cuts, job.understood))
    }
}

/// Text moves the paper by line feeds, pictures by their rows of dots.
fn paper_dots(body: &[u8]) -> u64 {
    let (mut lines, mut bytes) = (0, 0);
    for byte in body {
        bytes += 1;
        lines += u64::from(*byte == b'\n');
    }
    lines * LINE_DOTS + bytes / DOT_ROW_BYTES
}

fn mark_of(job: &JobRow) -> Mark {
    if job.job_id.copy.is_some() {
        Mark::Copy
    } else if job.reprint {
        Mark::Reprint
    } else {
        Mark::None
    }
}
