//! The desk: the register this window stands for, how far it is, and who sits before it.
//!
//! It begins as soon as the program does; whoever asks meanwhile waits for it. A register that cannot be
//! run here leaves the desk locked, with the reason.

mod manager;
mod running;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tillroll_register::logs::{self, LogGuard};
use tillroll_register::problem::{Code, Problem};
use tillroll_register::training::TrainingFolder;
use tillroll_register::view::{AppState, Phase, ProblemView, SetUpBody, Unlocked};
use tillroll_register::{Access, HostSettings, Register, RegisterOptions};
use tokio::sync::watch;

use self::running::Running;
use crate::refused::Refused;

/// Longer than any start that is right; a rescue of a large database included.
const START_WITHIN: Duration = Duration::from_secs(600);

/// How a desk is opened.
#[derive(Clone, Default)]
pub struct DeskOptions {
    /// How the register is run.
    pub register: RegisterOptions,
    /// Where its API is offered.
    pub host: HostSettings,
    /// Days are exported to this folder; to one in the data folder without it.
    pub exports: Option<PathBuf>,
    /// Between two sales of a training store.
    pub training_pause: Option<Duration>,
    /// The program writes a log into the data folder.
    pub logs: bool,
}

#[derive(Clone)]
enum Seat {
    Starting,
    SetUp,
    Locked(Box<ProblemView>),
    Running(Arc<Running>),
    Ended,
}

/// The register of this window.
pub struct Desk {
    folder: PathBuf,
    training: Mutex<Option<TrainingFolder>>,
    is_training: bool,
    options: DeskOptions,
    seat: watch::Sender<Seat>,
    log: Mutex<Option<LogGuard>>,
}

impl Desk {
    /// A desk on a data folder; [`Desk::start`] begins it.
    #[must_use]
    pub fn on(folder: PathBuf, options: DeskOptions) -> Self {
        Self {
            folder,
            training: Mutex::default(),
            is_training: false,
            options,
            seat: watch::Sender::new(Seat::Starting),
            log: Mutex::default(),
        }
    }

    /// A desk on a training store.
    #[must_use]
    pub fn training(training: TrainingFolder, options: DeskOptions) -> Self {
        let desk = Self::on(training.path().to_owned(), options);
        Self { training: Mutex::new(Some(training)), is_training: true, ..desk }
    }

    /// Runs the register of the folder, when there is one.
    pub async fn start(&self) {
        let seat = if Register::is_in(&self.folder) {
            self.run().await.map_or_else(locked, Seat::Running)
        } else {
            Seat::SetUp
        };
        self.seat.send_replace(seat);
    }

    async fn run(&self) -> Result<Arc<Running>, Problem> {
        self.start_log();
        let DeskOptions { register, host, training_pause, .. } = self.options.clone();
        let running = Running::start(&self.folder, register, host).await?;
        if self.is_training {
            running.train(training_pause).await?;
        }
        Ok(Arc::new(running))
    }

    /// Without a log the till still prints.
    fn start_log(&self) {
        if !self.options.logs {
            return;
        }
        match logs::start(&self.folder) {
            Ok(guard) => *self.log.lock().unwrap_or_else(PoisonError::into_inner) = Some(guard),
            Err(error) => tracing::warn!(%error, "no log is written"),
        }
    }

    /// Makes the register of the answers, runs it, and leaves whoever gave them a manager.
    ///
    /// # Errors
    /// [`Code::NotAllowed`] when there is a register already, or the answers that cannot be used.
    pub async fn set_up(&self, body: &SetUpBody) -> Result<(), Problem> {
        if !matches!(self.settled().await?, Seat::SetUp) {
            return Err(Problem::new(Code::NotAllowed, "the register is set up already"));
        }
        Register::set_up(&self.folder, body).await?;
        let ran = self.run().await;
        let running = match ran {
            Ok(running) => running,
            Err(problem) => {
                self.seat.send_replace(locked(problem));
                return Err(Problem::new(
                    Code::Unavailable,
                    "the register was made but does not run",
                ));
            }
        };
        let kept = running.register().set_pin(running.cashier(), &body.manager_pin).await;
        let unlocked = running.unlock(&body.manager_pin).await;
        self.seat.send_replace(Seat::Running(running));
        kept?;
        unlocked.map(drop)
    }

    /// The running register.
    ///
    /// # Errors
    /// [`Code::NotAllowed`] before set-up, [`Code::Unavailable`] when it cannot be run here,
    /// [`Code::Stopping`] at the end.
    pub(crate) async fn running(&self) -> Result<Arc<Running>, Problem> {
        match self.settled().await? {
            Seat::Running(running) => Ok(running),
            Seat::SetUp => Err(Problem::new(Code::NotAllowed, "the register is not set up yet")),
            Seat::Locked(problem) => Err(Problem::new(Code::Unavailable, problem.detail)),
            Seat::Starting | Seat::Ended => {
                Err(Problem::new(Code::Stopping, "the register is stopping"))
            }
        }
    }

    /// The running register, for whoever sits here.
    ///
    /// # Errors
    /// As [`Desk::running`].
    pub(crate) async fn register(&self) -> Result<Register, Problem> {
        Ok(self.running().await?.register().clone())
    }

    /// The running register, for tests that play the POS.
    ///
    /// # Errors
    /// As every command that needs it.
    #[doc(hidden)]
    pub async fn register_for_tests(&self) -> Result<Register, Problem> {
        self.register().await
    }

    /// The register and who sits here: a manager while unlocked, else a cashier.
    ///
    /// # Errors
    /// As [`Desk::running`].
    pub(crate) async fn seated(&self) -> Result<(Register, Access), Problem> {
        let running = self.running().await?;
        Ok((running.register().clone(), running.access()))
    }

    /// The register and a manager.
    ///
    /// # Errors
    /// [`Code::Forbidden`] until one is unlocked, and as [`Desk::running`].
    pub(crate) async fn managed(&self) -> Result<(Register, Access), Problem> {
        let (register, access) = self.seated().await?;
        let locked = |_| Problem::new(Code::Forbidden, "a manager must unlock this with the PIN");
        access.manages().map_err(locked)?;
        Ok((register, access))
    }

    /// The register and the manager of a PIN, for one deed.
    ///
    /// # Errors
    /// As [`Register::manager`] and [`Desk::running`].
    pub(crate) async fn managed_by(&self, pin: &str) -> Result<(Register, Access), Problem> {
        let register = self.register().await?;
        let access = register.manager(pin).await?;
        Ok((register, access))
    }

    /// Unlocks the manager's rights for a while.
    ///
    /// # Errors
    /// As [`Register::manager`].
    pub(crate) async fn unlock(&self, pin: &str) -> Result<Unlocked, Problem> {
        self.running().await?.unlock(pin).await
    }

    /// Where days are exported to.
    pub(crate) fn exports(&self) -> PathBuf {
        self.options.exports.clone().unwrap_or_else(|| self.folder.join("exports"))
    }

    /// What the window shows of itself.
    pub(crate) async fn state(&self) -> Result<AppState, Problem> {
        let bare = self.bare_state();
        match self.settled().await? {
            Seat::SetUp | Seat::Starting => Ok(bare),
            Seat::Locked(problem) => {
                Ok(AppState { phase: Phase::Locked, problem: Some(*problem), ..bare })
            }
            Seat::Running(running) => running.state(bare).await,
            Seat::Ended => Err(Problem::new(Code::Stopping, "the register is stopping")),
        }
    }

    fn bare_state(&self) -> AppState {
        AppState {
            phase: Phase::Setup,
            store: String::new(),
            register: String::new(),
            zone: String::new(),
            currency: String::new(),
            locale: String::new(),
            today: String::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            training: self.is_training,
            folder: self.folder.display().to_string(),
            log_folder: logs::folder_of(&self.folder).display().to_string(),
            listening: None,
            has_pin: false,
            manager_until: None,
            problem: None,
        }
    }

    /// Where the data lies.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many jobs are open; none without a running register.
    pub(crate) async fn open_jobs(&self) -> Result<i64, Problem> {
        let Ok(running) = self.running().await else { return Ok(0) };
        let counts = running.register().open_jobs().await?;
        Ok(counts.into_iter().map(|(_, count)| count).sum())
    }

    /// Ends the register within a limit; the queue stays as it is.
    pub async fn stop(&self, within: Duration) {
        let seat = self.seat.send_replace(Seat::Ended);
        if let Seat::Running(running) = seat {
            running.stop(within).await;
        }
        drop(self.training.lock().unwrap_or_else(PoisonError::into_inner).take());
        drop(self.log.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    /// The seat once the start is over.
    async fn settled(&self) -> Result<Seat, Problem> {
        let mut seats = self.seat.subscribe();
        let started = seats.wait_for(|seat| !matches!(seat, Seat::Starting));
        match tokio::time::timeout(START_WITHIN, started).await {
            Ok(Ok(seat)) => Ok(seat.clone()),
            Ok(Err(_)) => Err(Problem::new(Code::Stopping, "the register is stopping")),
            Err(_) => Err(Problem::new(Code::TimedOut, "the register does not start in time")),
        }
    }

    /// Waits for the running register; `None` when it ends before it ran.
    pub(crate) async fn once_running(&self) -> Option<Register> {
        let mut seats = self.seat.subscribe();
        let seat = seats.wait_for(|seat| matches!(seat, Seat::Running(_) | Seat::Ended)).await;
        if let Ok(seat) = seat
            && let Seat::Running(running) = &*seat
        {
            return Some(running.register().clone());
        }
        None
    }
}

fn locked(problem: Problem) -> Seat {
    Seat::Locked(Box::new(Refused::from(problem).view().clone()))
}
