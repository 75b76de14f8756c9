//! What a command answers in place of a result: a problem with a stable code and a reference that finds
//! it in the log. Logged here and nowhere else.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use serde::{Serialize, Serializer};
use tillroll_register::problem::{Code, Problem};
use tillroll_register::view::ProblemView;

/// The answer of a command.
pub type Answer<T> = Result<T, Refused>;

/// A problem on its way to the page.
#[derive(Debug, Clone)]
pub struct Refused(Box<ProblemView>);

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        let reference = next_reference();
        let source = problem.source.as_deref().map(ToString::to_string).unwrap_or_default();
        if matches!(problem.code, Code::Internal | Code::Unavailable | Code::OutcomeUnknown) {
            tracing::error!(%reference, %problem, source, "a command failed");
        } else {
            tracing::info!(%reference, %problem, "a command was refused");
        }
        Self(Box::new(ProblemView::of(&problem, reference)))
    }
}

impl Refused {
    /// The problem as the page gets it.
    #[must_use]
    pub fn view(&self) -> &ProblemView {
        &self.0
    }
}

impl Serialize for Refused {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Four hex digits of this run and a number: short enough to be read out over the telephone.
fn next_reference() -> String {
    static RUN: LazyLock<u64> = LazyLock::new(|| RandomState::new().hash_one(0) & 0xffff);
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{:04x}-{}", *RUN, NEXT.fetch_add(1, Relaxed))
}
