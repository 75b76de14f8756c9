//! Reading the file and the environment.

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize as _;
use toml::{Table, Value};

use super::{Config, InvalidConfig};

/// What every environment variable begins with; the key follows in capitals, `_` for each dot.
pub const ENV_PREFIX: &str = "TILLROLL_DISPATCHER_";

/// Variables of the command line, not of the configuration.
const OTHERS: [&str; 3] = ["DATA", "CONFIG", "LOG"];

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file holds what is no configuration.
    #[error("{path}: {source}", path = path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where and what, with the key's name.
        source: Box<toml::de::Error>,
    },
    /// A variable of no key.
    #[error("{0} is no setting: see print-default-config")]
    UnknownVariable(String),
    /// A variable whose value cannot be.
    #[error("{variable}: must be {must}")]
    Variable {
        /// The variable.
        variable: String,
        /// What it must be.
        must: String,
    },
    /// A value that cannot be.
    #[error(transparent)]
    Invalid(#[from] InvalidConfig),
}

impl Config {
    /// Reads a file, if one is named, then the variables over it, and checks the whole.
    ///
    /// # Errors
    /// [`ConfigError`], naming the key.
    pub fn load(
        file: Option<&Path>,
        environment: impl Iterator<Item = (String, String)>,
    ) -> Result<Self, ConfigError> {
        let mut table = file.map(read).transpose()?.unwrap_or_default();
        for (variable, value) in environment {
            if let Some(key) = variable.strip_prefix(ENV_PREFIX).filter(|key| !OTHERS.contains(key))
            {
                set(&mut table, &variable, key, &value)?;
            }
        }
        let config =
            Self::deserialize(table).map_err(|source| parse_error("environment", source))?;
        config.check()?;
        Ok(config)
    }
}

/// Reads the file. It is read as a configuration too, for an error that names its line.
fn read(path: &Path) -> Result<Table, ConfigError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
    let failed = |source| parse_error(path, source);
    toml::from_str::<Config>(&text).map_err(failed)?;
    toml::from_str(&text).map_err(failed)
}

fn parse_error(path: impl Into<PathBuf>, source: toml::de::Error) -> ConfigError {
    ConfigError::Parse { path: path.into(), source: Box::new(source) }
}

/// Sets the key of a variable.
fn set(table: &mut Table, variable: &str, key: &str, text: &str) -> Result<(), ConfigError> {
    let unknown = || ConfigError::UnknownVariable(variable.to_owned());
    // The defaults hold every key with its type.
    let known = Table::try_from(Config::default()).map_err(|_| unknown())?;
    let (section, name, default) = find(&known, key).ok_or_else(unknown)?;
    let wrong =
        |must: &str| ConfigError::Variable { variable: variable.to_owned(), must: must.into() };
    let value = match default {
        Value::Integer(_) => Value::Integer(text.parse().map_err(|_| wrong("a whole number"))?),
        Value::Boolean(_) => Value::Boolean(text.parse().map_err(|_| wrong("true or false"))?),
        Value::String(_)
        | Value::Float(_)
        | Value::Datetime(_)
        | Value::Array(_)
        | Value::Table(_) => Value::String(text.to_owned()),
    };
    let into = match section {
        None => table,
        Some(section) => {
            let entry = table.entry(section).or_insert_with(|| Value::Table(Table::new()));
            entry.as_table_mut().ok_or_else(unknown)?
        }
    };
    into.insert(name, value);
    Ok(())
}

/// Section, name and default of a key as it is written in a variable.
fn find<'a>(known: &'a Table, key: &str) -> Option<(Option<String>, String, &'a Value)> {
    known.iter().find_map(|(name, value)| match value {
        Value::Table(section) => section.iter().find_map(|(inner, value)| {
            let is_it = format!("{name}_{inner}").eq_ignore_ascii_case(key);
            is_it.then(|| (Some(name.clone()), inner.clone(), value))
        }),
        value @ (Value::String(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::Boolean(_)
        | Value::Datetime(_)
        | Value::Array(_)) => name.eq_ignore_ascii_case(key).then(|| (None, name.clone(), value)),
    })
}
