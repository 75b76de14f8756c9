//! Why whoever answered is not believed, from what TLS says of it.
#![expect(clippy::wildcard_enum_match_arm, reason = "what else TLS may say is told in its words")]

use std::error::Error;
use std::io;

use rustls::{CertificateError, InvalidMessage};

use crate::Distrust;

/// What is wrong with the server's certificate, if that is why a request failed. Anything rarer is told in the words
/// of TLS.
pub(super) fn distrust(error: &(dyn Error + 'static)) -> Option<Distrust> {
    match tls_error(error)? {
        rustls::Error::InvalidCertificate(error) => of_certificate(error),
        rustls::Error::InvalidMessage(InvalidMessage::InvalidContentType) => Some(Distrust::NoTls),
        _ => None,
    }
}

fn of_certificate(error: &CertificateError) -> Option<Distrust> {
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            Some(Distrust::Expired)
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            Some(Distrust::NotYetValid)
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            Some(Distrust::OtherName)
        }
        // A signature that is not the issuer's: somebody else signed in its name.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => {
            Some(Distrust::UnknownIssuer)
        }
        _ => None,
    }
}

/// What TLS said, wherever it lies within an error.
fn tls_error<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        // One of the system shows what it was made of as itself, and not as its source.
        next = match error.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificate_that_is_not_believed_is_found_within_an_error_of_the_system() {
        for (told, expected) in [
            (CertificateError::Expired, Some(Distrust::Expired)),
            (CertificateError::NotValidYet, Some(Distrust::NotYetValid)),
            (CertificateError::NotValidForName, Some(Distrust::OtherName)),
            (CertificateError::UnknownIssuer, Some(Distrust::UnknownIssuer)),
            (CertificateError::BadSignature, Some(Distrust::UnknownIssuer)),
            (CertificateError::BadEncoding, None),
        ] {
            let error = rustls::Error::InvalidCertificate(told);
            assert_eq!(distrust(&io::Error::other(io::Error::other(error))), expected);
        }
        assert_eq!(distrust(&io::Error::other("no route")), None);
    }
}
