//! A receipt of 40 lines to ESC/POS bytes: in Latin letters, in Chinese characters the printer has,
//! and in Chinese set in dots for a printer without. Beside it the crate `escpos`, which is given the
//! finished rows, and the digest of the bytes that stands with each attempt.
//!
//! `make bench-store`.

#[path = "measure/medians.rs"]
mod medians;

use std::cell::RefCell;
use std::hint::black_box;
use std::rc::Rc;

use anyhow::{Context, Result};
use escpos::driver::Driver;
use escpos::printer::Printer;
use escpos::utils::Protocol;
use sha2::{Digest as _, Sha256};
use tillroll_domain::receipt::Receipt;
use tillroll_escpos::compose::{Heading, Locale, Mark, compose};
use tillroll_escpos::document::{Document, Row};
use tillroll_escpos::encode::{Encoded, encode};
use tillroll_escpos::profile::Profile;
use tillroll_escpos::typeset::Typesetter;
use tillroll_testkit::{fonts, receipts};
use tillroll_tests::figures::number::us;
use tillroll_tests::figures::{Bench, Findings, Table};

use crate::medians::Medians;

const LINES: u32 = 40;

fn main() -> Result<()> {
    Bench::begin("encode").part("receipt", measure)
}

const LATIN: &str = "Latin";
const PEER: &str = "Latin, the crate escpos, given rows that are laid out already";

fn measure() -> Result<Findings> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let mut medians = Medians::in_folder(folder.path());
    let latin = receipts::long(1, LINES);
    let mut chinese = latin.clone();
    for line in &mut chinese.lines {
        line.name = "红烧牛肉面（大碗）".to_owned();
    }
    let mut names = Vec::new();
    for (name, receipt, locale, profile) in [
        (LATIN, &latin, Locale::En, "tm-t20iii"),
        ("Chinese, characters the printer has", &chinese, Locale::ZhCn, "generic-80-gb18030"),
        ("Chinese, set in dots for a printer without", &chinese, Locale::ZhCn, "tm-t20iii"),
    ] {
        let mut press = Press::new(locale, profile)?;
        press.print(receipt)?;
        medians.criterion.bench_function(name, |bencher| {
            bencher.iter(|| press.print(black_box(receipt)));
        });
        names.push(name);
    }
    let mut press = Press::new(Locale::En, "tm-t20iii")?;
    let (rows, bytes) = (lines(&press.document(&latin)?), press.print(&latin)?.body);
    by_peer(&rows).context("the crate escpos")?;
    medians.criterion.bench_function(PEER, |bencher| bencher.iter(|| by_peer(black_box(&rows))));
    let digest = "SHA-256 of the bytes, which stands with each attempt";
    medians.criterion.bench_function(digest, |bencher| {
        bencher.iter(|| Sha256::digest(black_box(&bytes)));
    });
    names.extend([PEER, digest]);
    found(&medians, &names)
}

fn found(medians: &Medians, names: &[&str]) -> Result<Findings> {
    let mut table = Table::new("A receipt of 40 lines", ["", "us"]);
    for name in names {
        table.push([(*name).to_owned(), us(medians.of(name)?)]);
    }
    Ok(Findings::default().table(table))
}

/// Everything that turns a receipt into bytes.
struct Press {
    locale: Locale,
    profile: &'static Profile,
    typesetter: Typesetter,
}

impl Press {
    fn new(locale: Locale, profile: &str) -> Result<Self> {
        let profile = Profile::named(profile).context("profile")?;
        Ok(Self { locale, profile, typesetter: Typesetter::from_fonts(fonts::fonts()) })
    }

    fn document(&self, receipt: &Receipt) -> Result<Document> {
        let heading = Heading {
            job_id: &"S1:L1-000001:receipt:v1".parse()?,
            currency: "CNY".parse()?,
            locale: self.locale,
            zone: jiff::tz::TimeZone::UTC,
            recorded_at: jiff::Timestamp::UNIX_EPOCH,
            mark: Mark::None,
            store_name: None,
        };
        Ok(compose(receipt, &heading))
    }

    fn print(&mut self, receipt: &Receipt) -> Result<Encoded> {
        let document = self.document(receipt)?;
        Ok(encode(&document, self.profile, &(), &mut self.typesetter)?)
    }
}

/// The rows as lines of 48 columns.
#[expect(clippy::wildcard_enum_match_arm, reason = "the receipt has no other rows with text")]
fn lines(document: &Document) -> Vec<String> {
    let line = |row: &Row| match row {
        Row::Text { text, .. } => text.clone(),
        Row::Columns { left, right, .. } => {
            format!("{left:<width$}{right}", width = 48_usize.saturating_sub(right.len()))
        }
        Row::Rule => "-".repeat(48),
        _ => String::new(),
    };
    document.iter().map(line).collect()
}

fn by_peer(lines: &[String]) -> Result<Vec<u8>> {
    let sink = Sink::default();
    let mut printer = Printer::new(sink.clone(), Protocol::default(), None);
    printer.init()?;
    for line in lines {
        printer.writeln(line)?;
    }
    printer.print_cut()?;
    Ok(sink.0.take())
}

/// Where the peer's bytes go.
#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Driver for Sink {
    fn name(&self) -> String {
        "memory".to_owned()
    }

    fn write(&self, data: &[u8]) -> escpos::errors::Result<()> {
        self.0.borrow_mut().extend_from_slice(data);
        Ok(())
    }

    fn read(&self, _: &mut [u8]) -> escpos::errors::Result<usize> {
        Ok(0)
    }

    fn flush(&self) -> escpos::errors::Result<()> {
        Ok(())
    }
}
