//! One node among several: registers come and go between them, and each tells the others what it did to their
//! jobs.

use std::collections::{BTreeMap, VecDeque};

use tillroll_domain::clock::Clock as _;
use tillroll_wire::Code;
use tillroll_wire::job::CloudState;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::batch::Batch;
use super::connect::bye;
use super::run::Task;
use crate::job::{Job, JobKey, RegisterNo};
use crate::nodes::{LostLease, Member, Message, NodeNo};
use crate::schedule::board::{Board, printer_name};
use crate::schedule::transition::{Event, transition};
use crate::store::{DispatcherStore, Stored};

/// Jobs asked about together.
const ROWS: usize = 512;

/// Whether this is still the node it was.
pub(super) struct Standing {
    shown: Option<watch::Receiver<Option<NodeNo>>>,
    own: Option<NodeNo>,
}

impl Standing {
    pub(super) fn of(member: Option<&Member>) -> Self {
        let mut shown = member.map(Member::standing);
        let own = shown.as_mut().and_then(|shown| *shown.borrow_and_update());
        Self { shown, own }
    }

    /// Waits until it is not; for ever where there is no other.
    pub(super) async fn lapsed(&mut self) {
        let Some(shown) = &mut self.shown else { return std::future::pending().await };
        while shown.changed().await.is_ok() {
            let now = *shown.borrow_and_update();
            if std::mem::replace(&mut self.own, now).is_some() {
                return;
            }
        }
        std::future::pending().await
    }
}

impl<S: DispatcherStore> Task<S> {
    /// Connections were dropped. Where there are other nodes, a register may be with one of them by now: only
    /// whose lease was still this node's is away.
    pub(super) async fn take_ends(&mut self, gone: Vec<(RegisterNo, u64)>) {
        let ended = gone.into_iter().filter(|(register, no)| {
            let session = self.board.session(*register, *no);
            session.is_some()
        });
        let ended: Vec<_> = ended.map(|(register, _)| register).collect();
        let Some(member) = &self.member else {
            return ended.into_iter().for_each(|register| self.disconnect(register));
        };
        let lease =
            |register: &RegisterNo| Some((*register, self.board.sessions.get(register)?.lease?));
        let own = member.give_back(ended.iter().filter_map(lease).collect()).await;
        for register in ended {
            if own.contains(&register) {
                self.disconnect(register);
            } else {
                self.let_go(register);
            }
        }
    }

    /// Another node has these registers now, or nobody.
    pub(super) fn lose(&mut self, leases: &[LostLease]) {
        for lost in leases {
            let session = self.board.sessions.get(&lost.register);
            let own = session.and_then(|session| session.lease);
            if own.is_none_or(|own| own.generation >= lost.generation) {
                continue;
            }
            tracing::info!(register = ?lost.register, "a register is another node's");
            self.figures.moved_over += 1;
            let last = if lost.is_revoked {
                bye(Code::Unauthorized, "the credential was revoked", None)
            } else {
                bye(Code::NotAllowed, "a newer connection took over", None)
            };
            self.board.send(lost.register, last);
            self.let_go(lost.register);
        }
    }

    /// Forgets a register and its jobs; their rows stay as they are.
    fn let_go(&mut self, register: RegisterNo) {
        let Some(session) = self.board.sessions.remove(&register) else { return };
        for name in &session.printers {
            let waiting = self.board.remove_printer(register, name);
            self.batch.touched.extend(waiting);
        }
        for key in session.jobs {
            if let Some(slot) = self.board.slots.get_mut(&key) {
                slot.at = None;
            }
            self.batch.touched.insert(key);
        }
    }

    /// The node has ended in the eyes of the others: whatever it holds is theirs. It begins anew with nothing.
    pub(super) fn let_all_go(&mut self) {
        self.figures.cut_offs += 1;
        self.say_bye(Code::Unavailable, "the node is cut off from its database");
        self.board = Board { is_one_of_many: true, ..Board::default() };
        self.batch = Batch::default();
        self.hot.clear();
        self.later.clear();
        self.queue = VecDeque::new();
        self.wanted = VecDeque::new();
        self.loads = JoinSet::new();
    }

    /// Rows that another node took in or changed.
    pub(super) fn look(&mut self, jobs: Vec<Job>) {
        for job in jobs {
            let key = job.key;
            match self.board.slots.get(&key) {
                // Its own change comes first: it will meet the newer row.
                Some(_) if self.batch.changes.contains_key(&key) => {}
                Some(slot) if slot.job.row_version >= job.row_version => {}
                Some(_) => self.take_fresh(job),
                None => self.take_in(job),
            }
        }
    }

    /// A job that is not in memory, of a register that the others think is here.
    fn take_in(&mut self, job: Job) {
        match job.state {
            CloudState::Scheduled => self.take_job(job, None),
            CloudState::Pushed
            | CloudState::Parked
            | CloudState::Accepted
            | CloudState::CancelRequested => {
                let is_pushed = job.state == CloudState::Pushed;
                let key = self.adopt(job);
                if !self.take_up(key) && is_pushed {
                    self.apply(key, &Event::Parked);
                }
            }
            CloudState::Printed
            | CloudState::Failed
            | CloudState::Unconfirmed
            | CloudState::Skipped
            | CloudState::Rejected
            | CloudState::TimedOut
            | CloudState::Canceled => {}
        }
    }

    /// Goes on with a job that was found in another state than it was left in, if its register or printer is
    /// here.
    pub(super) fn take_up(&mut self, key: JobKey) -> bool {
        let Some(slot) = self.board.slots.get(&key) else { return false };
        match slot.job.state {
            CloudState::Pushed | CloudState::Accepted | CloudState::CancelRequested => {
                let Some(register) = slot.job.register else { return false };
                let session = self.board.sessions.get(&register);
                let is_here = session.is_some_and(|it| !slot.was_pushed_elsewhere(&it.incarnation));
                if is_here {
                    self.resume(key, register);
                }
                is_here
            }
            // The printer reads what waits for it again, in its order.
            CloudState::Parked => {
                let Some(name) = printer_name(&slot.job) else { return false };
                let Some(printer) = self.board.printers.get_mut(&name) else { return false };
                printer.overflow();
                self.hot.insert(name);
                true
            }
            CloudState::Scheduled
            | CloudState::Printed
            | CloudState::Failed
            | CloudState::Unconfirmed
            | CloudState::Skipped
            | CloudState::Rejected
            | CloudState::TimedOut
            | CloudState::Canceled => false,
        }
    }

    /// Tells other nodes of jobs of their registers that were parked or taken back here. What was parked while
    /// its register came to another node is no longer parked: that one may have looked before.
    pub(super) async fn tell_others(&mut self, left: Vec<Job>) {
        let Some(member) = self.member.clone() else { return };
        let concerns = |job: &Job| {
            matches!(
                job.state,
                CloudState::Parked | CloudState::Canceled | CloudState::CancelRequested
            )
        };
        let left: Vec<_> = left.into_iter().filter(concerns).collect();
        for jobs in left.chunks(ROWS) {
            if let Err(error) = self.tell_owners(&member, jobs).await {
                tracing::warn!(%error, "the nodes of jobs could not be told");
                self.figures.store_errors += 1;
            }
        }
    }

    async fn tell_owners(&self, member: &Member, jobs: &[Job]) -> Stored<()> {
        let others = member.others_of(jobs.iter().map(|job| job.key).collect()).await?;
        if others.is_empty() {
            return Ok(());
        }
        let others: BTreeMap<JobKey, NodeNo> = others.into_iter().collect();
        let now = self.clock.now();
        let theirs = jobs.iter().filter(|job| others.contains_key(&job.key));
        let back = theirs.filter_map(|job| transition(job, &Event::Returned { now }).ok());
        let back: Vec<_> = back.collect();
        if !back.is_empty() {
            self.store.change_jobs(back, now).await?;
        }
        for (key, node) in others {
            member.wake(node, Message::Look(key));
        }
        Ok(())
    }
}
