//! Share tables as they come in and go out.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::money::Minor;
use tillroll_domain::splits::{Share, ShareTable};
use tillroll_wire::Code;
use utoipa::ToSchema;

use crate::http::problem::Refusal;

/// A store's share table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "ShareTable")]
pub struct ShareTableBody {
    /// Orders paid from then on ...
    #[schema(value_type = String, format = DateTime)]
    pub valid_from: Timestamp,
    /// ... and before then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub valid_until: Option<Timestamp>,
    /// One for each party, the merchant among them; their rates add up to 10,000 basis points.
    #[schema(min_items = 1, max_items = 16)]
    pub shares: Vec<ShareBody>,
}

/// What one party gets of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(title = "Share")]
pub struct ShareBody {
    /// Who: `platform`, `merchant`, or `agent:` and its name at the channel.
    pub party: String,
    /// Its part of the amount, in basis points.
    #[schema(maximum = 10_000)]
    pub rate_bp: u32,
    /// What it gets beside its rate.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 99_999_999_999_999_i64)]
    pub fixed_minor: i64,
    /// The least it gets.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 99_999_999_999_999_i64)]
    pub min_minor: i64,
    /// The most it gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 99_999_999_999_999_i64)]
    pub cap_minor: Option<i64>,
}

impl ShareTableBody {
    pub(in crate::http) fn read(self, version: u32) -> Result<ShareTable, Refusal> {
        let shares = self.shares.into_iter().map(ShareBody::read).collect::<Result<_, _>>()?;
        let (valid_from, valid_until) = (whole_ms(self.valid_from), self.valid_until.map(whole_ms));
        let table = ShareTable { version, valid_from, valid_until, shares };
        table.check().map_err(|invalid| Refusal::new(Code::InvalidValue, invalid.to_string()))?;
        Ok(table)
    }
}

impl ShareBody {
    fn read(self) -> Result<Share, Refusal> {
        let party = self.party.parse();
        Ok(Share {
            party: party.map_err(|_| {
                Refusal::value("shares.party", "must be platform, merchant or agent:NAME")
            })?,
            rate_bp: self.rate_bp,
            fixed_minor: Minor(self.fixed_minor),
            min_minor: Minor(self.min_minor),
            cap_minor: self.cap_minor.map(Minor),
        })
    }

    fn of(share: Share) -> Self {
        Self {
            party: share.party.to_string(),
            rate_bp: share.rate_bp,
            fixed_minor: share.fixed_minor.0,
            min_minor: share.min_minor.0,
            cap_minor: share.cap_minor.map(|cap| cap.0),
        }
    }
}

/// Instants are kept in whole milliseconds.
fn whole_ms(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

/// A share table that is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShareTableView {
    /// Its number in the store.
    pub version: u32,
    /// What it says.
    #[serde(flatten)]
    pub table: ShareTableBody,
}

impl ShareTableView {
    pub(in crate::http) fn of(table: ShareTable) -> Self {
        let ShareTable { version, valid_from, valid_until, shares } = table;
        let shares = shares.into_iter().map(ShareBody::of).collect();
        Self { version, table: ShareTableBody { valid_from, valid_until, shares } }
    }
}

/// Every version of a store's share table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ShareTableList {
    /// The first one first.
    pub tables: Vec<ShareTableView>,
}
