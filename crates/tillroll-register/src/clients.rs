//! Client programs and their tokens: 256 random bits, shown once, kept here only as a hash.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use tillroll_domain::ids::Part;
use tillroll_store::{CLOUD_CLIENT, Client, NewClient};

use crate::Register;
use crate::problem::{Code, Problem};
use crate::roles::{CASHIER, MANAGER};
use crate::view::{ClientBody, ClientMade, ClientView};

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

impl Register {
    /// The client a token belongs to.
    ///
    /// # Errors
    /// [`Code::Unauthorized`] for an unknown or revoked token.
    pub async fn authenticate(&self, token: &str) -> Result<Access, Problem> {
        let hash = hash_of(token);
        let (known, generation) = self.access().get(&hash);
        if let Some(access) = known {
            return Ok(access);
        }
        let client = self.store().client_by_token(hash).await?;
        let access = client.map(Access).ok_or_else(|| {
            Problem::new(Code::Unauthorized, "the token is not known to this register")
        })?;
        self.access().remember(generation, hash, access.clone());
        Ok(access)
    }

    /// Makes a client, or gives one of that name a new token.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] for a name that is no plain name, [`Code::NotAllowed`] for a name the
    /// register keeps for itself.
    pub async fn make_client(&self, body: &ClientBody) -> Result<ClientMade, Problem> {
        let name = Part::new(&body.name, "name");
        let name = name.map_err(|error| Problem::value("name", error.to_string()))?.to_string();
        keeps_own(&name)?;
        let token = draw_token()?;
        let client = NewClient {
            name: name.clone(),
            token_hash: hash_of(&token),
            order_scope: body.order_scope,
            may_open_drawer: body.may_open_drawer,
            may_manage: body.may_manage,
        };
        self.store().put_client(client, self.clock().now()).await?;
        self.access().forget_all();
        Ok(ClientMade { name, token })
    }

    /// Every client program; the roles of the people at this machine and the head office are none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn clients(&self) -> Result<Vec<ClientView>, Problem> {
        let clients = self.store().clients().await?;
        let programs = clients
            .into_iter()
            .filter(|client| ![CASHIER, MANAGER, CLOUD_CLIENT].contains(&client.name.as_str()));
        Ok(programs.map(ClientView::from).collect())
    }

    /// Takes a client's token away.
    ///
    /// # Errors
    /// [`Code::NotFound`] without such a client, [`Code::NotAllowed`] for one the
    /// register keeps for itself.
    pub async fn revoke_client(&self, name: &str) -> Result<(), Problem> {
        keeps_own(name)?;
        self.store().revoke_client(name.to_owned(), self.clock().now()).await?;
        self.access().forget_all();
        Ok(())
    }
}

/// The owner's token lies in the data folder and lets the command line in, and the roles at this machine
/// have none: they stay as they are.
fn keeps_own(name: &str) -> Result<(), Problem> {
    match name {
        OWNER => {
            Err(Problem::new(Code::NotAllowed, "the owner's token is that of the data folder"))
        }
        CASHIER | MANAGER => {
            Err(Problem::new(Code::NotAllowed, "this name is kept for the people at the register"))
        }
        CLOUD_CLIENT => {
            Err(Problem::new(Code::NotAllowed, "this name is kept for the head office"))
        }
        _ => Ok(()),
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
