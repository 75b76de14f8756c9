//! The head office: pairing, how the register stands with it, and the workers that keep in touch.
//!
//! Invariants:
//! - The workers run while the register runs and is paired, and end before its store closes.
//! - The credential is saved before anything else is done with it: it is issued once.

mod day;
mod printers;
mod records;
mod workers;

use tillroll_store::{CloudCredential, CloudRow, NewCloud, StoreError};
use tillroll_sync::{LinkError, PairError, check_url};
use tillroll_wire::PROTOCOL;
use tillroll_wire::pairing::{PairBody, Paired};

pub(crate) use self::day::CloudFigures;
pub use self::printers::RegisterPrinters;
pub(crate) use self::workers::CloudSeat;
use crate::problem::{Code, Problem};
use crate::view::{CloudStatusView, PairCloudBody};
use crate::{Access, Register};

/// The longest pairing code that is sent on.
const CODE_MOST: usize = 100;

impl Register {
    /// Pairs this register with a head office by a one-time code, in place of an earlier pairing.
    ///
    /// # Errors
    /// [`Code::Forbidden`]; [`Code::InvalidValue`] for an address or code that cannot be used;
    /// [`Code::CloudRefused`], [`Code::CloudUnreachable`].
    pub async fn pair(
        &self,
        access: &Access,
        body: &PairCloudBody,
    ) -> Result<CloudStatusView, Problem> {
        access.manages()?;
        let url = body.url.trim();
        check_url(url).map_err(|error| Problem::value("url", error.to_string()))?;
        let code = body.code.trim();
        if code.is_empty() || code.len() > CODE_MOST {
            return Err(Problem::value("code", "must be the code that the head office shows"));
        }
        let _changing = self.cloud_seat().changing().await;
        let paired = tillroll_sync::pair(url, &self.pair_body(code)).await?;
        tracing::info!(client = access.name(), url, "paired with the head office");
        self.keep_pairing(url, paired).await?;
        self.start_cloud().await?;
        self.cloud_seat().first_word().await;
        self.cloud().await
    }

    fn pair_body(&self, code: &str) -> PairBody {
        PairBody {
            protocol: PROTOCOL,
            code: code.to_owned(),
            store: self.settings().store.clone(),
            register: self.settings().register.clone(),
            installation: self.store().installation().to_owned(),
        }
    }

    async fn keep_pairing(&self, url: &str, paired: Paired) -> Result<(), Problem> {
        CloudCredential::new(paired.credential).save(self.folder())?;
        if let Some(last) = paired.last {
            self.store().go_on_above(last.flow_no, last.z_no).await?;
        }
        let cloud = NewCloud {
            url: url.to_owned(),
            store_uid: paired.store_uid,
            store_name: paired.store_name,
        };
        match self.store().pair_cloud(cloud, self.clock().now()).await {
            Err(StoreError::Taken { name, .. }) => {
                let detail = format!(
                    "a client program is called {name:?}, which is the head office's name: revoke it, then pair with a new code"
                );
                Err(Problem::new(Code::Taken, detail))
            }
            kept => Ok(kept?),
        }
    }

    /// Forgets the head office. Records wait for the next pairing.
    ///
    /// # Errors
    /// [`Code::Forbidden`], or when it cannot be stored.
    pub async fn unpair(&self, access: &Access) -> Result<(), Problem> {
        access.manages()?;
        let _changing = self.cloud_seat().changing().await;
        self.end_cloud().await;
        self.store().unpair_cloud().await?;
        CloudCredential::forget(self.folder())?;
        self.tell_cloud_changed();
        tracing::info!(client = access.name(), "the pairing with the head office was ended");
        Ok(())
    }

    /// How the register stands with the head office.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn cloud(&self) -> Result<CloudStatusView, Problem> {
        let outbox = self.store().outbox_counts().await?;
        let Some(row) = self.store().cloud().await? else {
            return Ok(CloudStatusView::unpaired(outbox));
        };
        Ok(CloudStatusView::of(row, self.cloud_seat().status(), outbox))
    }

    /// Asks for a connection now, also after a refusal.
    ///
    /// # Errors
    /// [`Code::NotAllowed`] when this register is not paired.
    pub async fn retry_cloud(&self) -> Result<CloudStatusView, Problem> {
        if !self.cloud_seat().retry() {
            return Err(Problem::new(Code::NotAllowed, "this register is not paired"));
        }
        self.cloud().await
    }

    pub(crate) async fn cloud_row(&self) -> Result<Option<CloudRow>, Problem> {
        Ok(self.store().cloud().await?)
    }
}

impl From<PairError> for Problem {
    fn from(error: PairError) -> Self {
        let detail = error.to_string();
        match &error {
            PairError::Url(_) => Self::value("url", detail),
            PairError::Refused(refused) if refused.code == tillroll_wire::Code::PairingCode => {
                let must =
                    "is unknown, used, too old, or of another store or register: ask for a new one";
                Self::value("code", must)
            }
            PairError::Refused(_) => Self::caused(Code::CloudRefused, error),
            PairError::Link(_) => Self::caused(Code::CloudUnreachable, error),
            _ => Self::caused(Code::Internal, error),
        }
    }
}

impl From<LinkError> for Problem {
    fn from(error: LinkError) -> Self {
        Self::caused(Code::CloudUnreachable, error)
    }
}
