//! A temporary store with a register and a virtual printer in this process.

use std::fs;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tillroll_domain::money::Currency;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_domain::receipt::Receipt;
use tillroll_paper::VirtualPrinter;
use tillroll_register::view::{AnswerBody, CashBody, JobView, PrinterBody, PrinterView};
use tillroll_register::{Access, Register, RegisterOptions, TOKEN_FILE};
use tillroll_store::{MovementKind, RegisterSettings};
use tokio::time::timeout;

use super::samples::{LOGO, LOGO_PICTURE};
use crate::failure::Failure;
use crate::shop::Shop;

/// Whatever is waited for happens within this.
const WITHIN: Duration = Duration::from_secs(15);
/// News of a printer that is connected take no longer.
const NEWS_WITHIN: Duration = Duration::from_secs(1);
/// A hint may be missed; the truth is read again after this.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// The name of the printer.
pub(super) const PRINTER: &str = "front";

/// A running register with everything around it.
pub(super) struct Stage {
    register: Register,
    printer: VirtualPrinter,
    access: Access,
    shop: Shop,
    // Removed when the stage is dropped.
    _folder: TempDir,
}

/// A receipt that was sold, with its paper.
pub(super) struct Sold {
    pub job: JobView,
    pub paper: String,
    /// From handing it over to the answer.
    pub answered: Duration,
    /// From handing it over to the cut.
    pub printed: Duration,
}

impl Stage {
    /// Sets a store up.
    pub(super) async fn open(
        store: &str,
        zone: &str,
        currency: Currency,
        locale: &str,
    ) -> Result<Self, Failure> {
        let settings = RegisterSettings {
            store: store.parse().map_err(Failure::demo)?,
            register: "R1".parse().map_err(Failure::demo)?,
            zone: zone.to_owned(),
            cutoff: "04:00".to_owned(),
            currency,
            locale: locale.to_owned(),
        };
        let shop = Shop::of(settings.clone())?;
        let made = tempfile::Builder::new().prefix("tillroll-demo-").tempdir();
        let folder = made.map_err(Failure::file("make", "a temporary folder"))?;
        Register::init(folder.path(), settings).await?;
        put_logo(folder.path())?;
        let register = Register::start(folder.path(), RegisterOptions::default()).await?;
        let token = fs::read_to_string(folder.path().join(TOKEN_FILE));
        let token = token.map_err(Failure::file("read", "the token"))?;
        let access = register.authenticate(&token).await.map_err(Failure::demo)?;
        let uri = Some(format!("virtual:{PRINTER}"));
        let body = PrinterBody { uri, ..PrinterBody::default() };
        register.add_printer(PRINTER, &body).await.map_err(Failure::demo)?;
        let printer = register.virtual_printer(PRINTER);
        let printer = printer.ok_or_else(|| Failure::demo("there is no virtual printer"))?;
        Ok(Self { register, printer, access, shop, _folder: folder })
    }

    /// Stops the register.
    pub(super) async fn close(self) {
        self.register.stop().await;
    }

    pub(super) fn store(&self) -> &str {
        self.register.settings().store.as_str()
    }

    pub(super) fn register(&self) -> &Register {
        &self.register
    }

    pub(super) fn access(&self) -> &Access {
        &self.access
    }

    pub(super) fn printer(&self) -> &VirtualPrinter {
        &self.printer
    }

    pub(super) fn shop(&self) -> &Shop {
        &self.shop
    }

    /// Puts the float into the drawer.
    pub(super) async fn put_float(&self, amount_minor: i64) -> Result<(), Failure> {
        let body = CashBody { kind: MovementKind::Float, amount_minor, reason: None };
        let moved = self.register.move_cash(&self.access, self.today(), &body).await;
        moved.map_err(Failure::demo)
    }

    /// The business day that runs.
    pub(super) fn today(&self) -> jiff::civil::Date {
        self.register.calendar().day_of(self.register.clock().now())
    }

    /// Hands a receipt over; its id.
    pub(super) async fn submit(&self, receipt: &Receipt) -> Result<String, Failure> {
        let body = serde_json::to_vec(receipt)?;
        let accepted = self.register.submit(&self.access, &body).await;
        Ok(accepted.map_err(Failure::demo)?.id)
    }

    /// Hands a receipt over and waits for its paper and its proof.
    pub(super) async fn sell(&self, receipt: &Receipt) -> Result<Sold, Failure> {
        let (begun, before) = (Instant::now(), self.printer.cut_tickets());
        let id = self.submit(receipt).await?;
        let answered = begun.elapsed();
        let paper = self.next_paper(before).await?;
        let printed = begun.elapsed();
        let job = self.wait_for(&id, JobState::Printed).await?;
        Ok(Sold { job, paper, answered, printed })
    }

    /// The next ticket after so many.
    pub(super) async fn next_paper(&self, before: u64) -> Result<String, Failure> {
        let wait = self.printer.wait_until(WITHIN, |printer| printer.cut_tickets() > before);
        wait.await.map_err(Failure::demo)?;
        let ticket = self.printer.tickets_after(before).into_iter().next();
        Ok(ticket.map(|ticket| ticket.text()).unwrap_or_default())
    }

    /// Answers a job as a clerk does.
    pub(super) async fn answer(&self, id: &str, verb: Verb) -> Result<JobView, Failure> {
        let body = AnswerBody::default();
        self.register.answer(&self.access, id, verb, &body).await.map_err(Failure::demo)
    }

    /// Waits until a job is in that state.
    pub(super) async fn wait_for(&self, id: &str, state: JobState) -> Result<JobView, Failure> {
        self.wait_until(async || {
            let job = self.register.job(id).await.map_err(Failure::demo)?.job;
            Ok((job.state == state).then_some(job))
        })
        .await
    }

    /// A printer with an open connection tells its news by itself; one without is asked before a job.
    pub(super) async fn let_news_arrive(&self) {
        // Without news the scene goes on all the same.
        let _ = timeout(NEWS_WITHIN, self.wait_for_cause()).await;
    }

    /// Waits until the printer shows a cause for not printing.
    pub(super) async fn wait_for_cause(&self) -> Result<PrinterView, Failure> {
        self.wait_until(async || {
            let printer = self.register.printer(PRINTER).await.map_err(Failure::demo)?;
            Ok(printer.reason.or(printer.mid_job_cause).is_some().then_some(printer))
        })
        .await
    }

    /// Looks whenever something changed, until there is what is waited for.
    async fn wait_until<T>(
        &self,
        look: impl AsyncFn() -> Result<Option<T>, Failure>,
    ) -> Result<T, Failure> {
        let mut hints = self.register.store().feed().listen();
        let wait = async {
            loop {
                if let Some(found) = look().await? {
                    return Ok(found);
                }
                // A hint and its absence both end in another look.
                let _ = timeout(LOOK_AGAIN, hints.recv()).await;
            }
        };
        let late = |_| Failure::demo(format!("it took longer than {WITHIN:?}"));
        timeout(WITHIN, wait).await.map_err(late)?
    }
}

fn put_logo(folder: &std::path::Path) -> Result<(), Failure> {
    let logos = folder.join("logos");
    let put =
        || fs::create_dir_all(&logos).and_then(|()| fs::write(logos.join(LOGO), LOGO_PICTURE));
    put().map_err(Failure::file("write to", &logos))
}
