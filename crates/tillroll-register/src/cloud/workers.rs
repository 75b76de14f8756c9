//! The workers of the head office: started with the register or with a pairing, ended with either.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::civil::Date;
use tillroll_domain::splits::Verb;
use tillroll_store::CloudCredential;
use tillroll_sync::{Cloud, CloudStatus, Connectivity, HttpLink, Link, LinkError, Setup};
use tillroll_wire::day::CloudDay;
use tillroll_wire::split::{SplitAction, SplitDayView, SplitList, SplitView};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use super::RegisterPrinters;
use crate::Register;
use crate::problem::Problem;

/// Whoever looks at a day waits so long for the head office's figures.
const ASK_WITHIN: Duration = Duration::from_millis(800);
/// Whoever has something done there waits so long.
const DONE_WITHIN: Duration = Duration::from_secs(10);
/// Whoever pairs waits so long to see whether the first connection comes.
const FIRST_WORD: Duration = Duration::from_secs(2);
/// What the head office reads as the program that speaks to it.
const PROGRAM: &str = concat!("tillroll ", env!("CARGO_PKG_VERSION"));

/// The place of the workers; at most one set runs.
#[derive(Default)]
pub(crate) struct CloudSeat {
    running: Mutex<Option<CloudWorkers>>,
    changing: tokio::sync::Mutex<()>,
}

/// Running workers, and the way to ask the head office something beside them.
pub(crate) struct CloudWorkers {
    cloud: Cloud,
    office: Arc<dyn Ask>,
    _telling: AbortOnDropHandle<()>,
}

type Asking<'a, T> = Pin<Box<dyn Future<Output = Result<T, LinkError>> + Send + 'a>>;

/// Asks the head office, over whatever link there is.
trait Ask: Send + Sync {
    fn day(&self, day: Date) -> Asking<'_, CloudDay>;
    fn split_day(&self, day: Date) -> Asking<'_, SplitDayView>;
    fn manual_splits(&self) -> Asking<'_, SplitList>;
    fn act_on_split<'a>(
        &'a self,
        id: &'a str,
        verb: Verb,
        action: &'a SplitAction,
    ) -> Asking<'a, SplitView>;
}

struct Over<L>(L);

impl<L: Link> Ask for Over<L> {
    fn day(&self, day: Date) -> Asking<'_, CloudDay> {
        Box::pin(self.0.day(day))
    }

    fn split_day(&self, day: Date) -> Asking<'_, SplitDayView> {
        Box::pin(self.0.split_day(day))
    }

    fn manual_splits(&self) -> Asking<'_, SplitList> {
        Box::pin(self.0.manual_splits())
    }

    fn act_on_split<'a>(
        &'a self,
        id: &'a str,
        verb: Verb,
        action: &'a SplitAction,
    ) -> Asking<'a, SplitView> {
        Box::pin(self.0.act_on_split(id, verb, action))
    }
}

impl CloudSeat {
    /// Pairings are made and ended one at a time.
    pub(crate) async fn changing(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.changing.lock().await
    }

    /// How the workers stand; `None` when none run.
    pub(crate) fn status(&self) -> Option<CloudStatus> {
        self.lock().as_ref().map(|running| running.cloud.status())
    }

    /// Waits, with a limit, until the first connection was made or failed.
    pub(crate) async fn first_word(&self) {
        let watched = self.lock().as_ref().map(|running| running.cloud.watch());
        if let Some(mut status) = watched {
            let known = |status: &CloudStatus| status.connection != Connectivity::Connecting;
            // Without it the status says that it is being made.
            let _ = timeout(FIRST_WORD, status.wait_for(known)).await;
        }
    }

    /// Has the workers try now; false when none run.
    pub(crate) fn retry(&self) -> bool {
        let running = self.lock();
        running.as_ref().inspect(|running| running.cloud.retry()).is_some()
    }

    /// The head office's figures of a day; `None` when it is not asked, or does not answer soon.
    pub(crate) async fn day(&self, day: Date) -> Option<CloudDay> {
        told_soon(self.office()?.day(day)).await
    }

    /// The store's splits of a day; `None` as above.
    pub(crate) async fn split_day(&self, day: Date) -> Option<SplitDayView> {
        told_soon(self.office()?.split_day(day)).await
    }

    /// The store's splits that wait for a person; `None` as above.
    pub(crate) async fn manual_splits(&self) -> Option<SplitList> {
        told_soon(self.office()?.manual_splits()).await
    }

    /// Has a split settled by a person, who waits for it; `None` without a head office.
    pub(crate) async fn act_on_split(
        &self,
        id: &str,
        verb: Verb,
        action: &SplitAction,
    ) -> Option<Result<SplitView, LinkError>> {
        let done = timeout(DONE_WITHIN, self.office()?.act_on_split(id, verb, action)).await;
        Some(done.unwrap_or(Err(LinkError::TimedOut(DONE_WITHIN))))
    }

    fn office(&self) -> Option<Arc<dyn Ask>> {
        self.lock().as_ref().map(|running| Arc::clone(&running.office))
    }

    fn put(&self, workers: Option<CloudWorkers>) -> Option<CloudWorkers> {
        std::mem::replace(&mut *self.lock(), workers)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<CloudWorkers>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An answer for whoever looks at figures.
async fn told_soon<T>(asking: Asking<'_, T>) -> Option<T> {
    match timeout(ASK_WITHIN, asking).await {
        Ok(Ok(told)) => Some(told),
        Ok(Err(error)) => {
            tracing::debug!(%error, "the head office did not tell its figures");
            None
        }
        Err(_) => None,
    }
}

impl Register {
    /// Starts the workers of a paired register over HTTP, in place of those that run. Without a pairing
    /// or its credential nothing is started.
    pub(crate) async fn start_cloud(&self) -> Result<(), Problem> {
        let Some(row) = self.cloud_row().await? else { return Ok(()) };
        let Some(credential) = CloudCredential::load(self.folder())? else {
            tracing::error!(
                "the credential of the head office is gone: this register must be paired again"
            );
            return Ok(());
        };
        let clock = Arc::clone(&self.spooler().context().clock);
        let link = HttpLink::new(&row.url, &credential, &row.store_uid, clock)?;
        self.join_cloud(link).await;
        Ok(())
    }

    /// Starts the workers of a paired register on that link, in place of those that run. They end with the
    /// register.
    pub async fn join_cloud(&self, link: impl Link + Clone) {
        self.end_cloud().await;
        if self.is_stopped() {
            return;
        }
        let context = self.spooler().context();
        let setup = Setup {
            store: self.store().clone(),
            clock: Arc::clone(&context.clock),
            link: link.clone(),
            printers: RegisterPrinters::of(self),
            random: context.random,
            program: PROGRAM.to_owned(),
            timings: self.sync_timings().clone(),
        };
        let cloud = Cloud::start(setup);
        let telling = tokio::spawn(tell(self.store().clone(), cloud.watch()));
        let workers = CloudWorkers {
            cloud,
            office: Arc::new(Over(link)),
            _telling: AbortOnDropHandle::new(telling),
        };
        drop(self.cloud_seat().put(Some(workers)));
        self.tell_cloud_changed();
    }

    /// Ends the workers, within their limit.
    pub(crate) async fn end_cloud(&self) {
        if let Some(workers) = self.cloud_seat().put(None) {
            workers.cloud.stop().await;
        }
    }

    /// Whoever shows the head office looks again.
    pub(crate) fn tell_cloud_changed(&self) {
        self.store().feed().hint(tillroll_store::Hint::Cloud);
    }
}

/// Hints at each change of the status.
async fn tell(store: tillroll_store::Store, mut status: watch::Receiver<CloudStatus>) {
    while status.changed().await.is_ok() {
        store.feed().hint(tillroll_store::Hint::Cloud);
    }
}
