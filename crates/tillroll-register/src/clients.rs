//! Client programs and their tokens: 256 random bits, shown once, kept here only as a hash.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use tillroll_domain::ids::{OrderScope, Part};
use tillroll_store::{Client, NewClient};

use crate::Register;
use crate::problem::{Code, Problem};
use crate::view::ClientView;

/// Name of the file in the data folder that holds the owner's bare token.
pub const TOKEN_FILE: &str = "token";
/// The client made at set-up, with every right.
pub(crate) const OWNER: &str = "owner";

/// Who asks: a client whose token was checked.
#[derive(Debug, Clone)]
pub struct Access(pub(crate) Client);

impl Access {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Refuses a client without the right to manage.
    ///
    /// # Errors
    /// [`Code::Forbidden`].
    pub fn manages(&self) -> Result<(), Problem> {
        let detail = "only a client with the right to manage may do this";
        if self.0.may_manage { Ok(()) } else { Err(Problem::new(Code::Forbidden, detail)) }
    }

    /// Refuses a client without the right to open the drawer.
    pub(crate) fn opens_drawer(&self) -> Result<(), Problem> {
        let detail = "only a client with the right to open the drawer may do this";
        if self.0.may_open_drawer { Ok(()) } else { Err(Problem::new(Code::Forbidden, detail)) }
    }
}

/// A client that was made, with its token: shown now and never again.
#[derive(Debug)]
pub struct MadeClient {
    /// Its name.
    pub name: String,
    /// Its token.
    pub token: String,
}

impl Register {
    /// The client a token belongs to.
    ///
    /// # Errors
    /// [`Code::Unauthorized`] for an unknown or revoked token.
    pub async fn authenticate(&self, token: &str) -> Result<Access, Problem> {
        let hash = hash_of(token);
        if let Some(known) = self.known_access(&hash) {
            return Ok(known);
        }
        let client = self.store().client_by_token(hash).await?;
        let client = client.ok_or_else(|| {
            Problem::new(Code::Unauthorized, "the token is not known to this register")
        })?;
        self.remember_access(hash, Access(client.clone()));
        Ok(Access(client))
    }

    /// Makes a client, or gives one of that name a new token.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] for a name that is no plain name.
    pub async fn make_client(
        &self,
        name: &str,
        order_scope: OrderScope,
        may_open_drawer: bool,
        may_manage: bool,
    ) -> Result<MadeClient, Problem> {
        let name =
            Part::new(name, "name").map_err(|error| Problem::value("name", error.to_string()))?;
        let token = draw_token()?;
        let token_hash = hash_of(&token);
        let name = name.to_string();
        let client =
            NewClient { name: name.clone(), token_hash, order_scope, may_open_drawer, may_manage };
        self.store().put_client(client, self.clock().now()).await?;
        self.forget_access();
        Ok(MadeClient { name, token })
    }

    /// Every client.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn clients(&self) -> Result<Vec<ClientView>, Problem> {
        let clients = self.store().clients().await?;
        Ok(clients.into_iter().map(ClientView::from).collect())
    }

    /// Takes a client's token away.
    ///
    /// # Errors
    /// [`Code::NotFound`] without such a client.
    pub async fn revoke_client(&self, name: &str) -> Result<(), Problem> {
        self.store().revoke_client(name.to_owned(), self.clock().now()).await?;
        self.forget_access();
        Ok(())
    }
}

/// SHA-256 suffices for a token of 256 random bits: there is nothing to guess.
pub(crate) fn hash_of(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

pub(crate) fn draw_token() -> Result<String, Problem> {
    let mut bits = [0_u8; 32];
    getrandom::fill(&mut bits)
        .map_err(|_| Problem::new(Code::Internal, "the system gives no random bits"))?;
    Ok(URL_SAFE_NO_PAD.encode(bits))
}
