//! A day as a document to file: A4, in the store's language, its text selectable and its fonts embedded.
//!
//! [`report`] says what is in it, [`layout`] where each line stands on which page, [`emit`] writes that as
//! PDF. No clock and no random number goes in: the same day, settings and fonts make the same bytes.

mod emit;
mod layout;
mod report;
mod typefaces;
mod words;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use krilla::error::KrillaError;
use tillroll_domain::money::{Currency, Minor};
use tillroll_escpos::compose::Locale;
use tillroll_paper::fonts::DocumentFonts;

use self::typefaces::Typefaces;
use crate::Register;
use crate::problem::{Code, Problem};
use crate::view::DayView;

/// Whose day it is, and how amounts and times are written there.
#[derive(Debug, Clone)]
pub(crate) struct Letterhead {
    pub store: String,
    pub register: String,
    pub currency: Currency,
    pub locale: Locale,
    pub zone_name: String,
    pub zone: TimeZone,
}

impl Letterhead {
    fn of(register: &Register) -> Self {
        let settings = register.settings();
        Self {
            store: settings.store.to_string(),
            register: settings.register.to_string(),
            currency: settings.currency,
            locale: register.spooler().context().stationery.locale,
            zone_name: settings.zone.clone(),
            zone: register.calendar().zone().clone(),
        }
    }

    /// An amount without its currency, which the head of the document names.
    fn amount(&self, minor: i64) -> String {
        self.currency.digits(Minor(minor), self.locale.decimal_mark())
    }

    /// A moment, to the second, in the store's zone.
    fn moment(&self, at: Timestamp) -> String {
        self.zone.to_datetime(at).strftime("%Y-%m-%d %H:%M:%S").to_string()
    }
}

/// Why there is no document.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PdfError {
    /// Not even its own words can be set.
    #[error(
        "no installed font has the letters of this document; install fonts-noto-cjk and fonts-dejavu-core"
    )]
    FontsMissing,
    /// A font cannot be embedded, or the document breaks a limit of PDF.
    #[error("the document cannot be written: {0}")]
    Write(KrillaError),
}

impl From<PdfError> for Problem {
    fn from(error: PdfError) -> Self {
        let code = match &error {
            PdfError::FontsMissing => Code::FontsMissing,
            PdfError::Write(_) => Code::Internal,
        };
        let detail = error.to_string();
        Self { source: Some(Box::new(error)), ..Self::new(code, detail) }
    }
}

impl Register {
    /// A day as PDF, in the store's language. One is made at a time, since its fonts take much memory.
    ///
    /// # Errors
    /// [`Code::FontsMissing`] where no installed font has the letters of that language.
    pub async fn day_pdf(&self, day: Date) -> Result<Vec<u8>, Problem> {
        let view = self.day(day).await?;
        let (letterhead, fonts) = (Letterhead::of(self), self.document_fonts().clone());
        let turn = self.making_documents().lock_owned().await;
        let made = tokio::task::spawn_blocking(move || {
            let made = write(&view, &letterhead, &fonts);
            drop(turn);
            made
        });
        let failed = |error| Problem {
            source: Some(Box::new(error)),
            ..Problem::new(Code::Internal, "the document could not be made")
        };
        Ok(made.await.map_err(failed)??)
    }
}

/// Writes a day as PDF.
fn write(
    day: &DayView,
    letterhead: &Letterhead,
    fonts: &DocumentFonts,
) -> Result<Vec<u8>, PdfError> {
    let words = words::of(letterhead.locale);
    let mut typefaces = Typefaces::read(fonts, words.title)?;
    let blocks = report::blocks(day, letterhead, words);
    let footer = layout::Footer {
        left: format!(
            "{} · {} · {} · {}",
            words.title, letterhead.store, letterhead.register, day.day
        ),
        page: words.page,
    };
    let pages = layout::pages(&blocks, &footer, &mut typefaces);
    let title = format!("{} {} {} {}", words.title, letterhead.store, letterhead.register, day.day);
    emit::pdf(&pages, &typefaces, title, letterhead.locale.tag())
}

#[cfg(test)]
mod tests;
