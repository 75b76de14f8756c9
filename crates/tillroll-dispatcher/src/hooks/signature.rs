//! The signature of a webhook: Standard Webhooks 1.0, symmetric (`v1`).

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha2::Sha256;

/// Standard Webhooks asks for keys of 24 to 64 bytes.
const KEY_BYTES: std::ops::RangeInclusive<usize> = 24..=64;

/// The text is no secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a webhook secret is whsec_ and the base64 of 24 to 64 bytes")]
pub struct InvalidSecret;

/// Signs with a receiver's secret.
pub struct Signer(Hmac<Sha256>);

/// The key is not shown for debugging.
impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer")
    }
}

impl Signer {
    /// A signer with a secret: `whsec_` and base64.
    ///
    /// # Errors
    /// [`InvalidSecret`].
    pub fn of(secret: &str) -> Result<Self, InvalidSecret> {
        let key = secret.strip_prefix("whsec_").ok_or(InvalidSecret)?;
        let key = STANDARD.decode(key).map_err(|_| InvalidSecret)?;
        if !KEY_BYTES.contains(&key.len()) {
            return Err(InvalidSecret);
        }
        Hmac::new_from_slice(&key).map(Self).map_err(|_| InvalidSecret)
    }

    /// The value of `webhook-signature` over id, time in whole seconds, and body.
    #[must_use]
    pub fn sign(&self, id: &str, at: Timestamp, body: &str) -> String {
        let mut mac = self.0.clone();
        mac.update(format!("{id}.{}.{body}", at.as_second()).as_bytes());
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification's reference libraries.
    #[test]
    fn signature_is_the_published_one() {
        let signer = Signer::of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let at = Timestamp::from_second(1_614_265_330).unwrap();
        let signature = signer.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", at, r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn what_is_no_secret_is_refused() {
        for text in ["", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_!", "whsec_c2hvcnQ="] {
            assert_eq!(Signer::of(text).unwrap_err(), InvalidSecret, "{text}");
        }
    }
}
