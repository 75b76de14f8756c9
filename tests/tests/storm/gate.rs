//! A gate before a register's real connections: shut, it is away; what was open breaks.

use jiff::civil::Date;
use tillroll_sync::{Channel, HttpLink, Lane, Link, LinkError};
use tillroll_testkit::{Call, Line};
use tillroll_wire::day::CloudDay;
use tillroll_wire::record::{Batch, Verdicts};
use tillroll_wire::repair::{Digests, HourIds};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::history::History;

/// Messages between the gate and each side.
const WINDOW: usize = 16;

/// The dispatcher over HTTP, behind a gate.
#[derive(Clone)]
pub struct Gate {
    pub shop: usize,
    pub http: HttpLink,
    pub line: Line,
    pub history: History,
}

impl Gate {
    async fn pass<T>(
        &self,
        asking: impl Future<Output = Result<T, LinkError>>,
    ) -> Result<T, LinkError> {
        let call = self.dial().await?;
        tokio::select! {
            () = call.broken() => Err(LinkError::Dropped(None)),
            answer = asking => answer,
        }
    }

    async fn dial(&self) -> Result<Call, LinkError> {
        self.line.dial().await.map_err(|broken| LinkError::Unreachable(broken.into()))
    }
}

impl Link for Gate {
    async fn send_records(&self, batch: &Batch, lane: Lane) -> Result<Verdicts, LinkError> {
        self.pass(self.http.send_records(batch, lane)).await
    }

    async fn digests(&self, ours: Digests) -> Result<Digests, LinkError> {
        self.pass(self.http.digests(ours)).await
    }

    async fn hour_ids(&self, hour: i64) -> Result<HourIds, LinkError> {
        self.pass(self.http.hour_ids(hour)).await
    }

    async fn day(&self, day: Date) -> Result<CloudDay, LinkError> {
        self.pass(self.http.day(day)).await
    }

    async fn open_channel(&self) -> Result<Channel, LinkError> {
        self.history.dials(self.shop);
        let call = self.dial().await?;
        let Channel { up, down } = self.pass(self.http.open_channel()).await?;
        let (from_register, said) = channel(WINDOW);
        let (to_register, heard) = channel(WINDOW);
        let (shop, history) = (self.shop, self.history.clone());
        tokio::spawn(async move {
            let no = history.connect(shop);
            tokio::select! {
                () = call.broken() => {}
                () = forward(said, up) => {}
                () = forward(down, to_register) => {}
            }
            history.disconnect(shop, no);
        });
        Ok(Channel { up: from_register, down: heard })
    }
}

/// Passes on until one side ends.
async fn forward<T>(mut from: Receiver<T>, to: Sender<T>) {
    while let Some(message) = from.recv().await {
        if to.send(message).await.is_err() {
            return;
        }
    }
}
