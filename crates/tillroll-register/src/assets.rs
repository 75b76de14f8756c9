//! Stored pictures: `logos/NAME.png` or `.jpg` in the data folder.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use tillroll_domain::ids::Part;
use tillroll_escpos::encode::Assets;

/// The largest picture file that is read, in bytes.
const FILE_MAX: u64 = 4 * 1024 * 1024;

/// The pictures of a data folder.
#[derive(Debug, Clone)]
pub(crate) struct Logos {
    folder: PathBuf,
}

impl Logos {
    pub(crate) fn of(folder: &Path) -> Self {
        Self { folder: folder.join("logos") }
    }

    /// Where the picture of that name lies, if there is one. A part has no separator, so it stays inside.
    pub(crate) fn path(&self, name: &Part) -> Option<PathBuf> {
        ["png", "jpg", "jpeg"]
            .into_iter()
            .map(|ending| self.folder.join(format!("{name}.{ending}")))
            .find(|path| path.is_file())
    }
}

impl Assets for Logos {
    fn image(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let path = self.path(&name.parse().ok()?)?;
        let fits = fs::metadata(&path).is_ok_and(|file| file.len() <= FILE_MAX);
        fits.then(|| fs::read(&path).ok().map(Cow::Owned)).flatten()
    }
}
