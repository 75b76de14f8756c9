//! What the log and the answers say of a request: its id, the causes of an error, the text of a panic.

use std::any::Any;
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use axum::http::HeaderName;

/// The header that names a request's id to its sender.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Ids for the log and for problem documents: one number of this run, and the request's own.
#[derive(Debug)]
pub struct RequestIds {
    run: u32,
    last: AtomicU64,
}

impl RequestIds {
    /// Ids of a run, told from those of others by a random number.
    #[must_use]
    pub fn new(run: u32) -> Self {
        Self { run, last: AtomicU64::new(0) }
    }

    /// The next request's.
    #[must_use]
    pub fn next(&self) -> String {
        let number = self.last.fetch_add(1, Relaxed) + 1;
        format!("{:08x}-{number}", self.run)
    }
}

/// The sources of an error, outermost first.
#[must_use]
pub fn causes(error: &dyn Error) -> String {
    let mut texts = Vec::new();
    let mut source = error.source();
    while let Some(error) = source {
        texts.push(error.to_string());
        source = error.source();
    }
    texts.join(": ")
}

/// What a handler said when it panicked: for the log, never for an answer.
#[derive(Debug, thiserror::Error)]
#[error("a handler panicked: {0}")]
pub struct Panicked(String);

impl From<Box<dyn Any + Send>> for Panicked {
    fn from(panic: Box<dyn Any + Send>) -> Self {
        let said = panic.downcast_ref::<&str>().map(ToString::to_string);
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
        Self(said.unwrap_or_else(|| "without a text".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::JsonError;

    #[derive(Debug, thiserror::Error)]
    #[error("not taken")]
    struct NotTaken(#[source] JsonError);

    #[test]
    fn causes_are_named_outermost_first_without_the_error_itself() {
        let json: serde_json::Error = serde_json::from_str::<u8>("x").unwrap_err();
        let text = json.to_string();
        let field = JsonError::Field { path: "lines[0]".to_owned(), source: json };
        assert_eq!(causes(&NotTaken(field)), format!("lines[0]: {text}: {text}"));
        assert_eq!(causes(&io::Error::from(io::ErrorKind::NotFound)), "");
    }

    #[test]
    fn panic_keeps_its_text() {
        let said = |panic: Box<dyn Any + Send>| Panicked::from(panic).to_string();
        assert_eq!(said(Box::new("a bug")), "a handler panicked: a bug");
        assert_eq!(said(Box::new("two bugs".to_owned())), "a handler panicked: two bugs");
        assert_eq!(said(Box::new(7)), "a handler panicked: without a text");
    }

    #[test]
    fn ids_of_a_run_differ_and_name_it() {
        let ids = RequestIds::new(0xbeef);
        assert_eq!((ids.next(), ids.next()), ("0000beef-1".to_owned(), "0000beef-2".to_owned()));
    }
}
