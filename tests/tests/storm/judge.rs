//! The judge: holds the driver's list of acknowledged jobs against the paper, the dispatcher's rows, the
//! registers' rows and the history of faults.
//!
//! - Nothing is on paper twice, and nothing that was never sent.
//! - Every job is final, in the dispatcher and at the register.
//! - What is on paper is printed for the dispatcher, and nothing else is.
//! - A job whose device was there for ten seconds before the deadline is printed, but for one in a thousand of all
//!   that are judged together.
//! - Every other job has a reason, and the history has the fault that goes with it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use tillroll_dispatcher::schedule::ScheduleSettings;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::JobState;
use tillroll_wire::job::CloudState;

use crate::history::{History, Spell};
use crate::order::Order;
use crate::plan::Plan;
use crate::report::{Report, most_in_a_second};
use crate::wrong::Wrong;

/// A device that is there for so long can print what waits for it.
const LONG_ENOUGH: Duration = Duration::from_secs(10);
/// A connection that broke is noticed within this: until then a push may go into it.
const NOTICED: Duration = Duration::from_secs(10);
/// A job whose device is there is pushed within this.
const AT_ONCE: Duration = Duration::from_secs(1);
/// Violations told in full.
const TOLD: usize = 20;

/// A job and what each side says of it.
#[derive(Debug)]
pub struct Trial {
    pub order: Order,
    pub cloud: Told,
    /// Its state at the register; none where the register does not have it.
    pub local: Option<JobState>,
}

/// What the dispatcher tells of a job.
#[derive(Debug)]
pub struct Told {
    pub state: CloudState,
    pub reason: Option<String>,
    pub late: bool,
}

/// Judges a run.
pub fn judge(
    plan: Plan,
    trials: &[Trial],
    history: &History,
    settings: ScheduleSettings,
) -> Report {
    let mut court = Court { history, papers: papers(history), report: Report::of(plan, history) };
    for trial in trials {
        court.hear(trial);
    }
    court.look_for_strangers(trials);
    court.count_taken(trials.len(), plan.jobs as usize);
    let most = usize::try_from(settings.recovery_per_s).unwrap_or(usize::MAX);
    court.report.recovered_in_a_second = recovered_in_a_second(trials, history);
    court.report.is_within_rate = court.report.recovered_in_a_second <= most;
    court.report
}

/// The most jobs pushed in any second that had waited for their device; those pushed at once do not count
/// against the rate.
fn recovered_in_a_second(trials: &[Trial], history: &History) -> usize {
    let orders = trials.iter().map(|trial| &trial.order);
    let waited = orders.filter_map(|order| {
        history.first_push(&order.id).filter(|push| *push > order.taken + AT_ONCE)
    });
    let mut waited: Vec<_> = waited.collect();
    waited.sort();
    most_in_a_second(&waited)
}

/// Paper by job, copies of a job that was taken for another counted as the job.
fn papers(history: &History) -> BTreeMap<JobId, Vec<Duration>> {
    let mut papers: BTreeMap<JobId, Vec<Duration>> = BTreeMap::new();
    for (id, at) in history.papers() {
        papers.entry(original(id)).or_default().extend(at);
    }
    papers
}

/// The job a copy is one of.
pub fn original(id: JobId) -> JobId {
    JobId { version: 1, ..id }
}

struct Court<'a> {
    history: &'a History,
    papers: BTreeMap<JobId, Vec<Duration>>,
    report: Report,
}

impl Court<'_> {
    fn hear(&mut self, trial: &Trial) {
        let papers = self.papers.get(&trial.order.id).cloned().unwrap_or_default();
        self.count(trial, &papers);
        let says_printed = trial.cloud.state == CloudState::Printed;
        for (is_wrong, wrong, fault) in [
            (papers.len() > 1, Wrong::Doubled, "is on paper more than once"),
            (says_printed && papers.is_empty(), Wrong::Lost, "is printed and on no paper"),
            (!trial.cloud.state.is_final(), Wrong::Silent, "is not final"),
            (is_open(trial.local), Wrong::Silent, "is not settled at the register"),
            (is_hidden(trial, papers.len()), Wrong::Silent, "is on paper and not said to be"),
            (disagree(trial), Wrong::Silent, "is not what its register says"),
            (!self.has_reason(trial), Wrong::Silent, "has no reason in the history"),
        ] {
            if is_wrong {
                let story = story(trial, &papers);
                self.violation(wrong, format!("{} {fault}: {story}", trial.order.id));
            }
        }
    }

    fn count(&mut self, trial: &Trial, papers: &[Duration]) {
        let order = &trial.order;
        let printed = trial.cloud.state == CloudState::Printed;
        let stretches = self.there(order);
        let reachable = stretches.iter().any(|there| there.end - there.start >= LONG_ENOUGH);
        let first = papers.first().copied();
        let report = &mut self.report;
        report.late += usize::from(trial.cloud.late);
        report.reachable += usize::from(reachable);
        report.reachable_printed += usize::from(reachable && printed);
        *report.states.entry(state(&trial.cloud)).or_default() += 1;
        let was_away = stretches.first().is_none_or(|first| first.start != order.taken);
        if was_away && reachable {
            report.recovered += 1;
            report.recovered_printed += usize::from(printed);
        }
        if let Some(paper) = first
            && stretches.iter().any(|there| there.contains(&order.taken) && there.contains(&paper))
        {
            report.online.push(paper.saturating_sub(order.taken));
        }
    }

    /// When the device was there between a job's acceptance and its deadline: connected, running, with
    /// paper.
    fn there(&self, order: &Order) -> Vec<Range<Duration>> {
        let spells = |spell| self.history.spells(order.shop, spell);
        let mut there = within(spells(Spell::Connected), &(order.taken..order.deadline));
        for gone in spells(Spell::Killed).into_iter().chain(spells(Spell::NoPaper)) {
            there = there.into_iter().flat_map(|stretch| without(stretch, &gone)).collect();
        }
        there
    }

    /// Why a job was not printed has to be in the history.
    fn has_reason(&self, trial: &Trial) -> bool {
        let order = &trial.order;
        let span = order.taken..order.deadline;
        let had = |spell| !within(self.history.spells(order.shop, spell), &span).is_empty();
        let connected = within(self.history.spells(order.shop, Spell::Connected), &span);
        let was_away = connected.iter().all(|stretch| *stretch != span);
        let lag = order.taken.saturating_sub(NOTICED)..order.deadline;
        // A connection that broke at once was one for the dispatcher.
        let met = |spell: &Range<Duration>| spell.start <= lag.end && spell.end >= lag.start;
        let was_met = self.history.spells(order.shop, Spell::Connected).iter().any(met);
        let (was_killed, had_no_paper) = (had(Spell::Killed), had(Spell::NoPaper));
        let reason = trial.cloud.reason.as_deref().unwrap_or_default();
        match trial.cloud.state {
            CloudState::Printed => true,
            CloudState::TimedOut => match reason.split(':').next().unwrap_or_default() {
                "device_offline" | "recovery_backlog" => was_away,
                "no_ack" => was_met && (was_away || had(Spell::Slow)),
                "printer_stopped" => had_no_paper || was_killed,
                _ => false,
            },
            CloudState::Unconfirmed | CloudState::Failed => was_killed || had_no_paper,
            _ => false,
        }
    }

    fn look_for_strangers(&mut self, trials: &[Trial]) {
        let known: std::collections::BTreeSet<_> =
            trials.iter().map(|trial| &trial.order.id).collect();
        let strangers: Vec<_> = self.papers.keys().filter(|id| !known.contains(id)).collect();
        let told = format!("on paper, but never taken: {strangers:?}");
        self.violations(Wrong::Doubled, strangers.len(), told);
    }

    fn count_taken(&mut self, taken: usize, sent: usize) {
        let told = format!("{taken} of {sent} jobs were taken");
        self.violations(Wrong::Lost, sent.saturating_sub(taken), told.clone());
        self.violations(Wrong::Doubled, taken.saturating_sub(sent), told);
    }

    fn violation(&mut self, wrong: Wrong, told: String) {
        self.violations(wrong, 1, told);
    }

    /// So many, of which is told in one line.
    fn violations(&mut self, wrong: Wrong, times: usize, told: String) {
        if times == 0 {
            return;
        }
        self.report.violations += times;
        *match wrong {
            Wrong::Lost => &mut self.report.lost,
            Wrong::Doubled => &mut self.report.doubled,
            Wrong::Silent => &mut self.report.silent,
        } += times;
        if self.report.told.len() < TOLD {
            self.report.told.push(told);
        }
    }
}

fn is_open(local: Option<JobState>) -> bool {
    matches!(local, Some(JobState::Pending | JobState::Printing))
}

/// The dispatcher tells of what is on paper, or that it may be.
fn is_hidden(trial: &Trial, papers: usize) -> bool {
    papers > 0 && !matches!(trial.cloud.state, CloudState::Printed | CloudState::Unconfirmed)
}

/// Register and dispatcher tell the same.
fn disagree(trial: &Trial) -> bool {
    (trial.local == Some(JobState::Printed)) != (trial.cloud.state == CloudState::Printed)
}

fn state(told: &Told) -> String {
    match &told.reason {
        Some(reason) => format!("{} {reason}", told.state),
        None => told.state.to_string(),
    }
}

fn story(trial: &Trial, papers: &[Duration]) -> String {
    let Order { shop, taken, deadline, .. } = &trial.order;
    let (cloud, local) = (state(&trial.cloud), trial.local);
    format!("shop {shop}, taken {taken:?}, deadline {deadline:?}, {cloud}, {local:?}, {papers:?}")
}

/// The parts of spells that lie in a span.
fn within(spells: Vec<Range<Duration>>, span: &Range<Duration>) -> Vec<Range<Duration>> {
    let cut = |spell: Range<Duration>| spell.start.max(span.start)..spell.end.min(span.end);
    spells.into_iter().map(cut).filter(|part| part.start < part.end).collect()
}

/// What is left of a stretch.
fn without(stretch: Range<Duration>, gone: &Range<Duration>) -> Vec<Range<Duration>> {
    let before = stretch.start..stretch.end.min(gone.start);
    let after = stretch.start.max(gone.end)..stretch.end;
    [before, after].into_iter().filter(|part| part.start < part.end).collect()
}

#[test]
fn stretches_lose_what_was_gone() {
    let s = Duration::from_secs;
    let spells = vec![s(0)..s(5), s(8)..Duration::MAX];
    assert_eq!(within(spells, &(s(3)..s(20))), [s(3)..s(5), s(8)..s(20)]);
    assert_eq!(without(s(8)..s(20), &(s(10)..s(12))), [s(8)..s(10), s(12)..s(20)]);
    assert_eq!(without(s(8)..s(20), &(s(0)..s(30))), []);
}
