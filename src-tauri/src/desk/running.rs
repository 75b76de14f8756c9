//! A running register with its API, and who sits before it.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tillroll_register::problem::Problem;
use tillroll_register::training::SALE_EVERY;
use tillroll_register::view::{AppState, Phase, Unlocked};
use tillroll_register::{Access, Host, HostSettings, Register, RegisterOptions};
use tokio::task::JoinHandle;

use super::manager::Manager;

pub(crate) struct Running {
    register: Register,
    address: SocketAddr,
    host: Mutex<Option<Host>>,
    cashier: Access,
    manager: Mutex<Option<Manager>>,
    sales: Mutex<Option<JoinHandle<()>>>,
}

impl Running {
    pub(super) async fn start(
        folder: &Path,
        options: RegisterOptions,
        host: HostSettings,
    ) -> Result<Self, Problem> {
        let host = Host::start(folder, options, host).await?;
        let register = host.register().clone();
        let cashier = register.cashier().await?;
        Ok(Self {
            register,
            address: host.address(),
            host: Mutex::new(Some(host)),
            cashier,
            manager: Mutex::default(),
            sales: Mutex::default(),
        })
    }

    /// Furnishes a training store and lets sales come.
    pub(super) async fn train(&self, pause: Option<Duration>) -> Result<(), Problem> {
        self.register.furnish_training(&self.cashier).await?;
        let every = pause.unwrap_or(SALE_EVERY);
        let sales = self.register.sell_for_training(self.cashier.clone(), every);
        *self.sales.lock().unwrap_or_else(PoisonError::into_inner) = Some(sales);
        Ok(())
    }

    pub(crate) fn register(&self) -> &Register {
        &self.register
    }

    pub(super) fn cashier(&self) -> &Access {
        &self.cashier
    }

    /// Who sits here now.
    pub(crate) fn access(&self) -> Access {
        self.manager().map_or_else(|| self.cashier.clone(), |manager| manager.access)
    }

    fn manager(&self) -> Option<Manager> {
        let manager = self.manager.lock().unwrap_or_else(PoisonError::into_inner);
        manager.clone().filter(|manager| manager.holds(self.register.clock().boot()))
    }

    pub(crate) async fn unlock(&self, pin: &str) -> Result<Unlocked, Problem> {
        let access = self.register.manager(pin).await?;
        let clock = self.register.clock();
        let manager = Manager::from_now(access, clock.now(), clock.boot());
        let until = manager.until;
        *self.manager.lock().unwrap_or_else(PoisonError::into_inner) = Some(manager);
        Ok(Unlocked { until })
    }

    /// Gives the manager's rights up.
    pub(crate) fn lock(&self) {
        *self.manager.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(super) async fn state(&self, bare: AppState) -> Result<AppState, Problem> {
        let settings = self.register.settings();
        let today = self.register.calendar().day_of(self.register.clock().now());
        Ok(AppState {
            phase: Phase::Running,
            store: settings.store.to_string(),
            register: settings.register.to_string(),
            zone: settings.zone.clone(),
            currency: settings.currency.code().to_owned(),
            locale: settings.locale.clone(),
            today: today.to_string(),
            listening: Some(self.address.to_string()),
            has_pin: self.register.has_pin().await?,
            manager_until: self.manager().map(|manager| manager.until),
            ..bare
        })
    }

    pub(super) async fn stop(&self, within: Duration) {
        let sales = self.sales.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(sales) = sales {
            sales.abort();
        }
        let host = self.host.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(host) = host {
            host.stop(within).await;
        }
    }
}
