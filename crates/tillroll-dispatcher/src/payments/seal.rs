//! The signature of calls to a channel: HMAC-SHA256 over path, time and body, as webhooks are signed.

use std::time::Duration;

use jiff::Timestamp;
use tillroll_domain::fingerprint::Fingerprint;

use crate::hooks::{self, Signer};

/// The header of the signature.
pub const SIGNATURE: &str = "tillroll-signature";
/// The header of the time it was made at, in whole seconds.
pub const SEALED_AT: &str = "tillroll-timestamp";
/// A call that is older, or newer, is refused.
const FRESH: Duration = Duration::from_secs(5 * 60);

/// Signs calls, and checks what was signed.
#[derive(Debug)]
pub struct Seal(Signer);

impl Seal {
    /// A seal with a secret: `whsec_` and base64.
    ///
    /// # Errors
    /// When it is no secret.
    pub fn of(secret: &str) -> Result<Self, hooks::InvalidSecret> {
        Signer::of(secret).map(Self)
    }

    /// The signature of a call.
    #[must_use]
    pub fn sign(&self, path: &str, at: Timestamp, body: &str) -> String {
        self.0.sign(path, at, body)
    }

    /// Whether a call was signed with the same secret, lately.
    #[must_use]
    pub fn fits(
        &self,
        path: &str,
        sealed_at: &str,
        body: &str,
        sign: &str,
        now: Timestamp,
    ) -> bool {
        let Ok(at) = sealed_at.parse::<i64>() else { return false };
        let Ok(at) = Timestamp::from_second(at) else { return false };
        // Hashed, so that the time of the comparison tells nothing of the right one.
        let same = Fingerprint::of(self.sign(path, at, body).as_bytes())
            == Fingerprint::of(sign.as_bytes());
        same && now.duration_since(at).unsigned_abs() <= FRESH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn call_is_taken_only_as_it_was_signed_and_while_it_is_fresh() {
        let seal = Seal::of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let at = |second| Timestamp::from_second(second).unwrap();
        let sign = seal.sign("/v1/pay", at(1_000), "{}");
        let fits = |path, sealed_at, body, now| seal.fits(path, sealed_at, body, &sign, at(now));
        assert!(fits("/v1/pay", "1000", "{}", 1_300));
        assert!(!fits("/v1/pay", "1000", "{}", 1_301));
        assert!(!fits("/v1/query", "1000", "{}", 1_000));
        assert!(!fits("/v1/pay", "1001", "{}", 1_000));
        assert!(!fits("/v1/pay", "1000", "[]", 1_000));
        assert!(!fits("/v1/pay", "soon", "{}", 1_000));
    }
}
