//! An exhaustive search over dispatcher, network and channel: crashes, lost and repeated messages, any
//! order, late payment, refusals, and a channel that forgets what it saw.
//!
//! The dispatcher is the real [`transition`]; what it makes durable is one row. Every state that the moves
//! reach is looked at, so nothing here is a sample.

use std::collections::HashMap;

use super::*;

/// A message in the network. Calls are numbered, and an answer says which one it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Message {
    Pay(u8),
    Ask(u8),
    Paid(u8),
    Queued(u8),
    Refused(u8),
    NotThere(u8),
}

/// How often each mishap may still happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Mishaps {
    crashes: u8,
    losses: u8,
    repeats: u8,
    refusals: u8,
    forgets: u8,
    retries: u8,
}

/// What is switched off, to see that it is missed.
#[derive(Debug, Clone, Copy, Default)]
struct Off {
    asking: bool,
    dedup: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct World {
    row: Facts,
    /// The call that somebody waits for.
    waiting: Option<u8>,
    calls: u8,
    /// In order, so that the same messages are the same state.
    network: Vec<Message>,
    paid: u8,
    queued: u8,
    /// The channel knows the id of the request as one it took.
    seen: bool,
    left: Mishaps,
}

/// Calls before the dispatcher's time is over.
const CALLS: u8 = 3;
/// Messages under way at the same time.
const NETWORK: usize = 3;

impl World {
    fn new(left: Mishaps) -> Self {
        let row = Facts {
            state: SplitState::Init,
            confirmed: true,
            tries: 0,
            doubtful: false,
            by_hand: false,
        };
        let network = Vec::new();
        Self { row, waiting: None, calls: 0, network, paid: 0, queued: 0, seen: false, left }
    }

    /// The worlds one move away.
    fn next(&self, off: Off) -> Vec<Self> {
        let mut next = Vec::new();
        self.dispatcher(off, &mut next);
        self.network(off, &mut next);
        self.channel(&mut next);
        self.person(&mut next);
        next
    }

    fn dispatcher(&self, off: Off, next: &mut Vec<Self>) {
        if self.waiting.is_some() {
            next.extend(self.heard(Event::Faulted(ChannelFault::Unanswered), off));
            next.extend(self.with(|left| &mut left.crashes).map(|w| Self { waiting: None, ..w }));
        } else if !self.row.state.rests() {
            let event = if self.calls < CALLS { Event::Claim } else { Event::GiveUp };
            next.extend(self.heard(event, off));
        }
        // The reconciliation finds what the channel paid.
        if self.paid > 0 && self.waiting.is_none() && self.row.state.rests() {
            next.extend(self.heard(Event::Paid, off));
        }
    }

    /// The row after an event, and the call that follows.
    fn heard(&self, event: Event, off: Off) -> Option<Self> {
        let change = transition(self.row, event).ok()?;
        let mut world = Self { row: change.facts, waiting: None, ..self.clone() };
        let call = change.call.map(|call| if off.asking { Call::Pay } else { call });
        match call {
            None => Some(world),
            Some(_) if world.network.len() >= NETWORK || world.calls >= CALLS + 2 => None,
            Some(call) => {
                world.calls += 1;
                world.waiting = Some(world.calls);
                world.send(match call {
                    Call::Ask => Message::Ask(world.calls),
                    Call::Pay => Message::Pay(world.calls),
                });
                Some(world)
            }
        }
    }

    fn send(&mut self, message: Message) {
        self.network.push(message);
        self.network.sort_unstable();
    }

    fn network(&self, off: Off, next: &mut Vec<Self>) {
        for place in 0..self.network.len() {
            let message = self.network[place];
            let mut arrived = self.clone();
            arrived.network.remove(place);
            next.extend(arrived.with(|left| &mut left.losses));
            if self.network.len() < NETWORK {
                let mut repeated = self.with(|left| &mut left.repeats);
                repeated.iter_mut().for_each(|world| world.send(message));
                next.extend(repeated);
            }
            arrived.deliver(message, off, next);
        }
    }

    fn deliver(self, message: Message, off: Off, next: &mut Vec<Self>) {
        match message {
            Message::Pay(call) => self.pay(call, off, next),
            Message::Ask(call) => {
                let answer = match (self.paid, self.queued) {
                    (0, 0) => Message::NotThere(call),
                    (0, _) => Message::Queued(call),
                    _ => Message::Paid(call),
                };
                next.push(self.answer(answer));
            }
            Message::Paid(call) => next.push(self.answered(call, Event::Paid, off)),
            Message::Queued(call) => next.push(self.answered(call, Event::Queued, off)),
            Message::NotThere(call) => next.push(self.answered(call, Event::NotThere, off)),
            Message::Refused(call) => {
                let refused = Event::Refused(ChannelRefusal::Frozen);
                next.push(self.answered(call, refused, off));
            }
        }
    }

    /// The channel pays, queues or refuses in one transaction; what it took before it does not take again.
    fn pay(self, call: u8, off: Off, next: &mut Vec<Self>) {
        if self.seen && !off.dedup {
            let answer = if self.paid > 0 { Message::Paid(call) } else { Message::Queued(call) };
            next.push(self.answer(answer));
            return;
        }
        let refused = self.with(|left| &mut left.refusals);
        next.extend(refused.map(|world| world.answer(Message::Refused(call))));
        let taken = Self { seen: true, ..self };
        let queued = Self { queued: taken.queued + 1, ..taken.clone() };
        next.push(queued.answer(Message::Queued(call)));
        let paid = Self { paid: taken.paid + 1, ..taken };
        next.push(paid.answer(Message::Paid(call)));
    }

    fn answer(mut self, answer: Message) -> Self {
        self.send(answer);
        self
    }

    /// Nobody hears an answer to a call that is over.
    fn answered(self, call: u8, event: Event, off: Off) -> Self {
        if self.waiting != Some(call) {
            return self;
        }
        self.heard(event, off).unwrap_or(self)
    }

    fn channel(&self, next: &mut Vec<Self>) {
        if self.queued > 0 {
            next.push(Self { queued: self.queued - 1, paid: self.paid + 1, ..self.clone() });
        }
        // It keeps ids longer than any message travels.
        if self.seen && self.network.is_empty() && self.waiting.is_none() && self.queued == 0 {
            let forgot = self.with(|left| &mut left.forgets);
            next.extend(forgot.map(|world| Self { seen: false, ..world }));
        }
    }

    fn person(&self, next: &mut Vec<Self>) {
        if self.row.state != SplitState::Manual {
            return;
        }
        let asked = |world: &Self, verb| {
            let change = transition(world.row, Event::Asked(verb)).ok()?;
            Some(Self { row: change.facts, ..world.clone() })
        };
        next.extend(asked(self, Verb::Cancel));
        if self.paid > 0 {
            next.extend(asked(self, Verb::Settle));
        }
        let again =
            self.with(|left| &mut left.retries).and_then(|world| asked(&world, Verb::Retry));
        next.extend(again.map(|world| Self { calls: 0, ..world }));
    }

    /// The same world with one mishap less to come; `None` where none is left.
    fn with(&self, mishap: impl Fn(&mut Mishaps) -> &mut u8) -> Option<Self> {
        let mut world = self.clone();
        let left = mishap(&mut world.left);
        *left = left.checked_sub(1)?;
        Some(world)
    }
}

/// What a search found.
#[derive(Debug, Default)]
struct Found {
    worlds: usize,
    paid_twice: bool,
    succeeded_unpaid: bool,
    ends_open: bool,
    goes_round: bool,
}

/// Looks at every world that can be reached, depth first, until something is paid twice. A move back into
/// the path is a circle.
fn search(left: Mishaps, off: Off) -> Found {
    let mut found = Found::default();
    let first = World::new(left);
    let mut stack = vec![(first.clone(), first.next(off))];
    let mut on_path = HashMap::from([(first, true)]);
    while let Some((world, rest)) = stack.last_mut() {
        let Some(next) = rest.pop() else {
            on_path.insert(world.clone(), false);
            stack.pop();
            continue;
        };
        if let Some(on_path) = on_path.get(&next) {
            found.goes_round |= on_path;
            continue;
        }
        let further = next.next(off);
        found.look_at(&next, further.is_empty());
        if found.paid_twice {
            break;
        }
        on_path.insert(next.clone(), true);
        stack.push((next, further));
    }
    found.worlds = on_path.len();
    found
}

impl Found {
    fn look_at(&mut self, world: &World, is_end: bool) {
        let succeeded = world.row.state == SplitState::Succeeded;
        self.paid_twice |= world.paid + world.queued > 1;
        self.succeeded_unpaid |= succeeded && world.paid == 0;
        self.ends_open |= is_end && !(world.row.state.rests() && (succeeded || world.paid == 0));
    }
}

const MISHAPS: Mishaps =
    Mishaps { crashes: 1, losses: 1, repeats: 1, refusals: 1, forgets: 1, retries: 1 };

#[test]
fn nothing_is_paid_twice_and_every_path_ends() {
    let found = search(MISHAPS, Off::default());

    assert!(found.worlds > 10_000, "{found:?}");
    assert!(!found.paid_twice && !found.succeeded_unpaid, "{found:?}");
    assert!(!found.ends_open && !found.goes_round, "{found:?}");
}

#[test]
fn without_asking_and_without_the_channels_memory_something_is_paid_twice() {
    let left = Mishaps { forgets: 0, ..MISHAPS };
    assert!(search(left, Off { asking: true, dedup: true }).paid_twice);
}

#[test]
fn asking_is_missed_once_the_channel_has_forgotten_the_id() {
    assert!(search(MISHAPS, Off { asking: true, dedup: false }).paid_twice);
}

#[test]
fn channels_memory_is_missed_where_a_message_comes_late() {
    assert!(search(MISHAPS, Off { asking: false, dedup: true }).paid_twice);
}
