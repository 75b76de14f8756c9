//! Orders at a rate through nodes that each have a share of the registers.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use tillroll_testkit::Dice;
use tillroll_tests::scale;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until};

use crate::chain::{Chain, Shop, Till};
use crate::crowd::Crowd;
use crate::platform::Platform;
use crate::program::Program;

/// Which node takes an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Routing {
    /// Any.
    Any,
    /// The one that has the store's registers, as behind a balancer that keeps a store's calls together.
    Store,
}

/// Nodes with connected registers.
pub struct Load {
    crowds: Vec<Crowd>,
    platforms: Vec<Platform>,
    targets: Arc<Vec<Target>>,
    /// Orders so far, of each node's registers.
    sent: Vec<usize>,
    routing: Routing,
    dice: Dice,
}

/// A register, and the node it is connected to.
struct Target {
    shop: Shop,
    till: Till,
    node: usize,
}

impl Load {
    /// Connects the first registers of a chain, one after another to each node.
    pub async fn connect(
        chain: &Chain,
        nodes: &[Program],
        registers: usize,
        routing: Routing,
    ) -> Result<Self> {
        let tills =
            chain.shops.iter().flat_map(|shop| shop.tills.iter().map(move |till| (shop, till)));
        let targets = tills.take(registers).enumerate().map(|(nth, (shop, till))| Target {
            shop: shop.clone(),
            till: till.clone(),
            node: nth % nodes.len(),
        });
        let targets: Vec<Target> = targets.collect();
        let (mut crowds, mut platforms) = (Vec::new(), Vec::new());
        for (no, node) in nodes.iter().enumerate() {
            let own = targets.iter().filter(|target| target.node == no);
            let own = own.map(|target| target.till.clone()).collect();
            crowds.push(Crowd::of_registers(node.address, own).await?);
            platforms.push(Platform::of(chain, node.address)?);
        }
        let (sent, dice) = (vec![0; nodes.len()], Dice::new(1));
        Ok(Self { crowds, platforms, targets: Arc::new(targets), sent, routing, dice })
    }

    /// Sends so many orders a second for a while, numbered from `first` on; all are on paper then. How many.
    pub async fn send(&mut self, rate: u32, length: Duration, first: u32) -> Result<u32> {
        let (began, mut under_way) = (Instant::now(), JoinSet::new());
        let jobs = scale::count(rate * u32::try_from(length.as_secs())?);
        for nth in 0..jobs {
            sleep_until(began + Duration::from_secs(1) * nth / rate).await;
            let target = self.below(self.targets.len())?;
            let home = self.targets[target].node;
            self.sent[home] += 1;
            let node = match self.routing {
                Routing::Any => self.below(self.platforms.len())?,
                Routing::Store => home,
            };
            let platform = self.platforms[node].clone();
            let targets = Arc::clone(&self.targets);
            under_way.spawn(async move {
                let Target { shop, till, .. } = &targets[target];
                platform.order(shop, &till.printer, first + nth).await
            });
        }
        under_way.join_all().await.into_iter().collect::<Result<()>>()?;
        for (crowd, sent) in self.crowds.iter().zip(&self.sent) {
            crowd.until_stored(*sent).await?;
        }
        Ok(jobs)
    }

    fn below(&mut self, count: usize) -> Result<usize> {
        Ok(usize::try_from(self.dice.below(count as u64))?)
    }
}
