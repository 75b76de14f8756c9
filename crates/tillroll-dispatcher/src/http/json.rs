//! Reading JSON that came from outside.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tillroll_wire::Code;

use super::problem::{FieldFault, Refusal};

/// Reads a whole body, which must be an object: serde would also take an array of a struct's fields.
///
/// # Errors
/// [`Code::InvalidBody`] with the path of the field.
pub(super) fn read_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    // RFC 8259, section 8.1: a byte order mark before the text may be ignored.
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    match body.trim_ascii_start().first() {
        Some(b'{') => {}
        Some(_) => return Err(Refusal::new(Code::InvalidBody, "the body must be a JSON object")),
        None => return Err(Refusal::new(Code::InvalidBody, "the body is empty")),
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let read = serde_path_to_error::deserialize(&mut json).map_err(located)?;
    json.end().map_err(|error| Refusal::new(Code::InvalidBody, error.to_string()))?;
    Ok(read)
}

/// Reads fields that were read as JSON before.
///
/// # Errors
/// As [`read_json`].
pub(super) fn read_fields<T: DeserializeOwned>(fields: Map<String, Value>) -> Result<T, Refusal> {
    serde_path_to_error::deserialize(Value::Object(fields)).map_err(located)
}

/// What is wrong and in which field.
fn located(error: serde_path_to_error::Error<serde_json::Error>) -> Refusal {
    if error.path().iter().len() == 0 {
        return Refusal::new(Code::InvalidBody, error.into_inner().to_string());
    }
    let (field, detail) = (error.path().to_string(), error.inner().to_string());
    let refusal = Refusal::new(Code::InvalidBody, format!("{field}: {detail}"));
    Refusal { faults: vec![FieldFault { field, detail }], ..refusal }
}
