//! The tasks that pay and compare, for a configured channel.

use std::sync::Arc;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{HttpChannel, NoChannel, Payer, PaymentFigures, PaymentSettings, Reconciler};
use crate::Engine;
use crate::config::Splits;
use crate::nodes::Duty;
use crate::schedule::SteadyClock;

/// Comparison with the configured channel.
pub(crate) type ChannelReconciler = Reconciler<Engine, HttpChannel>;

/// What paying is made of.
pub(crate) struct PaymentParts {
    pub store: Engine,
    pub clock: SteadyClock,
    pub settings: PaymentSettings,
    pub figures: Arc<PaymentFigures>,
    pub duty: Duty,
    pub random: fn() -> u32,
}

/// The configured channel; `None` where there is none.
pub(crate) fn channel_of(
    config: &Splits,
    clock: &SteadyClock,
) -> Result<Option<HttpChannel>, NoChannel> {
    let seal = config.secret.seal().filter(|_| !config.channel.is_empty());
    seal.map(|seal| HttpChannel::at(&config.channel, seal, clock.clone())).transpose()
}

impl PaymentParts {
    /// Comparison with a channel.
    pub fn reconciler(&self, channel: HttpChannel) -> Arc<ChannelReconciler> {
        Arc::new(Reconciler {
            store: self.store.clone(),
            channel,
            clock: self.clock.clone(),
            settings: self.settings.clone(),
            figures: Arc::clone(&self.figures),
            duty: self.duty.clone(),
        })
    }

    /// Pays and compares until it is stopped.
    pub fn start(
        self,
        channel: HttpChannel,
        reconciler: Arc<ChannelReconciler>,
        ending: &CancellationToken,
    ) -> [JoinHandle<()>; 2] {
        let Self { store, clock, settings, figures, duty, random } = self;
        let payer = Payer { store, channel, clock, settings, figures, duty, random };
        [tokio::spawn(payer.run(ending.clone())), tokio::spawn(compare(reconciler, ending.clone()))]
    }
}

async fn compare(reconciler: Arc<ChannelReconciler>, ending: CancellationToken) {
    reconciler.run(ending).await;
}
