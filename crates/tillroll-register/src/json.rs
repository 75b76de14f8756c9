//! Reading JSON that came from outside.

use serde::de::DeserializeOwned;

use crate::problem::{Code, Problem};

/// Reads a whole body, which must be an object: serde would also take an array of a struct's fields.
///
/// # Errors
/// [`Code::InvalidBody`] with the path of the field.
pub(crate) fn read_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Problem> {
    // RFC 8259, section 8.1: a byte order mark before the text may be ignored.
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    match body.trim_ascii_start().first() {
        Some(b'{') => {}
        Some(_) => return Err(Problem::new(Code::InvalidBody, "the body must be a JSON object")),
        None => return Err(Problem::new(Code::InvalidBody, "the body is empty")),
    }
    serde_json::from_slice(body)
        .map_err(|error| Problem::new(Code::InvalidBody, located::<T>(body, &error)))
}

/// What is wrong and in which field. Keeping track of the path costs as much as reading, so it is only
/// done when something is wrong.
fn located<T: DeserializeOwned>(body: &[u8], error: &serde_json::Error) -> String {
    let mut json = serde_json::Deserializer::from_slice(body);
    match serde_path_to_error::deserialize::<_, T>(&mut json) {
        Err(at) if at.path().iter().len() > 0 => format!("{}: {}", at.path(), at.inner()),
        // The whole body is at fault, or what follows it.
        Ok(_) | Err(_) => error.to_string(),
    }
}
