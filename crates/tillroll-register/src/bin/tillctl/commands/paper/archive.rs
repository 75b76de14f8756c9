//! The folder in which paper is kept: a text and pictures for each ticket, and a journal of all.
//!
//! The text of a ticket is there before its line in the journal, and a file is whole as soon as it has
//! its name, so that whoever counts from outside never counts half a ticket. Pictures follow.

use std::collections::VecDeque;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use tillroll_escpos::typeset::Typesetter;
use tillroll_paper::{Cut, Ticket, VirtualPrinter, fonts};

use crate::failure::Failure;

/// Tickets that wait for their pictures; the oldest beyond them get none.
const UNDRAWN_MOST: usize = 256;
/// Pictures that are missing at the end are drawn within this.
const DRAW_AT_END: Duration = Duration::from_secs(2);

/// A folder of paper.
pub struct Archive {
    folder: PathBuf,
    journal: File,
    /// Tickets that were there before.
    before: u64,
    /// The last ticket of this printer that was kept.
    kept: u64,
    undrawn: Option<VecDeque<Ticket>>,
    typesetter: Option<Typesetter>,
}

/// A line of the journal.
#[derive(Serialize)]
struct Entry {
    number: u64,
    complete: bool,
    cut: Option<&'static str>,
    blank: bool,
    text_sha256: String,
}

impl Archive {
    /// Opens the folder, and makes it if it is missing. Its numbers go on.
    ///
    /// # Errors
    /// When the folder cannot be used.
    pub fn open(folder: &Path, pictures: bool) -> Result<Self, Failure> {
        fs::create_dir_all(folder).map_err(Failure::file("make", folder))?;
        let path = folder.join("journal.jsonl");
        let open = || OpenOptions::new().create(true).append(true).read(true).open(&path);
        let journal = open().map_err(Failure::file("open", &path))?;
        let lines = count_lines(&journal).map_err(Failure::file("read", &path))?;
        Ok(Self {
            folder: folder.to_owned(),
            journal,
            before: lines,
            kept: 0,
            undrawn: pictures.then(VecDeque::new),
            typesetter: None,
        })
    }

    /// Keeps the tickets that were cut off since.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn take(&mut self, printer: &VirtualPrinter) -> Result<(), Failure> {
        if printer.cut_tickets() == self.kept {
            return Ok(());
        }
        for ticket in printer.tickets_after(self.kept) {
            self.kept = ticket.number;
            self.keep(ticket)?;
        }
        Ok(())
    }

    /// Keeps what is left, the ticket that still hangs in the printer too, and draws what is missing.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn finish(&mut self, printer: &VirtualPrinter) -> Result<(), Failure> {
        self.take(printer)?;
        if let Some(hanging) = printer.tickets().pop().filter(|ticket| !ticket.complete()) {
            self.keep(hanging)?;
        }
        let begun = Instant::now();
        while self.has_undrawn() && begun.elapsed() < DRAW_AT_END {
            self.draw_next()?;
        }
        Ok(())
    }

    fn keep(&mut self, ticket: Ticket) -> Result<(), Failure> {
        let text = ticket.text();
        self.put(&ticket, "txt", text.as_bytes())?;
        let entry = Entry {
            number: self.number(&ticket),
            complete: ticket.complete(),
            cut: ticket.cut.map(word),
            blank: ticket.is_blank(),
            text_sha256: hex(&Sha256::digest(text.as_bytes())),
        };
        let line = serde_json::to_string(&entry)? + "\n";
        let path = self.folder.join("journal.jsonl");
        self.journal.write_all(line.as_bytes()).map_err(Failure::file("write", path))?;
        if let Some(undrawn) = &mut self.undrawn {
            undrawn.push_back(ticket);
            if undrawn.len() > UNDRAWN_MOST {
                undrawn.pop_front();
            }
        }
        Ok(())
    }

    /// Whether tickets wait for their pictures.
    pub fn has_undrawn(&self) -> bool {
        self.undrawn.as_ref().is_some_and(|undrawn| !undrawn.is_empty())
    }

    /// Draws one ticket; one too long for a picture gets none.
    ///
    /// # Errors
    /// When the picture cannot be written.
    pub fn draw_next(&mut self) -> Result<(), Failure> {
        let Some(ticket) = self.undrawn.as_mut().and_then(VecDeque::pop_front) else {
            return Ok(());
        };
        if let Ok(drawing) = ticket.svg() {
            self.put(&ticket, "svg", drawing.as_bytes())?;
        }
        let fonts = || Typesetter::from_fonts(fonts::installed());
        if let Ok(picture) = ticket.png(self.typesetter.get_or_insert_with(fonts)) {
            self.put(&ticket, "png", &picture)?;
        }
        Ok(())
    }

    /// Writes a file of a ticket; it appears whole.
    fn put(&self, ticket: &Ticket, ending: &str, content: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(format!("{:04}.{ending}", self.number(ticket)));
        let beside = path.with_extension(format!("{ending}.new"));
        let write = || fs::write(&beside, content).and_then(|()| fs::rename(&beside, &path));
        write().map_err(Failure::file("write", &path))
    }

    fn number(&self, ticket: &Ticket) -> u64 {
        self.before + ticket.number
    }
}

fn count_lines(journal: &File) -> io::Result<u64> {
    BufReader::new(journal).lines().try_fold(0, |count, line| line.map(|_| count + 1))
}

fn word(cut: Cut) -> &'static str {
    match cut {
        Cut::Full => "full",
        Cut::Partial => "partial",
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
