//! Registers: pairing codes, and credentials taken away.

use tillroll_domain::clock::Clock as _;
use tillroll_wire::{Code, Problem};

use super::{Admin, PairingMade, RegisterView, invalid, no_bits, part, problem};
use crate::secret;
use crate::store::{DispatcherStore as _, NewPairing};

impl Admin {
    /// Makes a register with a pairing code, or a new code for one that is there. The code is shown this
    /// once.
    ///
    /// # Errors
    /// When there is no such store, the name is none, or nothing can be stored.
    pub async fn add_register(&self, store: &str, register: &str) -> Result<PairingMade, Problem> {
        let register = part("register", register)?;
        let store = self.store(store).await?;
        let code = secret::draw_pairing_code().map_err(no_bits)?;
        let until = self.clock.now().checked_add(self.code_counts_for);
        let until = until.map_err(|error| invalid("pairing_code_s", error))?;
        let hash = secret::hash_of_code(&code);
        let pairing = NewPairing { store: store.no, register, code: hash, until };
        let made = self.store.new_pairing(pairing).await.map_err(problem)?;
        Ok(PairingMade { store: store.uid, register: made.name.to_string(), code, until })
    }

    /// Every register of a store.
    ///
    /// # Errors
    /// When there is no such store, or it cannot be read.
    pub async fn registers(&self, store: &str) -> Result<Vec<RegisterView>, Problem> {
        let store = self.store(store).await?.no;
        let registers = self.store.registers(store).await.map_err(problem)?;
        let drifts = self.store.drifts(store).await.map_err(problem)?;
        Ok(registers.into_iter().map(|register| RegisterView::of(register, &drifts)).collect())
    }

    /// Takes a register's credential away and closes its channel.
    ///
    /// # Errors
    /// When there is no such register, or nothing can be stored.
    pub async fn revoke_register(&self, store: &str, register: &str) -> Result<(), Problem> {
        let store = self.store(store).await?.no;
        let registers = self.store.registers(store).await.map_err(problem)?;
        let known = registers.into_iter().find(|known| known.name.as_str() == register);
        let unknown = || Problem::new(Code::NotFound, format!("there is no register {register:?}"));
        let no = known.ok_or_else(unknown)?.no;
        self.store.revoke_register(no, self.clock.now()).await.map_err(problem)?;
        if let Some(scheduler) = &self.scheduler {
            scheduler.evict(no).await;
        }
        Ok(())
    }
}
