//! Connections begin and end.

use std::collections::BTreeSet;

use tillroll_domain::clock::Clock as _;
use tillroll_domain::ids::Part;
use tillroll_wire::channel::Down;
use tillroll_wire::{Code, PROTOCOL};

use super::arrival::Greeting;
use super::load::{Load, Rows};
use super::run::Task;
use crate::job::RegisterNo;
use crate::schedule::board::Session;
use crate::schedule::printer::PrinterName;
use crate::schedule::transition::Event;
use crate::store::DispatcherStore;

/// A register that is told to come back does so within this, drawn at random.
const COME_BACK_MS: u64 = 2_000;

impl<S: DispatcherStore> Task<S> {
    /// A register connects; an earlier connection of it ends.
    pub(super) fn connect(&mut self, greeting: Greeting) {
        let (register, no) = (greeting.register, greeting.no);
        if let Some(session) = self.board.sessions.get(&register) {
            if session.no > no {
                return;
            }
            self.board.send(register, bye(Code::NotAllowed, "a newer connection took over", None));
            self.disconnect(register);
        }
        tracing::info!(?register, "a register connected");
        self.welcome(&greeting);
        let session = Session {
            no,
            incarnation: greeting.incarnation,
            down: greeting.down,
            printers: BTreeSet::new(),
            jobs: BTreeSet::new(),
            lease: greeting.lease,
        };
        self.board.sessions.insert(register, session);
        for report in &greeting.printers {
            self.take_report(register, report);
        }
        self.wanted.push_back(Load { of: (register, no), rows: Rows::AtRegister });
    }

    fn welcome(&self, greeting: &Greeting) {
        let welcome = Down::Welcome {
            protocol: PROTOCOL,
            store_uid: greeting.store_uid.clone(),
            now: self.clock.now(),
            shares_orders: greeting.shares_orders,
        };
        let taken = greeting.taken.iter().map(|name| Down::PrinterNameTaken { name: name.clone() });
        for message in std::iter::once(welcome).chain(taken) {
            // One that does not fit is a register that does not read; it will connect again.
            let _ = greeting.down.try_send(message);
        }
    }

    /// A register's credential no longer counts.
    pub(super) fn evict(&mut self, register: RegisterNo) {
        self.board.send(register, bye(Code::Unauthorized, "the credential was revoked", None));
        self.disconnect(register);
    }

    /// Every job that waits for the register's printers, or was pushed and not accepted, is parked.
    pub(super) fn disconnect(&mut self, register: RegisterNo) {
        let Some(session) = self.board.sessions.remove(&register) else { return };
        tracing::info!(?register, "a register is away");
        for name in &session.printers {
            self.remove_printer(register, name);
        }
        for key in session.jobs {
            if let Some(slot) = self.board.slots.get_mut(&key) {
                slot.at = None;
            }
            self.apply(key, &Event::Parked);
        }
    }

    /// A printer is no longer there; what waited for it is parked.
    pub(super) fn remove_printer(&mut self, register: RegisterNo, name: &Part) {
        for key in self.board.remove_printer(register, name) {
            self.apply(key, &Event::Parked);
            self.batch.touched.insert(key);
        }
        let name = PrinterName { store: register.store, name: name.clone() };
        self.hot.remove(&name);
    }

    /// The last word to everybody: come back, but not all at once.
    pub(super) fn say_bye(&mut self, code: Code, detail: &str) {
        for register in self.board.sessions.keys().copied().collect::<Vec<_>>() {
            let retry = u64::from((self.random)()) % COME_BACK_MS;
            self.board.send(register, bye(code, detail, Some(retry)));
        }
        self.board.sessions.clear();
    }
}

pub(super) fn bye(code: Code, detail: &str, retry_after_ms: Option<u64>) -> Down {
    Down::Bye { code, detail: detail.to_owned(), retry_after_ms }
}
