//! Messages of the push channel.

use serde_json::json;
use tillroll_domain::ids::JobKind;
use tillroll_domain::print_job::{Confirmation, HoldReason, JobCause, JobReason, JobState};
use tillroll_domain::printer::StopReason;
use tillroll_wire::channel::{Down, Hello, JobResult, PrinterReport, Push, Up};
use tillroll_wire::{Code, PROTOCOL};

use super::{Check, INSTALLATION, at, clock, fingerprint, id, part};

pub(super) fn each(check: &mut impl Check) {
    for up in ups() {
        check.check(name_of_up(&up), &up);
    }
    for down in downs() {
        check.check(name_of_down(&down), &down);
    }
}

/// A new message needs a name here, and a message in [`ups`].
fn name_of_up(up: &Up) -> &'static str {
    match up {
        Up::Hello(_) => "up_hello",
        Up::Printer(_) => "up_printer",
        Up::PrinterRemoved { .. } => "up_printer_removed",
        Up::Routes { .. } => "up_routes",
        Up::Accepted { .. } => "up_accepted",
        Up::Refused { .. } => "up_refused",
        Up::Result(result) if result.state == JobState::Printed => "up_result_printed",
        Up::Result(_) => "up_result_unconfirmed",
        Up::Unknown { .. } => "up_unknown",
    }
}

/// As [`name_of_up`], for [`downs`].
fn name_of_down(down: &Down) -> &'static str {
    match down {
        Down::Welcome { .. } => "down_welcome",
        Down::Push(_) => "down_push",
        Down::Status { .. } => "down_status",
        Down::Cancel { .. } => "down_cancel",
        Down::ResultStored { .. } => "down_result_stored",
        Down::PrinterNameTaken { .. } => "down_printer_name_taken",
        Down::Bye { .. } => "down_bye",
    }
}

fn ups() -> Vec<Up> {
    let printed = JobResult {
        id: id(),
        state: JobState::Printed,
        reason: None,
        confirmation: Some(Confirmation::Token),
        row_version: 4,
        at: at(),
    };
    let unconfirmed = JobResult {
        state: JobState::Unconfirmed,
        reason: Some(JobReason::from(JobCause::NoAnswer)),
        confirmation: None,
        row_version: 3,
        ..printed.clone()
    };
    vec![
        Up::Hello(hello()),
        Up::Printer(stopped()),
        Up::PrinterRemoved { name: part("bar") },
        Up::Routes { routes: [(JobKind::Kitchen, part("kitchen"))].into() },
        Up::Accepted { id: id(), fingerprint: fingerprint() },
        Up::Refused { id: id(), code: Code::Conflict, detail: "order_no: used otherwise".into() },
        Up::Result(printed),
        Up::Result(unconfirmed),
        Up::Unknown { id: id() },
    ]
}

fn hello() -> Hello {
    Hello {
        protocol: PROTOCOL,
        installation: INSTALLATION.into(),
        epoch: 2,
        program: "tillctl 0.1.0".into(),
        clock: clock(),
        printers: vec![PrinterReport { name: part("front"), ready: true, reason: None }, stopped()],
        routes: [(JobKind::Receipt, part("front")), (JobKind::Kitchen, part("kitchen"))].into(),
    }
}

fn stopped() -> PrinterReport {
    PrinterReport { name: part("kitchen"), ready: false, reason: Some(StopReason::PaperEnd) }
}

fn downs() -> Vec<Down> {
    vec![
        Down::Welcome {
            protocol: PROTOCOL,
            store_uid: "st_0123456789abcdef".into(),
            now: at(),
            shares_orders: true,
        },
        Down::Push(Push {
            id: id(),
            fingerprint: fingerprint(),
            body: json!({"order_no": "0001", "kind": "kitchen", "total_minor": 2_800}),
            printer: part("kitchen"),
            remaining_ms: Some(88_000),
            held: Some(HoldReason::Expired),
        }),
        Down::Status { id: id() },
        Down::Cancel { id: id() },
        Down::ResultStored { id: id(), row_version: 4 },
        Down::PrinterNameTaken { name: part("kitchen") },
        Down::Bye {
            code: Code::Stopping,
            detail: "the program is ending".into(),
            retry_after_ms: Some(1_200),
        },
    ]
}
