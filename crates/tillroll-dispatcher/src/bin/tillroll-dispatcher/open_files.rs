//! How many files the program may have open: each connected register is one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the limit to the highest the system allows. Where that is below `wanted`, the log says so.
pub fn raise(wanted: u64) {
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::warn!(%error, "the limit of open files was not raised");
    }
    if let Some(current) = getrlimit(Resource::Nofile).current.filter(|limit| *limit < wanted) {
        tracing::warn!(
            current,
            wanted,
            "fewer files can be open than connections are configured: raise `ulimit -n`"
        );
    }
}
