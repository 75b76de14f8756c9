//! Reading JSON that came from outside.

use serde::de::DeserializeOwned;

use crate::problem::{Code, Problem};

/// Reads a whole body, which must be an object: serde would also take an array of a struct's fields.
///
/// # Errors
/// [`Code::InvalidBody`] with the path of the field.
pub(crate) fn read_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    match body.trim_ascii_start().first() {
        Some(b'{') => {}
        Some(_) => return Err(Problem::new(Code::InvalidBody, "the body must be a JSON object")),
        None => return Err(Problem::new(Code::InvalidBody, "the body is empty")),
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let detail = match path.as_str() {
            "." => error.inner().to_string(),
            path => format!("{path}: {}", error.inner()),
        };
        Problem::new(Code::InvalidBody, detail)
    })?;
    json.end().map_err(|error| Problem::new(Code::InvalidBody, error.to_string()))?;
    Ok(value)
}
