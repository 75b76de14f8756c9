//! The limit: overwrite 4 KiB of a file that has its size already, and sync it.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use crate::latencies::Latencies;
use crate::turns::Rival;

const BLOCK: usize = 4096;
const BLOCKS: u64 = 4096;

/// One writer that overwrites the blocks of a file in order.
pub struct BareDisk {
    file: File,
    next: u64,
}

impl BareDisk {
    /// Makes the file, all of it on the disk.
    pub fn in_folder(folder: &Path) -> Result<Self> {
        let file = File::create(folder.join("bare"))?;
        for block in 0..BLOCKS {
            file.write_all_at(&[0; BLOCK], block * BLOCK as u64)?;
        }
        file.sync_all()?;
        Ok(Self { file, next: 0 })
    }

    fn overwrite(&mut self) -> Result<()> {
        let block = self.next % BLOCKS;
        self.file.write_all_at(&[7; BLOCK], block * BLOCK as u64)?;
        self.file.sync_data()?;
        self.next += 1;
        Ok(())
    }
}

impl Rival for BareDisk {
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64> {
        let mut done = 0;
        while Instant::now() < deadline {
            let begun = Instant::now();
            self.overwrite()?;
            calls.note(begun.elapsed());
            done += 1;
        }
        Ok(done)
    }
}
