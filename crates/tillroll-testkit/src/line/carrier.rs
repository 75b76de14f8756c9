//! Carries the messages of one direction of a call.

use std::collections::VecDeque;

use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{Instant, sleep, sleep_until};

use super::{Call, WINDOW, Way};

pub(super) struct Carrier<T> {
    call: Call,
    way: Way,
    from: Receiver<T>,
    to: Sender<T>,
    under_way: VecDeque<(Instant, T)>,
    last_at: Instant,
}

impl<T: Clone> Carrier<T> {
    pub(super) fn new(call: Call, way: Way, from: Receiver<T>, to: Sender<T>) -> Self {
        Self { call, way, from, to, under_way: VecDeque::new(), last_at: Instant::now() }
    }

    pub(super) async fn run(mut self) {
        let call = self.call.clone();
        let carried = tokio::select! {
            biased;
            () = call.broken() => false,
            () = self.carry() => true,
        };
        if !carried {
            self.hang().await;
        }
    }

    /// Until one end closes in order.
    async fn carry(&mut self) {
        let mut is_open = true;
        while is_open || !self.under_way.is_empty() {
            let has_room = is_open && self.under_way.len() < WINDOW;
            let next_at = self.under_way.front().map(|(at, _)| *at);
            tokio::select! {
                biased;
                () = reach(next_at) => {
                    let Some((_, message)) = self.under_way.pop_front() else { continue };
                    if self.to.send(message).await.is_err() {
                        return;
                    }
                }
                message = self.from.recv(), if has_room => match message {
                    Some(message) => self.set_off(message),
                    None => is_open = false,
                },
                () = self.to.closed() => return,
            }
        }
    }

    fn set_off(&mut self, message: T) {
        let (way, comes_twice) = {
            let mut state = self.call.line.state();
            (state.way(), state.comes_twice())
        };
        self.last_at = self.last_at.max(Instant::now() + way);
        if comes_twice {
            self.under_way.push_back((self.last_at, message.clone()));
        }
        self.under_way.push_back((self.last_at, message));
    }

    /// A call that broke: each end learns it in its time, and what is sent until then is gone.
    async fn hang(self) {
        let Self { call, way, mut from, to, .. } = self;
        let noticed = call.noticed();
        let (sender, receiver) = match way {
            Way::Up => (noticed.device, noticed.cloud),
            Way::Down => (noticed.cloud, noticed.device),
        };
        let swallow = async move {
            let noticing = sleep(sender);
            tokio::pin!(noticing);
            loop {
                tokio::select! {
                    biased;
                    () = &mut noticing => return,
                    message = from.recv() => if message.is_none() { return },
                }
            }
        };
        let close = async move {
            sleep(receiver).await;
            drop(to);
        };
        tokio::join!(swallow, close);
    }
}

async fn reach(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
