//! Where Redis is reached, as it is configured.

use std::fmt;
use std::str::FromStr;

use redis::{ConnectionInfo, IntoConnectionInfo as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where Redis is reached: at one address a server, at several a Redis Cluster, of which they are a few
/// servers; none is no Redis. An address may hold a password, so none is shown whole.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RedisAddresses(Vec<String>);

/// An address that is none of Redis.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("address {place} is not one of Redis, as redis://host:6379: {detail}")]
pub struct InvalidRedisAddress {
    /// Its place in the list, from 1.
    pub place: usize,
    /// What is wrong with it.
    pub detail: String,
}

impl RedisAddresses {
    /// Whether there is no Redis.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every address can be used.
    ///
    /// # Errors
    /// [`InvalidRedisAddress`] for the first that cannot.
    pub fn check(&self) -> Result<(), InvalidRedisAddress> {
        self.read().map(drop)
    }

    /// What the addresses say.
    pub(super) fn read(&self) -> Result<Vec<ConnectionInfo>, InvalidRedisAddress> {
        let read = |(place, address): (usize, &String)| {
            let invalid =
                |detail: &str| InvalidRedisAddress { place: place + 1, detail: detail.to_owned() };
            if address.starts_with("rediss:") {
                return Err(invalid("TLS is not spoken to Redis"));
            }
            address.as_str().into_connection_info().map_err(|error| invalid(error.category()))
        };
        self.0.iter().enumerate().map(read).collect()
    }
}

impl<A: Into<String>> FromIterator<A> for RedisAddresses {
    fn from_iter<I: IntoIterator<Item = A>>(addresses: I) -> Self {
        Self(addresses.into_iter().map(Into::into).collect())
    }
}

/// Addresses with commas between them.
impl FromStr for RedisAddresses {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        Ok(parts.collect())
    }
}

impl fmt::Debug for RedisAddresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let read = self.read().unwrap_or_default();
        f.debug_list().entries(read.iter().map(|info| info.addr().to_string())).finish()
    }
}

impl Serialize for RedisAddresses {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.join(","))
    }
}

impl<'de> Deserialize<'de> for RedisAddresses {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "an address of Redis, or a list of them")]
        enum Written {
            Text(String),
            List(Vec<String>),
        }
        Ok(match Written::deserialize(deserializer)? {
            Written::Text(text) => text.parse().unwrap_or_default(),
            Written::List(list) => list.into_iter().collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(text: &str) -> RedisAddresses {
        text.parse().unwrap()
    }

    #[test]
    fn text_and_list_say_the_same() {
        #[derive(Deserialize)]
        struct File {
            redis: RedisAddresses,
        }
        let read = |text: &str| toml::from_str::<File>(text).unwrap().redis;
        let two = addresses("redis://a, redis://b:7000");
        assert_eq!(read("redis = 'redis://a,redis://b:7000'"), two);
        assert_eq!(read("redis = ['redis://a', 'redis://b:7000']"), two);
        assert!(read("redis = ''").is_empty());
    }

    #[test]
    fn password_is_not_shown() {
        let shown = format!("{:?}", addresses("redis://:secret@a/,redis://b:7000"));
        assert_eq!(shown, r#"["a:6379", "b:7000"]"#);
    }

    #[test]
    fn address_that_cannot_be_used_is_named_by_its_place() {
        let refused = |text| addresses(text).check().unwrap_err();
        assert_eq!(refused("redis://a,http://b").place, 2);
        assert!(refused("rediss://a").detail.contains("TLS"));
        assert_eq!(addresses("redis://a,redis://b").check(), Ok(()));
    }
}
