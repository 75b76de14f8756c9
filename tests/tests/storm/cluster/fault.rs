//! What goes wrong in a cluster, and when.

use std::fmt;
use std::time::Duration;

/// Something happens to a node or to what the nodes share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// kill -9.
    Kill(usize),
    /// It is ended in order.
    End(usize),
    /// It starts again, at the same address.
    Start(usize),
    /// It stands still: its connections are open, and it hears and says nothing.
    Freeze(usize),
    /// It goes on where it stood.
    Thaw(usize),
    /// It alone no longer reaches Redis: silently, as when a cable is pulled.
    CutFromRedis(usize),
    BackToRedis(usize),
    /// All that was in Redis is lost.
    KillRedis,
    StartRedis,
    /// Every connection to PostgreSQL breaks at once, and there is none.
    StopPostgres,
    StartPostgres,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kill(node) => write!(f, "kill -9 of node {}", node + 1),
            Self::End(node) => write!(f, "node {} is ended in order", node + 1),
            Self::Start(node) => write!(f, "node {} starts again", node + 1),
            Self::Freeze(node) => write!(f, "node {} stands still", node + 1),
            Self::Thaw(node) => write!(f, "node {} goes on", node + 1),
            Self::CutFromRedis(node) => write!(f, "node {} is cut off from Redis", node + 1),
            Self::BackToRedis(node) => write!(f, "node {} reaches Redis again", node + 1),
            Self::KillRedis => write!(f, "kill -9 of Redis"),
            Self::StartRedis => write!(f, "Redis starts again, empty"),
            Self::StopPostgres => write!(f, "PostgreSQL is stopped at once"),
            Self::StartPostgres => write!(f, "PostgreSQL starts again"),
        }
    }
}

/// Everything that can go wrong with three nodes, one after another, within a length.
pub fn of_everything(length: Duration) -> Vec<(Duration, Fault)> {
    use Fault::{
        BackToRedis, CutFromRedis, End, Freeze, Kill, KillRedis, Start, StartPostgres, StartRedis,
        StopPostgres, Thaw,
    };
    let course = [
        (8, Kill(0)),
        (16, Start(0)),
        (20, CutFromRedis(1)),
        (30, BackToRedis(1)),
        (34, KillRedis),
        (44, StartRedis),
        (48, StopPostgres),
        (51, StartPostgres),
        (56, Freeze(2)),
        (68, Thaw(2)),
        (72, End(1)),
        (76, Start(1)),
        (80, KillRedis),
        (81, Kill(0)),
        (82, Kill(1)),
        (88, Start(0)),
        (90, StartRedis),
        (92, Start(1)),
    ];
    course.map(|(percent, fault)| (length * percent / 100, fault)).into()
}

#[test]
fn whatever_goes_wrong_is_right_again_at_the_end() {
    let (mut down, mut is_cut, mut redis, mut postgres) = ([false; 3], false, true, true);
    for (_, fault) in of_everything(Duration::from_secs(100)) {
        match fault {
            Fault::Kill(node) | Fault::End(node) | Fault::Freeze(node) => down[node] = true,
            Fault::Start(node) | Fault::Thaw(node) => down[node] = false,
            Fault::CutFromRedis(_) => is_cut = true,
            Fault::BackToRedis(_) => is_cut = false,
            Fault::KillRedis => redis = false,
            Fault::StartRedis => redis = true,
            Fault::StopPostgres => postgres = false,
            Fault::StartPostgres => postgres = true,
        }
        assert_ne!(down, [true; 3], "somebody has to be there");
    }
    assert!(!down.contains(&true) && !is_cut && redis && postgres);
}
