//! Which database the rows are in.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::postgres::read_address;

/// Where the rows are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Database {
    /// A SQLite file in the data folder, for one node.
    #[default]
    Sqlite,
    /// A PostgreSQL database that nodes share.
    Postgres(PostgresAddress),
}

/// The address of a PostgreSQL database, as libpq spells it. It may hold a password, so it is not
/// shown.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresAddress(String);

impl PostgresAddress {
    /// The whole address, the password included.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://...")
    }
}

/// The text names no database.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidDatabase {
    /// It is neither of the two.
    #[error("database: must be \"sqlite\" or an address postgres://user:password@host/database")]
    Unknown,
    /// The address cannot be read; what is wrong with it does not show the password.
    #[error("database: {0}")]
    Address(#[source] tokio_postgres::Error),
}

impl FromStr for Database {
    type Err = InvalidDatabase;

    fn from_str(text: &str) -> Result<Self, InvalidDatabase> {
        if text == "sqlite" {
            return Ok(Self::Sqlite);
        }
        if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
            return Err(InvalidDatabase::Unknown);
        }
        read_address(text).map_err(InvalidDatabase::Address)?;
        Ok(Self::Postgres(PostgresAddress(text.to_owned())))
    }
}

impl TryFrom<String> for Database {
    type Error = InvalidDatabase;

    fn try_from(text: String) -> Result<Self, InvalidDatabase> {
        text.parse()
    }
}

impl From<Database> for String {
    fn from(database: Database) -> Self {
        match database {
            Database::Sqlite => "sqlite".to_owned(),
            Database::Postgres(address) => address.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn password_is_not_shown() {
        let database: Database = "postgres://me:secret@db/tillroll".parse().unwrap();
        assert!(!format!("{database:?}").contains("secret"));
        for wrong in ["postgres://me:secret@db:many/x", "postgres://me:secret@db/x?secret=secret"] {
            let why = wrong.parse::<Database>().unwrap_err().to_string();
            assert!(why.starts_with("database: ") && !why.contains("me:secret"), "{why}");
        }
    }

    #[test]
    fn what_is_no_database_is_refused_by_its_key() {
        for wrong in ["", "mysql://x/y", "dispatcher.db"] {
            let why = wrong.parse::<Database>().unwrap_err().to_string();
            assert!(why.starts_with("database: must be \"sqlite\""), "{why}");
        }
    }
}
