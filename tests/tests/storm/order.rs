//! What the driver writes down of a job.

use std::time::Duration;

use tillroll_domain::ids::JobId;

/// A job the dispatcher acknowledged: the driver's own list.
#[derive(Debug, Clone)]
pub struct Order {
    pub shop: usize,
    pub id: JobId,
    /// When it was taken, and when it is too late, since the run began.
    pub taken: Duration,
    pub deadline: Duration,
}
