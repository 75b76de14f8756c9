//! Who sits at this machine: a cashier, or a manager with the PIN. Both are clients without a token, so
//! that every answer and every opening of the drawer is recorded with who gave it.
//!
//! The PIN is kept as an argon2id hash. Wrong tries in a row lock it, longer each time; see
//! [`tillroll_domain::lock_out`].

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use tillroll_domain::ids::OrderScope;
use tillroll_store::{Client, NewClient, PinTry};

use crate::clients::{draw_token, hash_of};
use crate::problem::{Code, Problem};
use crate::{Access, Register};

/// The client of whoever sits at this machine.
pub(crate) const CASHIER: &str = "cashier";
/// The client of whoever knows the PIN.
pub(crate) const MANAGER: &str = "manager";

const DIGITS: std::ops::RangeInclusive<usize> = 4..=12;

impl Register {
    /// What anyone at this machine may do: answer jobs, move cash, look.
    ///
    /// # Errors
    /// When nothing can be stored.
    pub async fn cashier(&self) -> Result<Access, Problem> {
        self.role(CASHIER, false).await
    }

    /// What whoever knows the PIN may do: everything.
    ///
    /// # Errors
    /// [`Code::WrongPin`], [`Code::PinLocked`] with the time it ends, [`Code::PinUnset`].
    pub async fn manager(&self, pin: &str) -> Result<Access, Problem> {
        let hash = match self.store().try_pin(self.clock().now()).await? {
            PinTry::Against(hash) => hash,
            PinTry::Unset => {
                return Err(Problem::new(Code::PinUnset, "no manager PIN was set yet"));
            }
            PinTry::LockedUntil(until) => return Err(locked(until)),
        };
        let pin = pin.to_owned();
        if !off_the_runtime(move || is_pin_of(&hash, &pin)).await?? {
            return Err(Problem::new(Code::WrongPin, "that is not the manager's PIN"));
        }
        self.store().pin_was_right().await?;
        self.role(MANAGER, true).await
    }

    /// Whether a manager PIN was set.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn has_pin(&self) -> Result<bool, Problem> {
        Ok(self.store().has_pin().await?)
    }

    /// Sets the manager's PIN. Changing one that is set is for a manager.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] unless it is 4 to 12 digits, [`Code::Forbidden`].
    pub async fn set_pin(&self, access: &Access, pin: &str) -> Result<(), Problem> {
        if self.store().has_pin().await? {
            access.manages()?;
        }
        check_pin(pin)?;
        let pin = pin.to_owned();
        let hash = off_the_runtime(move || hash_of_pin(&pin)).await??;
        self.store().put_pin(hash, self.clock().now()).await?;
        tracing::info!(client = access.name(), "the manager PIN was set");
        Ok(())
    }

    /// The client of a role, made when it is not there. Its token is drawn and forgotten: nobody has it.
    async fn role(&self, name: &str, manages: bool) -> Result<Access, Problem> {
        let known = self.store().clients().await?.into_iter().find(|client| client.name == name);
        if let Some(client) = known.filter(|client| is_role(client, manages)) {
            return Ok(Access(client));
        }
        let client = NewClient {
            name: name.to_owned(),
            token_hash: hash_of(&draw_token()?),
            order_scope: OrderScope::Store,
            may_open_drawer: manages,
            may_manage: manages,
        };
        let id = self.store().put_client(client, self.clock().now()).await?;
        Ok(Access(Client {
            id,
            name: name.to_owned(),
            order_scope: OrderScope::Store,
            may_open_drawer: manages,
            may_manage: manages,
            revoked_at: None,
        }))
    }
}

/// Refuses what is no PIN.
pub(crate) fn check_pin(pin: &str) -> Result<(), Problem> {
    let is_pin = DIGITS.contains(&pin.len()) && pin.bytes().all(|byte| byte.is_ascii_digit());
    if is_pin { Ok(()) } else { Err(Problem::value("manager_pin", "must be 4 to 12 digits")) }
}

fn is_role(client: &Client, manages: bool) -> bool {
    client.may_manage == manages && client.may_open_drawer == manages && client.revoked_at.is_none()
}

fn locked(until: jiff::Timestamp) -> Problem {
    let detail = format!("too many wrong PINs; the next try is possible at {until}");
    Problem { retry_at: Some(until), ..Problem::new(Code::PinLocked, detail) }
}

fn hash_of_pin(pin: &str) -> Result<String, Problem> {
    let hash = Argon2::default().hash_password(pin.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|error| fault(&error))
}

fn is_pin_of(hash: &str, pin: &str) -> Result<bool, Problem> {
    let hash = PasswordHash::new(hash).map_err(|error| fault(&error))?;
    match Argon2::default().verify_password(pin.as_bytes(), &hash) {
        Ok(()) => Ok(true),
        Err(argon2::password_hash::Error::PasswordInvalid) => Ok(false),
        Err(error) => Err(fault(&error)),
    }
}

fn fault(error: &impl std::fmt::Display) -> Problem {
    tracing::error!(%error, "a PIN could not be hashed");
    Problem::new(Code::Internal, "the PIN could not be hashed; the log says more")
}

/// Hashing takes its time by design; other requests must not wait for it.
async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(|error| Problem {
        source: Some(Box::new(error)),
        ..Problem::new(Code::Internal, "the PIN could not be hashed")
    })
}
