//! Work that one node does for all of them.

use super::Member;

/// Whether such work is this program's now. Alone it always is.
#[derive(Debug, Clone)]
pub(crate) struct Duty(Option<Member>);

impl Duty {
    /// Of a node, or of a program that is alone.
    pub fn of(member: Option<Member>) -> Self {
        Self(member)
    }

    pub fn is_ours(&self) -> bool {
        self.0.as_ref().is_none_or(Member::is_on_duty)
    }
}
