//! A file system that fills quickly.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A file system of a few MiB, unmounted when it is dropped.
#[derive(Debug)]
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts one of so many MiB; `None` where it cannot be mounted, which is said.
    #[must_use]
    #[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
    pub fn mount(at: &Path, mib: u32) -> Option<Self> {
        std::fs::create_dir_all(at).ok()?;
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={mib}m"), "tmpfs"])
            .arg(at)
            .output()
            .is_ok_and(|output| output.status.success());
        if !mounted {
            println!("skipped: a small file system cannot be mounted here");
        }
        mounted.then(|| Self(at.to_owned()))
    }

    /// Where it is mounted.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _left_to_the_system = Command::new("umount").arg(&self.0).status();
    }
}
