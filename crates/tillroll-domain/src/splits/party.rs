//! Who shares in an order.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::ids::Part;
use crate::printer::UnknownWord;

/// A party to a split: `platform`, `merchant`, or `agent:` and its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Party {
    /// The platform the order came over.
    Platform,
    /// The merchant, whose share is what the others leave.
    Merchant,
    /// An agent, by its name at the channel.
    Agent(Part),
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Platform => f.write_str("platform"),
            Self::Merchant => f.write_str("merchant"),
            Self::Agent(name) => write!(f, "agent:{name}"),
        }
    }
}

impl FromStr for Party {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        let agent = |text: &str| text.strip_prefix("agent:")?.parse().ok().map(Self::Agent);
        match text {
            "platform" => Ok(Self::Platform),
            "merchant" => Ok(Self::Merchant),
            _ => agent(text).ok_or_else(|| UnknownWord {
                text: text.to_owned(),
                allowed: "platform, merchant, agent:NAME",
            }),
        }
    }
}

impl TryFrom<String> for Party {
    type Error = UnknownWord;

    fn try_from(text: String) -> Result<Self, UnknownWord> {
        text.parse()
    }
}

impl From<Party> for String {
    fn from(party: Party) -> Self {
        party.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parties_read_back_and_others_are_refused() {
        for text in ["platform", "merchant", "agent:A7"] {
            assert_eq!(text.parse::<Party>().unwrap().to_string(), text);
        }
        for text in ["", "agent:", "agent:a b", "Platform", "agents"] {
            assert!(text.parse::<Party>().is_err(), "{text}");
        }
    }
}
