//! A log file that makes way for a new one when it is full: `tillroll.log` is the newest, then
//! `tillroll.1.log`, `tillroll.2.log` and so on; the oldest is dropped.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// Files kept, the newest included.
const KEPT: u32 = 14;
/// A file of so many bytes is full.
const FULL: u64 = 8 * 1024 * 1024;

/// The log of a folder: at most 14 files of 8 MiB.
#[derive(Debug)]
pub struct RolledFile {
    folder: PathBuf,
    file: File,
    size: u64,
    full: u64,
}

impl RolledFile {
    /// Continues the log of the folder.
    ///
    /// # Errors
    /// When the folder or its newest file cannot be written to.
    pub fn open(folder: &Path) -> io::Result<Self> {
        Self::with_size(folder, FULL)
    }

    fn with_size(folder: &Path, full: u64) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let (file, size) = newest(folder)?;
        Ok(Self { folder: folder.to_owned(), file, size, full })
    }

    /// Every file gets the next number; the last one falls off.
    fn roll(&mut self) -> io::Result<()> {
        for number in (1..KEPT).rev() {
            let from = path(&self.folder, number - 1);
            if from.exists() {
                fs::rename(from, path(&self.folder, number))?;
            }
        }
        (self.file, self.size) = newest(&self.folder)?;
        Ok(())
    }
}

impl Write for RolledFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.size > 0 && self.size + bytes.len() as u64 > self.full {
            self.roll()?;
        }
        let written = self.file.write(bytes)?;
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn newest(folder: &Path) -> io::Result<(File, u64)> {
    let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path(folder, 0))?;
    let size = file.metadata()?.len();
    Ok((file, size))
}

fn path(folder: &Path, number: u32) -> PathBuf {
    match number {
        0 => folder.join("tillroll.log"),
        number => folder.join(format!("tillroll.{number}.log")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_file_makes_way_and_the_oldest_falls_off() {
        let folder = tempfile::tempdir().unwrap();
        for line in 0..40_u32 {
            // Opened anew each time: a restart must not reset the bound.
            let mut log = RolledFile::with_size(folder.path(), 20).unwrap();
            log.write_all(format!("line {line:04}\n").as_bytes()).unwrap();
        }
        let files = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, KEPT as usize);
        let read = |number| fs::read_to_string(path(folder.path(), number)).unwrap();
        assert_eq!(read(0), "line 0038\nline 0039\n");
        assert_eq!(read(13), "line 0012\nline 0013\n");
    }

    #[test]
    fn line_longer_than_a_file_is_written_whole() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = RolledFile::with_size(folder.path(), 4).unwrap();
        log.write_all(b"longer than four\n").unwrap();
        assert_eq!(fs::read(path(folder.path(), 0)).unwrap(), b"longer than four\n");
    }
}
