//! A gate before a register's real connections: shut, it is away; what was open breaks. Some messages pass twice.

use jiff::civil::Date;
use tillroll_sync::{Channel, HttpLink, Lane, Link, LinkError};
use tillroll_testkit::{Call, Line};
use tillroll_wire::channel::{Down, Up};
use tillroll_wire::day::CloudDay;
use tillroll_wire::record::{Batch, Verdicts};
use tillroll_wire::repair::{Digests, HourIds};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::history::History;
use crate::without::Copies;

/// Messages between the gate and each side.
const WINDOW: usize = 16;
/// One push in so many comes twice.
const TWICE_ONE_IN: usize = 5;

/// What a register hears of the dispatcher.
type Heard = Result<Down, LinkError>;

/// The dispatcher over HTTP, behind a gate.
#[derive(Clone)]
pub struct Gate {
    pub shop: usize,
    pub http: HttpLink,
    pub line: Line,
    pub history: History,
    /// What its register takes for another job, over all of its connections.
    pub copies: Copies,
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
        let from_register = self.copies.restoring(from_register);
        let (to_register, heard) = channel(WINDOW);
        let (shop, history, copies) = (self.shop, self.history.clone(), self.copies.clone());
        tokio::spawn(async move {
            let no = history.connect(shop);
            tokio::select! {
                () = call.broken() => {}
                () = forward(said, up) => {}
                () = hear(down, to_register, &copies) => {}
            }
            history.disconnect(shop, no);
        });
        Ok(Channel { up: from_register, down: heard })
    }
}

/// Passes on until one side ends.
async fn forward(mut said: Receiver<Up>, up: Sender<Up>) {
    while let Some(message) = said.recv().await {
        if up.send(message).await.is_err() {
            return;
        }
    }
}

/// Passes on what the dispatcher says, some of its pushes twice.
async fn hear(mut down: Receiver<Heard>, to_register: Sender<Heard>, copies: &Copies) {
    let mut pushes = 0;
    while let Some(message) = down.recv().await {
        let mut again = None;
        if let Ok(Down::Push(push)) = &message {
            pushes += 1;
            again = (pushes % TWICE_ONE_IN == 0).then(|| Ok(Down::Push(push.clone())));
        }
        for message in [Some(message), again].into_iter().flatten() {
            let message = message.map(|down| copies.renamed(down));
            if to_register.send(message).await.is_err() {
                return;
            }
        }
    }
}
