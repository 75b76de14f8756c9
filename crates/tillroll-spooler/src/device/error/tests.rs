use std::collections::BTreeSet;

use super::*;

const LIMIT: Duration = Duration::from_secs(5);

#[test]
fn every_cause_has_a_message_and_a_code_of_its_own() {
    let io = |errno: Errno| OpenError::from_io(errno.into(), LIMIT);
    let errors = [
        io(Errno::CONNREFUSED),
        io(Errno::HOSTUNREACH),
        io(Errno::BUSY),
        io(Errno::ACCESS),
        io(Errno::TIMEDOUT),
        io(Errno::NOENT),
        io(Errno::IO),
        OpenError::UnknownHost { host: "kitchen".into(), source: "no address".into() },
        OpenError::Ambiguous { count: 2 },
        OpenError::Stuck { calls: 4 },
    ];
    let messages: BTreeSet<String> = errors.iter().map(ToString::to_string).collect();
    let codes: BTreeSet<&str> = errors.iter().map(|error| error.reason().code()).collect();
    assert_eq!(messages.len(), errors.len(), "{messages:?}");
    assert_eq!(codes.len(), errors.len(), "{codes:?}");
}

#[test]
fn device_node_whose_device_is_gone_counts_as_not_there() {
    for errno in [Errno::NOENT, Errno::NODEV, Errno::NXIO] {
        let error = OpenError::from_io(errno.into(), LIMIT);
        assert_eq!(error.reason(), Unreachability::NotFound);
    }
}

#[test]
fn error_underneath_is_kept() {
    let error = OpenError::from_io(Errno::BUSY.into(), LIMIT);
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    assert_eq!(cause.and_then(io::Error::raw_os_error), Some(Errno::BUSY.raw_os_error()));
}
