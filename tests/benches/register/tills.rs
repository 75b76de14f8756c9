//! Till programs that hand over receipts as fast as they are answered, each over its own connection.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Instant;

use anyhow::Result;
use tokio::runtime::Runtime;
use tokio::task::LocalSet;

use crate::client::{Client, Template};
use crate::latencies::Latencies;
use crate::turns::Rival;

/// Several connections driven by the calling thread.
pub struct Tills {
    runtime: Rc<Runtime>,
    clients: Vec<Client>,
    next: Rc<Cell<u64>>,
}

impl Tills {
    /// Connects so many; order numbers come from `next`.
    pub fn connect(
        runtime: &Rc<Runtime>,
        address: SocketAddr,
        template: &Template,
        connections: usize,
        next: &Rc<Cell<u64>>,
    ) -> Result<Self> {
        let connect = || runtime.block_on(Client::connect(address, template.clone()));
        let clients = (0..connections).map(|_| connect()).collect::<Result<_>>()?;
        Ok(Self { runtime: Rc::clone(runtime), clients, next: Rc::clone(next) })
    }

    /// Hands over so many receipts, shared out among the connections.
    pub fn hand_over(&mut self, receipts: u64) -> Result<Latencies> {
        let last = self.next.get() + receipts;
        self.ask_while(move |n| n <= last)
    }

    /// Asks on every connection while `go_on` says so of the next number.
    fn ask_while(&mut self, go_on: impl Fn(u64) -> bool + Clone + 'static) -> Result<Latencies> {
        let tasks = LocalSet::new();
        let asking: Vec<_> = std::mem::take(&mut self.clients)
            .into_iter()
            .map(|client| {
                let numbers = Numbers { next: Rc::clone(&self.next), go_on: go_on.clone() };
                tasks.spawn_local(ask(client, numbers))
            })
            .collect();
        self.runtime.block_on(tasks);
        let mut calls = Latencies::default();
        for asked in asking {
            let (client, mut own) = self.runtime.block_on(asked)??;
            self.clients.push(client);
            calls.append(&mut own);
        }
        Ok(calls)
    }
}

impl Rival for Tills {
    fn work(&mut self, deadline: Instant, calls: &mut Latencies) -> Result<u64> {
        let before = self.next.get();
        calls.append(&mut self.ask_while(move |_| Instant::now() < deadline)?);
        Ok(self.next.get() - before)
    }
}

/// Order numbers, while they are wanted.
struct Numbers<F> {
    next: Rc<Cell<u64>>,
    go_on: F,
}

impl<F: Fn(u64) -> bool> Iterator for Numbers<F> {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let n = self.next.get() + 1;
        (self.go_on)(n).then(|| {
            self.next.set(n);
            n
        })
    }
}

async fn ask(
    mut client: Client,
    numbers: impl Iterator<Item = u64>,
) -> Result<(Client, Latencies)> {
    let mut calls = Latencies::default();
    for n in numbers {
        let begun = Instant::now();
        client.ask(n).await?;
        calls.note(begun.elapsed());
    }
    Ok((client, calls))
}
