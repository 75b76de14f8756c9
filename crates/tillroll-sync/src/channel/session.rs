//! One connection, from its hello to its end.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::ids::{JobId, Part};
use tillroll_domain::print_job::JobState;
use tillroll_wire::channel::{Down, Hello, JobResult, PrinterReport, Push, Up};
use tillroll_wire::{Code, PROTOCOL, Problem};
use tokio::time::timeout;

use super::Ended;
use super::results::Told;
use crate::context::Context;
use crate::{Announced, Channel, Link, LinkError, Printers, Untaken};

/// Results read at a time.
const RESULTS: usize = 500;

pub(super) struct Session<'a, L, P> {
    context: &'a Context<L, P>,
    channel: Channel,
    announced: Announced,
    told: Told,
    /// Acknowledgements that are not yet noted.
    stored: Vec<(JobId, i64)>,
    /// The boot clock at the welcome.
    welcomed: Option<Duration>,
    acknowledged: bool,
}

impl<'a, L: Link, P: Printers> Session<'a, L, P> {
    pub(super) fn new(context: &'a Context<L, P>, channel: Channel) -> Self {
        Self {
            context,
            channel,
            announced: Announced::default(),
            told: Told::default(),
            stored: Vec::new(),
            welcomed: None,
            acknowledged: false,
        }
    }

    /// Whether it held long enough, or something on it was acknowledged.
    pub(super) fn was_sound(&self) -> bool {
        let now = self.context.clock.boot();
        let held = self.welcomed.map(|since| now.saturating_sub(since));
        self.acknowledged || held.is_some_and(|held| held >= self.context.timings.stable)
    }

    /// Serves the connection to its end.
    pub(super) async fn serve(&mut self) -> Ended {
        match self.greet().await {
            Ok(()) => {}
            Err(ended) => return ended,
        }
        let mut changes = self.context.store.feed().changes();
        let (clock, printers) = (&self.context.clock, &self.context.printers);
        let mut told = self.tell_results().await;
        loop {
            if let Err(ended) = told {
                return ended;
            }
            told = tokio::select! {
                down = self.channel.down.recv() => self.take(heard(down)).await,
                () = printers.changed() => self.tell_printers().await,
                changed = changes.changed() => match changed {
                    Ok(()) => self.tell_results().await,
                    // A store that is gone has no results.
                    Err(_) => Err(LinkError::Dropped(None).into()),
                },
                () = crate::wait::pause(clock.as_ref(), self.context.timings.tell_again) => self.look().await,
            };
        }
    }

    /// Hello and welcome.
    async fn greet(&mut self) -> Result<(), Ended> {
        self.announced = self.context.printers.announced().await;
        self.context.board.show(|status| status.names_taken.clear());
        let asked = self.context.reading();
        let store = &self.context.store;
        let hello = Hello {
            protocol: PROTOCOL,
            installation: store.installation().to_owned(),
            epoch: store.epoch(),
            program: self.context.program.clone(),
            clock: asked,
            printers: self.announced.printers.clone(),
            routes: self.announced.routes.clone(),
        };
        self.say(Up::Hello(hello)).await?;
        let limit = self.context.timings.welcome;
        let welcome = timeout(limit, self.welcome()).await;
        let (now, shares_orders) = welcome.map_err(|_| LinkError::TimedOut(limit))??;
        self.welcomed = Some(self.context.clock.boot());
        self.context.board.online(self.context.clock.now());
        self.context.heard(asked, now).await;
        self.context.heard_sharing(shares_orders).await;
        Ok(())
    }

    /// Waits for the welcome and gives the dispatcher's clock, and whether the store shares its orders. What
    /// comes before it comes again.
    async fn welcome(&mut self) -> Result<(Timestamp, bool), Ended> {
        loop {
            match self.next().await? {
                Down::Welcome { now, shares_orders, .. } => return Ok((now, shares_orders)),
                Down::PrinterNameTaken { name } => self.note_taken(name),
                Down::Push(_) | Down::Status { .. } | Down::Cancel { .. } => {}
                Down::ResultStored { .. } => {}
                Down::Bye { code, detail, retry_after_ms } => {
                    return Err(bye(code, detail, retry_after_ms));
                }
            }
        }
    }

    async fn next(&mut self) -> Result<Down, Ended> {
        heard(self.channel.down.recv().await)
    }

    fn note_taken(&self, name: Part) {
        self.context.board.show(|status| {
            if !status.names_taken.contains(&name) {
                status.names_taken.push(name);
            }
        });
    }

    async fn take(&mut self, down: Result<Down, Ended>) -> Result<(), Ended> {
        match down? {
            Down::Push(push) => self.take_push(push).await?,
            Down::Status { id } => self.answer_status(id).await?,
            Down::Cancel { id } => self.cancel(id).await?,
            Down::ResultStored { id, row_version } => {
                self.acknowledged = true;
                self.stored.push((id, row_version));
            }
            Down::PrinterNameTaken { name } => self.note_taken(name),
            Down::Bye { code, detail, retry_after_ms } => {
                return Err(bye(code, detail, retry_after_ms));
            }
            Down::Welcome { .. } => {}
        }
        self.note_stored().await
    }

    /// Acknowledgements that arrived together are noted in one commit.
    async fn note_stored(&mut self) -> Result<(), Ended> {
        if self.stored.is_empty() || !self.channel.down.is_empty() {
            return Ok(());
        }
        let stored = std::mem::take(&mut self.stored);
        Ok(self.context.store.results_told(stored).await?)
    }

    /// A job of the head office: durable first, then accepted. One that was printed long ago is answered
    /// with its paper.
    async fn take_push(&mut self, push: Push) -> Result<(), Ended> {
        let (id, fingerprint) = (push.id.clone(), push.fingerprint);
        match self.context.printers.take(push).await {
            Ok(()) => {
                self.say(Up::Accepted { id: id.clone(), fingerprint }).await?;
                match self.context.store.job_result(&id).await? {
                    Some(result) if is_result(&result) => self.say(Up::Result(result)).await,
                    Some(_) | None => Ok(()),
                }
            }
            Err(Untaken::Refused { code, detail }) => {
                tracing::warn!(job.id = %id, %code, detail, "a job of the head office is refused");
                self.say(Up::Refused { id, code, detail }).await
            }
            Err(Untaken::NotNow(cause)) => {
                tracing::warn!(job.id = %id, cause, "a job of the head office was not taken");
                Ok(())
            }
        }
    }

    async fn answer_status(&mut self, id: JobId) -> Result<(), Ended> {
        let said = match self.context.store.job_result(&id).await? {
            Some(result) => Up::Result(result),
            None => Up::Unknown { id },
        };
        self.say(said).await
    }

    async fn cancel(&mut self, id: JobId) -> Result<(), Ended> {
        let store = &self.context.store;
        let client = store.cloud().await?.ok_or(Ended::NotPaired)?.client;
        let said = match store.cancel_pushed(&id, client, self.context.clock.now()).await? {
            Some(result) => Up::Result(result),
            None => Up::Unknown { id },
        };
        self.say(said).await
    }

    /// Now and then: what a missed change left behind.
    async fn look(&mut self) -> Result<(), Ended> {
        self.tell_printers().await?;
        self.tell_results().await
    }

    async fn tell_results(&mut self) -> Result<(), Ended> {
        let waiting = self.context.store.results_to_tell(RESULTS).await?;
        let (boot, pause) = (self.context.clock.boot(), self.context.timings.tell_again);
        for result in self.told.due(waiting, boot, pause) {
            self.say(Up::Result(result)).await?;
        }
        Ok(())
    }

    /// Tells what changed of the printers since it was told last.
    async fn tell_printers(&mut self) -> Result<(), Ended> {
        let now = self.context.printers.announced().await;
        let before = std::mem::replace(&mut self.announced, now.clone());
        for report in &before.printers {
            if now.printers.iter().all(|other| other.name != report.name) {
                self.say(Up::PrinterRemoved { name: report.name.clone() }).await?;
            }
        }
        let is_news = |report: &&PrinterReport| !before.printers.contains(report);
        for report in now.printers.iter().filter(is_news) {
            self.say(Up::Printer(report.clone())).await?;
        }
        if now.routes != before.routes {
            self.say(Up::Routes { routes: now.routes }).await?;
        }
        Ok(())
    }

    async fn say(&self, up: Up) -> Result<(), Ended> {
        let limit = self.context.timings.send;
        match timeout(limit, self.channel.up.send(up)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(LinkError::Dropped(None).into()),
            Err(_) => Err(LinkError::TimedOut(limit).into()),
        }
    }
}

fn heard(down: Option<Result<Down, LinkError>>) -> Result<Down, Ended> {
    Ok(down.ok_or(LinkError::Dropped(None))??)
}

fn bye(code: Code, detail: String, retry_after_ms: Option<u64>) -> Ended {
    Ended::Bye(Problem { retry_after_ms, ..Problem::new(code, detail) })
}

/// Whether a job stands where it may stay.
fn is_result(result: &JobResult) -> bool {
    !matches!(result.state, JobState::Pending | JobState::Held | JobState::Printing)
}
