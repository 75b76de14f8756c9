//! Content codings of bodies (RFC 9110 8.4): a body that was packed is unpacked within a bound, since a few bytes can
//! stand for millions.

use std::io::{self, Read as _};

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use flate2::read::MultiGzDecoder;

/// How a body was packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// Not at all.
    Identity,
    /// With gzip (RFC 1952).
    Gzip,
}

/// Why a body was not unpacked.
#[derive(Debug, thiserror::Error)]
pub enum CodingError {
    /// It was packed in a way that is not known here.
    #[error("Content-Encoding must be gzip or none, not {0:?}")]
    Unknown(String),
    /// It has more than so many bytes.
    #[error("the body is larger than {0} bytes")]
    TooLarge(usize),
    /// It is no gzip.
    #[error("the body is no gzip")]
    Broken(#[source] io::Error),
}

impl Coding {
    /// How the body of a request was packed, as its headers say.
    ///
    /// # Errors
    /// [`CodingError::Unknown`].
    pub fn of(headers: &HeaderMap) -> Result<Self, CodingError> {
        let Some(named) = headers.get(header::CONTENT_ENCODING) else { return Ok(Self::Identity) };
        let named = String::from_utf8_lossy(named.as_bytes());
        match named.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Ok(Self::Identity),
            "gzip" | "x-gzip" => Ok(Self::Gzip),
            _ => Err(CodingError::Unknown(named.into_owned())),
        }
    }

    /// The body as it was, of at most `limit` bytes.
    ///
    /// # Errors
    /// [`CodingError::TooLarge`], [`CodingError::Broken`].
    pub fn unpack(self, body: Bytes, limit: usize) -> Result<Bytes, CodingError> {
        if self == Self::Identity {
            return Ok(body);
        }
        let one_more = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(&*body)
            .take(one_more)
            .read_to_end(&mut unpacked)
            .map_err(CodingError::Broken)?;
        if unpacked.len() > limit {
            return Err(CodingError::TooLarge(limit));
        }
        Ok(unpacked.into())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(body: &[u8]) -> Bytes {
        let mut packing = GzEncoder::new(Vec::new(), Compression::fast());
        packing.write_all(body).unwrap();
        packing.finish().unwrap().into()
    }

    #[test]
    fn packed_body_comes_out_as_it_was() {
        let body = b"{\"a\":1}".repeat(1_000);
        assert_eq!(*Coding::Gzip.unpack(packed(&body), body.len()).unwrap(), *body);
        let plain = Bytes::from_static(b"{}");
        assert_eq!(Coding::Identity.unpack(plain.clone(), 1).unwrap(), plain);
    }

    #[test]
    fn few_bytes_that_stand_for_millions_end_at_the_limit() {
        let bomb = packed(&vec![b' '; 64 << 20]);
        assert!(bomb.len() < 1 << 20);
        let refused = Coding::Gzip.unpack(bomb, 4 << 20);
        assert!(matches!(refused, Err(CodingError::TooLarge(limit)) if limit == 4 << 20));
    }

    #[test]
    fn body_that_is_cut_short_or_no_gzip_is_broken() {
        let whole = packed(b"{\"a\":1}");
        for body in [whole.slice(..whole.len() - 4), Bytes::from_static(b"{\"a\":1}")] {
            assert!(matches!(Coding::Gzip.unpack(body, 99), Err(CodingError::Broken(_))));
        }
    }

    #[test]
    fn coding_is_named_by_the_headers_and_an_unknown_one_refused() {
        let of = |named: &'static str| {
            Coding::of(&HeaderMap::from_iter([(header::CONTENT_ENCODING, named.parse().unwrap())]))
        };
        assert_eq!(Coding::of(&HeaderMap::new()).unwrap(), Coding::Identity);
        assert_eq!(of("identity").unwrap(), Coding::Identity);
        assert_eq!(of(" GZIP").unwrap(), Coding::Gzip);
        assert!(
            matches!(of("gzip, gzip"), Err(CodingError::Unknown(named)) if named == "gzip, gzip")
        );
        assert!(matches!(of("br"), Err(CodingError::Unknown(_))));
    }
}
