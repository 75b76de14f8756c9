//! The network between a register and the dispatcher, behind the register's own seam: calls over a line, and
//! what happens at their two ends.

use jiff::civil::Date;
use tillroll_dispatcher::channel::{Connection, bye};
use tillroll_dispatcher::sqlite::SqliteStore;
use tillroll_dispatcher::store::{Credential, DispatcherStore as _, StoreError, Stored, TokenHash};
use tillroll_sync::{Channel, Lane, Link, LinkError};
use tillroll_testkit::{Call, Line, Way};
use tillroll_wire::channel::{Down, Up};
use tillroll_wire::day::CloudDay;
use tillroll_wire::record::{Batch, Verdicts};
use tillroll_wire::repair::{Digests, HourIds};
use tillroll_wire::{Code, Problem};
use tokio::sync::mpsc;

use crate::cloud::{Cloud, Node};
use crate::history::History;
use crate::plan::Without;
use crate::without::{self, Copies};

/// Messages between the schedule and the socket it thinks it has.
const WINDOW: usize = 256;

/// A register's way to the dispatcher.
#[derive(Clone)]
pub struct ShopLink {
    pub shop: usize,
    pub line: Line,
    pub cloud: Cloud,
    pub credential: TokenHash,
    pub history: History,
    pub without: Without,
}

impl ShopLink {
    async fn reach(&self) -> Result<(Call, Node), LinkError> {
        let unreachable =
            |why: Box<dyn std::error::Error + Send + Sync>| LinkError::Unreachable(why);
        let call = self.line.dial().await.map_err(|broken| unreachable(broken.into()))?;
        let node = self.cloud.node().ok_or_else(|| unreachable("connection refused".into()))?;
        Ok((call, node))
    }

    /// A question on a connection of its own, and its answer. The work is done even if the answer gets
    /// lost.
    async fn ask<T, F: Future<Output = Stored<T>> + Send>(
        &self,
        work: impl FnOnce(Node, Credential) -> F + Send,
    ) -> Result<T, LinkError> {
        let (call, node) = self.reach().await?;
        let dropped =
            |broken: tillroll_testkit::line::Broken| LinkError::Dropped(Some(broken.into()));
        call.pass().await.map_err(dropped)?;
        let known = node.store.register_of(self.credential).await.map_err(unavailable)?;
        let credential = known.ok_or_else(unauthorized)?;
        let done = work(node, credential).await.map_err(unavailable);
        call.pass().await.map_err(dropped)?;
        done
    }
}

fn unauthorized() -> LinkError {
    LinkError::Refused(Problem::new(Code::Unauthorized, "no such credential"))
}

#[expect(clippy::needless_pass_by_value, reason = "stands where an error is mapped")]
fn unavailable(error: StoreError) -> LinkError {
    LinkError::Refused(Problem::new(Code::Unavailable, error.to_string()))
}

impl Link for ShopLink {
    async fn send_records(&self, batch: &Batch, _lane: Lane) -> Result<Verdicts, LinkError> {
        let batch = batch.clone();
        self.ask(|node, from| async move {
            let now = node.scheduler.now();
            let verdicts = node.store.take_records(from.register.no, batch, now).await?;
            Ok(Verdicts { now, verdicts, shares_orders: false })
        })
        .await
    }

    async fn digests(&self, ours: Digests) -> Result<Digests, LinkError> {
        self.ask(|node, from| async move {
            node.store.digests(from.register.no, ours.from, ours.to).await
        })
        .await
    }

    async fn hour_ids(&self, hour: i64) -> Result<HourIds, LinkError> {
        self.ask(|node, from| async move { node.store.hour_ids(from.register.no, hour).await })
            .await
    }

    async fn day(&self, day: Date) -> Result<CloudDay, LinkError> {
        self.ask(|node, from| async move { node.store.register_day(from.register.no, day).await })
            .await
    }

    async fn open_channel(&self) -> Result<Channel, LinkError> {
        self.history.dials(self.shop);
        let (call, node) = self.reach().await?;
        let (up, up_there) = call.carry(Way::Up);
        let (down_there, mut down) = call.carry(Way::Down);
        let far = Far { link: self.clone(), call, node };
        tokio::spawn(far.serve(up_there, down_there));
        let (to_register, from_cloud) = mpsc::channel(1);
        let copies = Copies::of(self.without);
        let up = copies.restoring(up);
        tokio::spawn(async move {
            while let Some(message) = down.recv().await {
                if to_register.send(Ok(copies.renamed(message))).await.is_err() {
                    return;
                }
            }
        });
        Ok(Channel { up, down: from_cloud })
    }
}

/// The dispatcher's end of a channel.
struct Far {
    link: ShopLink,
    call: Call,
    node: Node,
}

impl Far {
    /// From the hello to the end.
    async fn serve(self, mut up: mpsc::Receiver<Up>, down: mpsc::Sender<Down>) {
        let Some(Up::Hello(hello)) = up.recv().await else { return };
        let known = self.node.store.register_of(self.link.credential).await;
        let Ok(Some(credential)) = known else { return };
        let (to_socket, from_schedule) = mpsc::channel(WINDOW);
        let hello = without::hello(self.link.without, hello);
        match self.node.scheduler.connect(credential, hello, to_socket).await {
            Ok(connection) => self.carry(connection, up, (from_schedule, down)).await,
            Err(problem) => drop(down.send(bye(&problem)).await),
        }
    }

    async fn carry(
        self,
        mut connection: Connection<SqliteStore>,
        mut up: mpsc::Receiver<Up>,
        (mut from_schedule, down): (mpsc::Receiver<Down>, mpsc::Sender<Down>),
    ) {
        let Self { link, call, .. } = self;
        let no = link.history.connect(link.shop);
        let watched = {
            let (link, call) = (link.clone(), call.clone());
            tokio::spawn(async move {
                call.broken().await;
                link.history.disconnect(link.shop, no);
            })
        };
        let ups = async {
            while let Some(message) = up.recv().await {
                link.history.note(format_args!("up {} {}", link.shop, said(&message)));
                if connection.receive(without::report(link.without, message)).await.is_err() {
                    return;
                }
            }
            without::notice(link.without).await;
        };
        let downs = async {
            while let Some(message) = from_schedule.recv().await {
                if let Down::Push(push) = &message {
                    link.history.pushed(link.shop, &push.id);
                }
                // Into a call that broke: nobody hears it.
                let _ = down.send(message).await;
            }
        };
        tokio::select! {
            biased;
            () = downs => {}
            () = ups => {}
        }
        watched.abort();
        link.history.disconnect(link.shop, no);
    }
}

fn said(message: &Up) -> String {
    match message {
        Up::Hello(_) => "hello".to_owned(),
        Up::Printer(report) => format!("printer ready={}", report.ready),
        Up::PrinterRemoved { .. } => "printer removed".to_owned(),
        Up::Routes { .. } => "routes".to_owned(),
        Up::Accepted { id, .. } => format!("accepted {id}"),
        Up::Refused { id, code, .. } => format!("refused {id} {code}"),
        Up::Result(result) => format!("{} {} v{}", result.state, result.id, result.row_version),
        Up::Unknown { id } => format!("unknown {id}"),
    }
}
