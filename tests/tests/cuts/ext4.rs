//! Real power cuts, as root: the register's store on an ext4 in a file. `FS_IOC_SHUTDOWN` stops the file system
//! at once, without writing its journal; mounted again it is what a machine finds that lost its power.
//!
//! A sync under way may come back as done while the journal is given up, so only what was told before the cut
//! counts as told.
#![expect(unsafe_code, reason = "an ioctl is a promise about its argument")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;

use rustix::ioctl::{Setter, ioctl};
use tempfile::TempDir;
use tillroll_sqlite::{Options, Synchronous};
use tillroll_testkit::{Attack, Dice};

use crate::disk::Disk;
use crate::ledger::{Answering, Ledger};
use crate::register::Register;
use crate::report::{seed, show};
use crate::run::{Plan, Program as _, facts, judged, memory};
use crate::tally::Tally;
use crate::vfs::Mounted;

const CUTS: usize = 200;
const CONTROL: usize = 30;
/// Operations between two cuts, at most.
const OPERATIONS: u64 = 60;
/// `FS_IOC_SHUTDOWN` and its way without a last write of the journal (linux/fs.h, fs/ext4/ext4.h).
const SHUTDOWN: u32 = 0x8004_587D;
const NO_LOG_FLUSH: u32 = 2;

/// An ext4 in a file, mounted.
struct Ext4(TempDir);

impl Ext4 {
    /// None where file systems cannot be made or mounted.
    fn make() -> Option<Self> {
        let ext4 = Self(memory());
        std::fs::create_dir(ext4.place()).unwrap();
        File::create(ext4.image()).unwrap().set_len(64 << 20).unwrap();
        let made = succeeds(Command::new("mkfs.ext4").arg("-q").arg(ext4.image()));
        (made && ext4.mount()).then_some(ext4)
    }

    fn image(&self) -> PathBuf {
        self.0.path().join("image")
    }

    fn place(&self) -> PathBuf {
        self.0.path().join("mounted")
    }

    fn mount(&self) -> bool {
        succeeds(Command::new("mount").args(["-o", "loop"]).arg(self.image()).arg(self.place()))
    }

    fn unmount(&self) -> bool {
        succeeds(Command::new("umount").arg(self.place()))
    }

    /// The power goes.
    fn cut(&self) {
        let place = File::open(self.place()).unwrap();
        // SAFETY: the call reads one u32.
        unsafe { ioctl(&place, Setter::<SHUTDOWN, u32>::new(NO_LOG_FLUSH)) }.unwrap();
    }
}

impl Drop for Ext4 {
    fn drop(&mut self) {
        self.unmount();
    }
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Works in a folder until the power goes under it; returns what had been told by then.
fn lived(
    ext4: &Ext4,
    data: &Path,
    plan: &Plan,
    ledger: &mut Ledger<'_>,
    mounted: &Mounted,
    dice: &mut Dice,
) -> usize {
    let operations = usize::try_from(1 + dice.below(OPERATIONS)).unwrap();
    let is_over = AtomicBool::new(false);
    let options = Options { inline: true, synchronous: plan.synchronous, ..Options::default() };
    thread::scope(|scope| {
        let working = scope.spawn(|| {
            let (mut register, _) = Register::open(data, options).unwrap();
            while !is_over.load(SeqCst) {
                register.step(ledger, dice);
            }
        });
        while mounted.disk().acknowledged < operations && !working.is_finished() {
            thread::yield_now();
        }
        let told = mounted.disk().acknowledged;
        ext4.cut();
        is_over.store(true, SeqCst);
        working.join().unwrap();
        told
    })
}

/// Cuts the power again and again; `None` where that cannot be done.
fn cuts(plan: &Plan) -> Option<Tally> {
    let ext4 = Ext4::make()?;
    let data = ext4.place().join("data");
    std::fs::create_dir(&data).unwrap();
    Register::make(&data);
    assert!(ext4.unmount() && ext4.mount());
    let (mut tally, mut dice) = (Tally::default(), Dice::new(plan.seed));
    while tally.cuts < plan.cuts {
        let mounted = Mounted::new(&data, Disk::new(&data, dice.of(1)));
        let mut ledger = Ledger::new(&mounted, facts::<Register>(&data).unwrap(), plan.answering);
        let told = lived(&ext4, &data, plan, &mut ledger, &mounted, &mut dice);
        assert!(ext4.unmount() && ext4.mount(), "the file system does not come back");
        tally.note(plan, &judged::<Register>(&data, &ledger, told, ledger.begun()), tally.cuts);
        tally.acknowledged += told;
        tally.cuts += 1;
    }
    Some(tally)
}

#[test]
#[ignore = "as root, with mkfs.ext4: in `make test-long`"]
fn register_survives_power_cuts_on_ext4_and_commits_without_a_sync_do_not() {
    let plan = Plan { answering: Answering::AfterCommit, ..Plan::new(seed(), CUTS) };
    let Some(tally) = cuts(&plan) else {
        Attack::on_all("power cuts on ext4").skip("an ext4 cannot be mounted here");
        return;
    };
    show("power cuts on ext4, register", &tally);
    assert!(tally.is_clean(), "seed {}: {tally}, {:?}", plan.seed, tally.examples);
    let unsynced = Plan { synchronous: Synchronous::Normal, ..Plan::new(seed(), CONTROL) };
    let control = cuts(&unsynced).unwrap();
    println!("  control {unsynced:?}: {control}");
    assert!(control.lost > 0, "the judge is blind: {control}");
}
