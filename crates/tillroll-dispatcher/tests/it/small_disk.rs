//! A file system that fills quickly.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A file system of 3 MB, unmounted at the end.
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where one cannot be mounted.
    pub fn mount(at: &Path) -> Option<Self> {
        std::fs::create_dir_all(at).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=3m", "tmpfs"])
            .arg(at)
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then(|| Self(at.to_owned()))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _left_to_the_system = Command::new("umount").arg(&self.0).status();
    }
}
