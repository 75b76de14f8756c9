//! Clients whose token was checked, so that a sale costs no look-up. Bounded by the number of clients.

use std::collections::BTreeMap;

use crate::Access;

/// Checked tokens by their hash.
#[derive(Default)]
pub(crate) struct KnownClients {
    generation: u64,
    by_hash: BTreeMap<[u8; 32], Access>,
}

impl KnownClients {
    /// The client of a token that was checked, and the generation: it changes whenever a right may have.
    pub fn get(&self, hash: &[u8; 32]) -> (Option<Access>, u64) {
        (self.by_hash.get(hash).cloned(), self.generation)
    }

    /// Keeps what was looked up, unless rights changed since `generation`: a token taken away in the
    /// meantime must not come back.
    pub fn remember(&mut self, generation: u64, hash: [u8; 32], access: Access) {
        if generation == self.generation {
            self.by_hash.insert(hash, access);
        }
    }

    /// Rights changed: every token is looked up again.
    pub fn forget_all(&mut self) {
        self.generation += 1;
        self.by_hash.clear();
    }
}

#[cfg(test)]
mod tests {
    use tillroll_domain::ids::OrderScope;
    use tillroll_store::{Client, ClientId};

    use super::*;

    fn access() -> Access {
        Access(Client {
            id: ClientId(1),
            name: "pos".to_owned(),
            order_scope: OrderScope::Store,
            may_open_drawer: false,
            may_manage: false,
            revoked_at: None,
        })
    }

    #[test]
    fn token_taken_away_during_its_look_up_is_not_remembered() {
        let mut known = KnownClients::default();
        let (_, asked_in) = known.get(&[7; 32]);
        known.forget_all();
        known.remember(asked_in, [7; 32], access());
        let (found, asked_in) = known.get(&[7; 32]);
        assert!(found.is_none());
        known.remember(asked_in, [7; 32], access());
        assert_eq!(known.get(&[7; 32]).0.unwrap().name(), "pos");
    }
}
