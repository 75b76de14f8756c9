//! A PostgreSQL server for one test: its own, in a temporary folder, gone when the test is.
//!
//! It listens on a socket in its folder and on no port, so no two can meet. It does not sync to the
//! disk, unless it is started as [`PostgresServer::durable`]: killing the server proves something here,
//! cutting the power does not.

#![expect(clippy::expect_used, reason = "what fails here fails a test, with the reason")]

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::fs::statvfs;
use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;

/// How long a server may take to start.
const START: Duration = Duration::from_secs(20);
/// How often is looked whether it has.
const LOOK: Duration = Duration::from_millis(5);
/// Free space of the memory's file system above which servers lie there.
const ROOM: u64 = 2 << 30;
/// How the names of their folders begin; the number of the tests' process follows.
const PREFIX: &str = "tillroll-postgres-";
/// The account it runs under when the tests run as root, which it refuses: that of Debian's package.
const ACCOUNT: &str = "postgres";

/// What every server is started with.
const SETTINGS: [&str; 4] = [
    "listen_addresses=",
    "shared_buffers=32MB",
    "dynamic_shared_memory_type=mmap",
    "log_min_messages=warning",
];
/// How a server is made and started beyond that.
#[derive(Debug)]
struct Make {
    /// MiB of a segment of its log.
    segment: u32,
    settings: &'static [&'static str],
}

/// For tests: small, and never waiting for a disk.
const QUICK: Make = Make { segment: 1, settings: &["fsync=off", "full_page_writes=off"] };
/// For measuring: its durability as it is delivered, room for its work, and a count of its statements.
const DURABLE: Make = Make {
    segment: 16,
    settings: &[
        "fsync=on",
        "full_page_writes=on",
        "synchronous_commit=on",
        "shared_buffers=256MB",
        "max_wal_size=4GB",
        "shared_preload_libraries=pg_stat_statements",
    ],
};

/// A running server. It also ends with the thread that started it, however that ends.
#[derive(Debug)]
pub struct PostgresServer {
    folder: TempDir,
    programs: PathBuf,
    make: Make,
    server: Child,
}

impl PostgresServer {
    /// Starts a server with an empty database.
    ///
    /// # Panics
    /// When PostgreSQL is not installed or does not start.
    #[must_use]
    pub fn start() -> Self {
        Self::with(folder(), QUICK)
    }

    /// Starts a server as one for work is: on the disk, every commit synced, its statements counted.
    ///
    /// # Panics
    /// When PostgreSQL is not installed or does not start.
    #[must_use]
    pub fn durable() -> Self {
        Self::with(folder_in(&std::env::temp_dir()), DURABLE)
    }

    fn with(folder: TempDir, make: Make) -> Self {
        let programs = programs();
        let template = template(&programs, &make);
        copy(&template, &data(&folder));
        let server = launch(&programs, &folder, &make);
        let mut started = Self { folder, programs, make, server };
        started.wait_until_ready();
        started
    }

    /// Its first process, the parent of all others.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.server.id()
    }

    /// Where it is reached, as libpq spells it.
    #[must_use]
    pub fn address(&self) -> String {
        format!("host={} user=postgres dbname=postgres", data(&self.folder).display())
    }

    /// The same as an address that begins with `postgres://`.
    #[must_use]
    pub fn url(&self) -> String {
        let socket = data(&self.folder).display().to_string().replace('/', "%2F");
        format!("postgres://postgres@{socket}/postgres")
    }

    /// Kills it as a crash would, and starts it again over what it left.
    ///
    /// # Panics
    /// When it does not start.
    pub fn crash_and_restart(&mut self) {
        self.stop();
        self.restart();
    }

    /// Ends it at once: nobody's transaction is waited for.
    pub fn stop(&mut self) {
        if let Some(pid) = i32::try_from(self.server.id()).ok().and_then(Pid::from_raw) {
            let _gone_already = kill_process(pid, Signal::QUIT);
        }
        let _ended = self.server.wait();
    }

    /// Starts it again after [`stop`](Self::stop).
    ///
    /// # Panics
    /// When it does not start.
    pub fn restart(&mut self) {
        self.server = launch(&self.programs, &self.folder, &self.make);
        self.wait_until_ready();
    }

    /// It says so in the last line of the file that holds its process id.
    fn wait_until_ready(&mut self) {
        let began = Instant::now();
        let pid_file = data(&self.folder).join("postmaster.pid");
        let own_pid = self.server.id().to_string();
        loop {
            let said = fs::read_to_string(&pid_file).unwrap_or_default();
            if said.lines().next() == Some(&own_pid) && said.trim_end().ends_with("ready") {
                return;
            }
            let ended = self.server.try_wait().expect("a child can be asked for");
            if ended.is_some() || began.elapsed() > START {
                let log = fs::read_to_string(log(&self.folder)).unwrap_or_default();
                panic!("PostgreSQL does not start ({ended:?}):\n{log}");
            }
            sleep(LOOK);
        }
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The folder of the newest PostgreSQL that Debian's package installed.
fn programs() -> PathBuf {
    let installed = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let version = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = installed
        .map(|entry| entry.path())
        .filter(|path| path.join("bin/postgres").exists())
        .max_by_key(version);
    let newest = newest.expect(
        "PostgreSQL is not installed, and these tests need it: \
         `make tools` installs it, or `apt-get install postgresql`",
    );
    newest.join("bin")
}

/// In memory where there is room: a cluster is a thousand files.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let has_room = statvfs(memory).is_ok_and(|space| space.f_bavail * space.f_frsize > ROOM);
    if has_room { folder_in(memory) } else { folder_in(&std::env::temp_dir()) }
}

fn folder_in(place: &Path) -> TempDir {
    let prefix = format!("{PREFIX}{}-", std::process::id());
    let folder = tempfile::Builder::new().prefix(&prefix).tempdir_in(place);
    let folder = folder.expect("a temporary folder");
    open_to_all(folder.path());
    folder
}

/// Removes what tests that were killed left in memory; the programs of the others run.
fn sweep() {
    for left in fs::read_dir("/dev/shm").into_iter().flatten().flatten() {
        let name = left.file_name().into_string().unwrap_or_default();
        let pid = name.strip_prefix(PREFIX).and_then(|rest| rest.split('-').next());
        if pid.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _removed_by_another = fs::remove_dir_all(left.path());
        }
    }
}

fn data(folder: &TempDir) -> PathBuf {
    folder.path().join("data")
}

fn log(folder: &TempDir) -> PathBuf {
    folder.path().join("log")
}

/// Lets the server's account pass through a folder.
fn open_to_all(folder: &Path) {
    fs::set_permissions(folder, Permissions::from_mode(0o755)).expect("own folder");
}

/// Runs a program under an account that PostgreSQL accepts, until this thread ends.
fn as_server(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.arg("--pdeathsig=SIGQUIT");
    if geteuid().is_root() {
        command.arg(format!("--reuid={ACCOUNT}")).arg(format!("--regid={ACCOUNT}"));
        command.arg("--clear-groups");
    }
    command.arg(program).current_dir("/").stdin(Stdio::null());
    command
}

fn launch(programs: &Path, folder: &TempDir, make: &Make) -> Child {
    let (data, log) = (data(folder), File::create(log(folder)).expect("a log"));
    let mut command = as_server(&programs.join("postgres"));
    command.arg("-D").arg(&data).arg("-k").arg(&data);
    for setting in SETTINGS.iter().chain(make.settings) {
        command.arg("-c").arg(setting);
    }
    let server = command.stdout(Stdio::null()).stderr(log).spawn();
    server.expect("setpriv of util-linux starts PostgreSQL")
}

/// A cluster that was initialised once, beside the program of the tests: copying it takes a fraction of
/// the time. Whoever comes first makes it, others wait.
fn template(programs: &Path, make: &Make) -> PathBuf {
    let beside = std::env::current_exe().expect("the path of the tests' program");
    let beside = beside.parent().expect("a program lies in a folder");
    let version = programs.parent().and_then(Path::file_name).unwrap_or_default();
    let user = geteuid().as_raw();
    let name = format!("postgres-{}-{user}-{}", version.display(), make.segment);
    let template = beside.join(name);
    let lock = File::create(template.with_extension("lock")).expect("a lock file");
    lock.lock().expect("the lock of the template");
    sweep();
    if !template.exists() {
        initialise(programs, &template, make).expect("a template for PostgreSQL");
    }
    template
}

fn initialise(programs: &Path, template: &Path, make: &Make) -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    open_to_all(folder.path());
    let home = folder.path().join("home");
    fs::create_dir(&home)?;
    if geteuid().is_root() {
        run(Command::new("chown").arg(ACCOUNT).arg(&home));
    }
    let data = home.join("data");
    let segment = format!("--wal-segsize={}", make.segment);
    run(as_server(&programs.join("initdb")).arg("-D").arg(&data).arg(segment).args([
        "--username=postgres",
        "--auth=trust",
        "--encoding=UTF8",
        "--no-locale",
        "--no-sync",
    ]));
    let new = template.with_extension("new");
    if new.exists() {
        fs::remove_dir_all(&new)?;
    }
    copy(&data, &new);
    fs::rename(&new, template)
}

/// Copies a folder with its owners.
fn copy(from: &Path, to: &Path) {
    run(Command::new("cp")
        .args(["--archive", "--reflink=auto", "--no-target-directory"])
        .args([from, to]));
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}
