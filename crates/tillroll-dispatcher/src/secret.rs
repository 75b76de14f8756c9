//! What is drawn at random: credentials, tokens, pairing codes, webhook secrets. Only their hashes are
//! kept, but for webhook secrets, which sign.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::store::TokenHash;

/// The system gives no random bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no random bits")]
pub struct NoRandomBits;

/// SHA-256 suffices for a secret of many random bits: there is nothing to guess.
#[must_use]
pub fn hash_of(secret: &str) -> TokenHash {
    TokenHash(Sha256::digest(secret.as_bytes()).into())
}

/// A register's credential: 256 random bits in hex.
///
/// # Errors
/// [`NoRandomBits`].
pub fn draw_credential() -> Result<String, NoRandomBits> {
    Ok(hex(&draw::<32>()?))
}

/// A business system's token: 256 random bits behind a prefix that searches for leaked secrets know.
///
/// # Errors
/// [`NoRandomBits`].
pub fn draw_token() -> Result<String, NoRandomBits> {
    Ok(format!("trk_{}", URL_SAFE_NO_PAD.encode(draw::<32>()?)))
}

/// A secret that signs webhooks, in the form of Standard Webhooks: `whsec_` and base64.
///
/// # Errors
/// [`NoRandomBits`].
pub fn draw_webhook_secret() -> Result<String, NoRandomBits> {
    Ok(format!("whsec_{}", STANDARD.encode(draw::<32>()?)))
}

/// A store's uid: 128 random bits.
///
/// # Errors
/// [`NoRandomBits`].
pub fn draw_store_uid() -> Result<String, NoRandomBits> {
    Ok(format!("st_{}", hex(&draw::<16>()?)))
}

/// A pay token: the millisecond it was drawn in, so that the newest stand together, and 80 random bits.
///
/// # Errors
/// [`NoRandomBits`].
pub fn draw_pay_token(now: Timestamp) -> Result<String, NoRandomBits> {
    Ok(format!("pt_{:012x}{}", now.as_millisecond().max(0), hex(&draw::<10>()?)))
}

/// Crockford's base32: no I, L, O, U.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A pairing code that people can type: 60 random bits as `XXXX-XXXX-XXXX`.
///
/// # Errors
/// [`NoRandomBits`].
pub fn draw_pairing_code() -> Result<String, NoRandomBits> {
    let mut code = String::new();
    for (n, byte) in draw::<12>()?.into_iter().enumerate() {
        if n > 0 && n % 4 == 0 {
            code.push('-');
        }
        code.push(char::from(ALPHABET[usize::from(byte % 32)]));
    }
    Ok(code)
}

/// The hash of a pairing code however it was typed: case, hyphens and spaces do not count, and what
/// looks alike is alike.
#[must_use]
pub fn hash_of_code(typed: &str) -> TokenHash {
    let plain: String = typed.chars().filter(|c| !matches!(c, '-' | ' ')).map(alike).collect();
    hash_of(&plain)
}

fn alike(typed: char) -> char {
    match typed.to_ascii_uppercase() {
        'O' => '0',
        'I' | 'L' => '1',
        other => other,
    }
}

fn draw<const N: usize>() -> Result<[u8; N], NoRandomBits> {
    let mut bits = [0; N];
    getrandom::fill(&mut bits).map_err(|_| NoRandomBits)?;
    Ok(bits)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_counts_however_it_is_typed() {
        assert_eq!(hash_of_code("AB01-CD2E-FGH1"), hash_of_code("ab oI cd2e-fghl"));
        assert_ne!(hash_of_code("AB01-CD2E-FGH1"), hash_of_code("AB01-CD2E-FGH2"));
    }

    #[test]
    fn secrets_have_their_forms_and_differ() {
        let code = draw_pairing_code().unwrap();
        assert_eq!((code.len(), code.matches('-').count()), (14, 2), "{code}");
        assert_eq!(draw_credential().unwrap().len(), 64);
        assert!(draw_token().unwrap().starts_with("trk_"));
        assert!(draw_webhook_secret().unwrap().starts_with("whsec_"));
        assert_ne!(draw_store_uid().unwrap(), draw_store_uid().unwrap());
        let pay_token = |ms| draw_pay_token(Timestamp::from_millisecond(ms).unwrap()).unwrap();
        assert_eq!(pay_token(1_796_000_000_000).len(), 35);
        assert!(pay_token(1_796_000_000_000) < pay_token(1_796_000_000_001));
    }
}
