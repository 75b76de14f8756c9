//! The handle: what the API and the connections ask of the schedule.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use tillroll_domain::clock::Clock;
use tillroll_domain::ids::JobId;
use tillroll_wire::channel::{Down, Hello};
use tillroll_wire::job::CloudState;
use tillroll_wire::{Code, Problem};
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

use super::arrival::Arrival;
use super::run::Task;
use crate::channel::{Connection, greet};
use crate::job::{Inserted, Job, NewJob, RegisterNo, StoreNo};
use crate::nodes::{Member, Message};
use crate::schedule::settings::ScheduleSettings;
use crate::schedule::snapshot::Snapshot;
use crate::schedule::steady::SteadyClock;
use crate::store::{Credential, DispatcherStore, StoreError};

/// Arrivals that may wait for the task; more wait at the door.
const ARRIVALS: usize = 4_096;
/// How often a job is taken back whose row changes meanwhile.
const CANCEL_TRIES: usize = 5;

/// Why a job was not taken back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CancelError {
    /// There is no such job in the store.
    #[error("there is no such job")]
    NotFound,
    /// It is final.
    #[error("a job that is {0} cannot be taken back")]
    NotAllowed(CloudState),
    /// The program is ending.
    #[error("the schedule is stopping")]
    Stopping,
    /// The store could not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The schedule. Cheap to clone; the task ends with the last handle and connection, or by
/// [`Scheduler::stop`].
#[derive(Clone)]
pub struct Scheduler<S> {
    store: S,
    clock: SteadyClock,
    arrivals: mpsc::Sender<Arrival>,
    gone: mpsc::UnboundedSender<(RegisterNo, u64)>,
    figures: watch::Receiver<Snapshot>,
    connections: Arc<AtomicU64>,
    stopping: CancellationToken,
    stopped: CancellationToken,
    member: Option<Member>,
}

impl<S: DispatcherStore> Scheduler<S> {
    /// Starts the schedule's task in the current runtime; it reads what is near from the store first.
    /// `random` spreads the return of registers after a stop.
    ///
    /// # Panics
    /// Outside a tokio runtime.
    #[must_use]
    pub fn start(
        store: S,
        clock: Arc<dyn Clock>,
        settings: ScheduleSettings,
        random: fn() -> u32,
    ) -> Self {
        Self::start_as(None, store, SteadyClock::new(clock), settings, random)
    }

    /// As [`Scheduler::start`]; as one of the nodes that share the store, if there is a member. Its life, and what
    /// it hears, end with the schedule.
    pub(crate) fn start_as(
        member: Option<Member>,
        store: S,
        clock: SteadyClock,
        settings: ScheduleSettings,
        random: fn() -> u32,
    ) -> Self {
        let (arrivals, inbox) = mpsc::channel(ARRIVALS);
        // One message a connection: bounded by the connections.
        let (gone, left) = mpsc::unbounded_channel();
        let (publish, figures) = watch::channel(Snapshot::default());
        let (stopping, stopped) = (CancellationToken::new(), CancellationToken::new());
        let task = Task::new(
            store.clone(),
            clock.clone(),
            settings,
            random,
            stopping.clone(),
            member.clone(),
        );
        let done = stopped.clone().drop_guard();
        tokio::spawn(async move {
            task.run(inbox, left, publish).await;
            drop(done);
        });
        if let Some(member) = &member {
            // They keep no task alive that nobody asks anything of.
            tokio::spawn(member.clone().live(arrivals.downgrade(), stopped.clone()));
            tokio::spawn(member.clone().watch(arrivals.downgrade(), stopped.clone()));
        }
        let connections = Arc::new(AtomicU64::new(0));
        Self { store, clock, arrivals, gone, figures, connections, stopping, stopped, member }
    }

    /// The clock of all stored times: a job's `now` and deadline are read from it.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Stores a job and schedules it. Answered when it is durable.
    ///
    /// # Errors
    /// Those of the store; then nothing is scheduled that is not stored.
    pub async fn submit(&self, new: NewJob) -> Result<Inserted, StoreError> {
        let body = new.body.clone();
        let (inserted, other) = match &self.member {
            None => (self.store.insert_job(new).await?, None),
            Some(member) => member.insert(new).await?,
        };
        let Inserted::New(job) = &inserted else { return Ok(inserted) };
        match (other, &self.member) {
            (Some(node), Some(member)) => member.wake(node, Message::Look(job.key)),
            _ => {
                // A task that has ended finds the row at its next start.
                let _ = self.arrivals.send(Arrival::Submitted(Box::new(job.clone()), body)).await;
            }
        }
        Ok(inserted)
    }

    /// Takes a job back: at once if it was never pushed, else its register is asked.
    ///
    /// # Errors
    /// [`CancelError`].
    pub async fn cancel(&self, store: StoreNo, id: JobId) -> Result<Job, CancelError> {
        for _ in 1..CANCEL_TRIES {
            match self.cancel_once(store, id.clone()).await {
                // The row changed between the look at it and the task's turn.
                Err(CancelError::NotAllowed(state)) if !state.is_final() => {}
                decided => return decided,
            }
        }
        self.cancel_once(store, id).await
    }

    async fn cancel_once(&self, store: StoreNo, id: JobId) -> Result<Job, CancelError> {
        let job = self.store.job(store, id).await?.ok_or(CancelError::NotFound)?;
        let (reply, answer) = oneshot::channel();
        let sent = self.arrivals.send(Arrival::Cancel(Box::new(job), reply)).await;
        sent.map_err(|_| CancelError::Stopping)?;
        answer.await.unwrap_or(Err(CancelError::Stopping))
    }

    /// Takes a register's connection in. Its welcome comes through `down`; when the receiver of
    /// `down` ends, the connection is to be closed.
    ///
    /// # Errors
    /// [`Problem`] when the protocol is not spoken here, another installation is paired, or nothing
    /// can be stored.
    pub async fn connect(
        &self,
        credential: Credential,
        hello: Hello,
        down: mpsc::Sender<Down>,
    ) -> Result<Connection<S>, Problem> {
        let no = self.connections.fetch_add(1, Ordering::Relaxed);
        let (mut greeting, connection) = greet(
            self.store.clone(),
            self.clock.clone(),
            credential,
            hello,
            no,
            down,
            (self.arrivals.clone(), self.gone.clone()),
        )
        .await?;
        if let Some(member) = &self.member {
            greeting.lease = Some(member.take_lease(greeting.register).await?);
        }
        let sent = self.arrivals.send(Arrival::Connect(Box::new(greeting))).await;
        sent.map_err(|_| Problem::new(Code::Stopping, "the program is ending"))?;
        Ok(connection)
    }

    /// Closes the connection of a register whose credential no longer counts.
    pub async fn evict(&self, register: RegisterNo) {
        let _ = self.arrivals.send(Arrival::Evict(register)).await;
        if let Some(member) = &self.member {
            member.tell_loser(register).await;
        }
    }

    /// Whether the node is cut off from the others, and takes no register.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.member.as_ref().is_some_and(|member| member.node().is_none())
    }

    /// The figures as of the last turn.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.figures.borrow().clone()
    }

    /// Ends the task: registers are told to come back, nothing more is written. May be called twice.
    pub async fn stop(&self) {
        self.stopping.cancel();
        self.stopped.cancelled().await;
    }
}
