//! Reading JSON that came from outside.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Why JSON could not be read.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// There is nothing to read.
    #[error("the body is empty")]
    Empty,
    /// It begins as something else.
    #[error("the body must be a JSON object")]
    NoObject,
    /// A field is wrong.
    #[error("{path}: {source}")]
    Field {
        /// Where it stands: `lines[0].name`; `?` where its name could not be read.
        path: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The whole body is at fault, or what follows it.
    #[error(transparent)]
    Whole(serde_json::Error),
}

/// Reads a whole body, which must be an object: serde would also take an array of a struct's fields.
///
/// # Errors
/// [`JsonError`], with the path of the field.
pub fn read_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, JsonError> {
    // RFC 8259, section 8.1: a byte order mark before the text may be ignored.
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    match body.trim_ascii_start().first() {
        Some(b'{') => {}
        Some(_) => return Err(JsonError::NoObject),
        None => return Err(JsonError::Empty),
    }
    serde_json::from_slice(body).map_err(|error| located::<T>(body, error))
}

/// Reads fields that were read as JSON before.
///
/// # Errors
/// [`JsonError::Field`] and [`JsonError::Whole`].
pub fn read_fields<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, JsonError> {
    serde_path_to_error::deserialize(Value::Object(fields)).map_err(at_its_path)
}

/// What is wrong and in which field. Keeping track of the path costs as much as reading, so it is only
/// done when something is wrong.
fn located<T: DeserializeOwned>(body: &[u8], error: serde_json::Error) -> JsonError {
    let mut json = serde_json::Deserializer::from_slice(body);
    match serde_path_to_error::deserialize::<_, T>(&mut json) {
        Err(tracked) => at_its_path(tracked),
        Ok(_) => JsonError::Whole(error),
    }
}

fn at_its_path(error: serde_path_to_error::Error<serde_json::Error>) -> JsonError {
    if error.path().iter().len() == 0 {
        return JsonError::Whole(error.into_inner());
    }
    JsonError::Field { path: error.path().to_string(), source: error.into_inner() }
}

#[cfg(test)]
mod tests;
