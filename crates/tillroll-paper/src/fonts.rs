//! Fonts of the machine: for pictures of the paper, and for documents.

use std::fs;
use std::path::{Path, PathBuf};

/// Where Debian and Ubuntu put the fonts of `fonts-dejavu-core` and `fonts-noto-cjk`.
const FILES: [&str; 4] = [
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
];
const REGULAR: [&str; 2] = [
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
];
const BOLD: [&str; 2] = [
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
];

/// The font files that are installed, in the order they are preferred; those missing are left out.
pub fn installed() -> Vec<Vec<u8>> {
    read(FILES)
}

/// Where the fonts of a document lie, the preferred first. They are large and rarely wanted, so they are
/// read when a document is made.
#[derive(Debug, Clone, Default)]
pub struct DocumentFonts {
    /// For text.
    pub regular: Vec<PathBuf>,
    /// For headings.
    pub bold: Vec<PathBuf>,
}

impl DocumentFonts {
    /// Those of this machine.
    #[must_use]
    pub fn of_machine() -> Self {
        Self { regular: REGULAR.map(PathBuf::from).into(), bold: BOLD.map(PathBuf::from).into() }
    }

    /// The files for text that are installed.
    #[must_use]
    pub fn read_regular(&self) -> Vec<Vec<u8>> {
        read(&self.regular)
    }

    /// The files for headings that are installed.
    #[must_use]
    pub fn read_bold(&self) -> Vec<Vec<u8>> {
        read(&self.bold)
    }
}

fn read(files: impl IntoIterator<Item = impl AsRef<Path>>) -> Vec<Vec<u8>> {
    files.into_iter().filter_map(|file| fs::read(file).ok()).collect()
}
