//! The task: waits for what happens, takes all of it in one turn, writes once, then speaks.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use futures_util::FutureExt as _;
use jiff::Timestamp;
use tillroll_domain::clock::Clock as _;
use tillroll_wire::Code;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::arrival::Arrival;
use super::batch::Batch;
use super::load::{Load, Loaded};
use super::many::Standing;
use crate::job::{JobKey, RegisterNo};
use crate::nodes::Member;
use crate::schedule::board::Board;
use crate::schedule::bucket::Bucket;
use crate::schedule::printer::PrinterName;
use crate::schedule::settings::ScheduleSettings;
use crate::schedule::snapshot::Snapshot;
use crate::schedule::steady::SteadyClock;
use crate::schedule::wheel::Due;
use crate::store::DispatcherStore;

/// The owner of everything the schedule holds in memory.
pub(super) struct Task<S> {
    pub store: S,
    pub clock: SteadyClock,
    pub settings: ScheduleSettings,
    pub random: fn() -> u32,
    pub stopping: CancellationToken,
    /// This node, where there are others.
    pub member: Option<Member>,
    pub board: Board,
    pub batch: Batch,
    pub figures: Snapshot,
    /// Printers that may have a turn.
    pub hot: BTreeSet<PrinterName>,
    /// Printers to be looked at later, by boot time.
    pub later: BTreeSet<(Duration, PrinterName)>,
    /// Printers that wait for the rate over all printers, first come first served.
    pub queue: VecDeque<PrinterName>,
    /// That rate.
    pub bucket: Bucket,
    /// Rows to be read.
    pub wanted: VecDeque<Load>,
    /// Rows being read.
    pub loads: JoinSet<Loaded>,
    /// Every open row with a deadline before this has its entry in the deadline wheel.
    pub loaded_until: Timestamp,
    /// When the stretch after that is read, by boot time.
    pub reload_at: Duration,
    /// How far the rows have been looked through for what a crash left due; none when it was to the end.
    pub left_after: Option<JobKey>,
    /// When the figures were last published, by boot time, and whether there are newer ones.
    pub published_at: Option<Duration>,
    pub figures_due: bool,
    /// Both times when the wheels were last in step.
    pub in_step: (Duration, Instant),
}

/// What happened since the last turn.
#[derive(Debug, Default)]
pub(super) struct News {
    pub arrivals: Vec<Arrival>,
    pub gone: Vec<(RegisterNo, u64)>,
    pub loaded: Vec<Loaded>,
    pub pushes: Vec<Due>,
    pub deadlines: Vec<Due>,
}

/// Figures are this old at most while anything happens.
pub(super) const FIGURES: Duration = Duration::from_secs(1);
/// Most timers of one turn and wheel; the rest is due in the next one.
const TIMERS: usize = 4_096;

impl<S: DispatcherStore> Task<S> {
    pub(super) fn new(
        store: S,
        clock: SteadyClock,
        settings: ScheduleSettings,
        random: fn() -> u32,
        stopping: CancellationToken,
        member: Option<Member>,
    ) -> Self {
        let board = Board { is_one_of_many: member.is_some(), ..Board::default() };
        let in_step = (clock.boot(), Instant::now());
        Self {
            store,
            clock,
            settings,
            random,
            stopping,
            member,
            board,
            batch: Batch::default(),
            figures: Snapshot::default(),
            hot: BTreeSet::new(),
            later: BTreeSet::new(),
            queue: VecDeque::new(),
            bucket: Bucket::new(settings.recovery_per_s),
            wanted: VecDeque::new(),
            loads: JoinSet::new(),
            loaded_until: Timestamp::MIN,
            reload_at: Duration::ZERO,
            left_after: None,
            published_at: None,
            figures_due: false,
            in_step,
        }
    }

    /// Runs until it is stopped, or nobody is left to ask anything of it.
    pub(super) async fn run(
        mut self,
        mut inbox: mpsc::Receiver<Arrival>,
        mut gone: mpsc::UnboundedReceiver<(RegisterNo, u64)>,
        publish: watch::Sender<Snapshot>,
    ) {
        let mut standing = Standing::of(self.member.as_ref());
        self.reload().await;
        loop {
            tokio::select! {
                biased;
                () = standing.lapsed() => self.let_all_go(),
                news = self.wait(&mut inbox, &mut gone) => {
                    let Some(news) = news else { break };
                    tokio::select! {
                        biased;
                        // Whatever it waits for: what it holds is no longer its own.
                        () = standing.lapsed() => self.let_all_go(),
                        () = self.turn(news) => {}
                    }
                }
            }
            self.publish(&publish);
        }
        self.say_bye(Code::Stopping, "the program is ending");
    }

    async fn wait(
        &mut self,
        inbox: &mut mpsc::Receiver<Arrival>,
        gone: &mut mpsc::UnboundedReceiver<(RegisterNo, u64)>,
    ) -> Option<News> {
        let mut news = News::default();
        let look = self.next_look();
        tokio::select! {
            biased;
            () = self.stopping.cancelled() => return None,
            arrival = inbox.recv() => news.arrivals.push(arrival?),
            Some(left) = gone.recv() => news.gone.push(left),
            Some(Ok(loaded)) = self.loads.join_next() => news.loaded.push(loaded),
            due = self.board.pushes.due() => news.pushes.push(due),
            due = self.board.deadlines.due() => news.deadlines.push(due),
            () = tokio::time::sleep_until(look) => {}
        }
        self.gather(&mut news, inbox, gone);
        Some(news)
    }

    /// Whatever else has happened shares the turn. Ends of connections are taken before arrivals, so
    /// that a connection's beginning is in hand when its end is.
    fn gather(
        &mut self,
        news: &mut News,
        inbox: &mut mpsc::Receiver<Arrival>,
        gone: &mut mpsc::UnboundedReceiver<(RegisterNo, u64)>,
    ) {
        news.gone.extend(std::iter::from_fn(|| gone.try_recv().ok()));
        let most = inbox.max_capacity();
        news.arrivals.extend(std::iter::from_fn(|| inbox.try_recv().ok()).take(most));
        news.loaded.extend(std::iter::from_fn(|| self.loads.try_join_next()?.ok()));
        let Board { pushes, deadlines, .. } = &mut self.board;
        news.pushes.extend(std::iter::from_fn(|| pushes.due().now_or_never()).take(TIMERS));
        news.deadlines.extend(std::iter::from_fn(|| deadlines.due().now_or_never()).take(TIMERS));
    }

    async fn turn(&mut self, news: News) {
        self.keep_in_step();
        self.fetch(&news).await;
        for arrival in news.arrivals {
            self.take_arrival(arrival);
        }
        self.take_ends(news.gone).await;
        for loaded in news.loaded {
            self.take_loaded(loaded);
        }
        for due in news.pushes {
            self.push_due(due);
        }
        for due in news.deadlines {
            self.deadline_due(due);
        }
        self.feed();
        self.commit().await;
        if self.reload_is_due() {
            self.reload().await;
        }
        self.start_loads();
    }

    fn take_arrival(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::Submitted(job, body) => self.take_job(*job, Some(body)),
            Arrival::Cancel(job, reply) => self.cancel(*job, reply),
            Arrival::Connect(greeting) => self.connect(*greeting),
            Arrival::Said(register, no, message) => self.take_word(register, no, message),
            Arrival::Evict(register) => self.evict(register),
            Arrival::Look(jobs) => self.look(jobs),
            Arrival::Lost(leases) => self.lose(&leases),
        }
    }

    /// Figures are counted at most once a second: there may be thousands of printers.
    fn publish(&mut self, publish: &watch::Sender<Snapshot>) {
        let now = self.clock.boot();
        self.figures_due = true;
        if self.published_at.is_none_or(|at| now >= at + FIGURES) {
            publish.send_replace(self.figures());
            (self.published_at, self.figures_due) = (Some(now), false);
        }
    }

    fn figures(&self) -> Snapshot {
        let printers = || self.board.printers.values();
        Snapshot {
            connected: self.board.sessions.len(),
            printers: self.board.printers.len(),
            jobs: self.board.slots.len(),
            push_timers: self.board.pushes.len(),
            deadline_timers: self.board.deadlines.len(),
            printers_stopped: printers().filter(|printer| printer.is_stopped()).count(),
            waiting: printers().map(|printer| printer.waiting()).sum(),
            unanswered: printers().map(|printer| printer.pace.unanswered()).sum(),
            ..self.figures.clone()
        }
    }
}
