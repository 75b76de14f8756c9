//! Arguments that are read by the command itself, so that a wrong one is answered with a problem that
//! names the field instead of a bare text.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use tillroll_register::problem::{Code, FaultView, Problem};

/// An argument that may not have been readable.
pub struct Argument<T>(Result<T, Problem>);

impl<T> Argument<T> {
    /// What was given.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] naming the field.
    pub fn read(self) -> Result<T, Problem> {
        self.0
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Argument<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Ok(Self(serde_path_to_error::deserialize(value).map_err(|error| unreadable(&error))))
    }
}

fn unreadable(error: &serde_path_to_error::Error<serde_json::Error>) -> Problem {
    let (field, message) = (error.path().to_string(), error.inner().to_string());
    let detail = format!("{field}: {message}");
    let fault = FaultView { field, message, computed_minor: None, stated_minor: None };
    Problem { faults: vec![fault], ..Problem::new(Code::InvalidValue, detail) }
}

#[cfg(test)]
mod tests {
    use jiff::civil::Date;
    use tillroll_register::view::CashBody;

    use super::*;

    #[test]
    fn wrong_field_is_named() {
        let body = serde_json::json!({"kind": "float", "amount_minor": "ten"});
        let read: Argument<CashBody> = serde_json::from_value(body).unwrap();
        let problem = read.read().unwrap_err();
        assert_eq!(problem.code, Code::InvalidValue);
        assert_eq!(problem.faults[0].field, "amount_minor");
    }

    #[test]
    fn right_argument_is_read() {
        let read: Argument<Date> = serde_json::from_value("2026-10-09".into()).unwrap();
        assert_eq!(read.read().unwrap().to_string(), "2026-10-09");
    }
}
