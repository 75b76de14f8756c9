//! Printers with what they are doing.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tillroll_domain::printer::{ConfirmationLevel, PrinterState, StopReason, Unproven};
use tillroll_spooler::{PrinterStatus, Probed};
use tillroll_store::Printer;
use utoipa::ToSchema;

use crate::problem::Problem;

/// Settings of a printer; absent fields stay as they are, or take their default.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default, deny_unknown_fields)]
pub struct PrinterBody {
    /// Where it is: `tcp://host:9100`, `serial:///dev/ttyUSB0?baud=19200&flow=rtscts`,
    /// `usb://04b8:0e15?serial=AB12`, `lp:///dev/usb/lp0`, `file:///path`, `virtual:NAME`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// Its profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Columns, where they differ from the profile's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<u32>,
    /// What it can prove; without it a new printer is probed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub level: Option<ConfirmationLevel>,
    /// What its owner chose for jobs without proof: `trust` or `ask`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub unproven: Option<Unproven>,
    /// Drawer connector: 0 is pin 2, 1 is pin 5.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawer_pin: Option<u8>,
}

/// A printer to add: its name and its settings.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPrinterBody {
    /// Its name, of `A-Z a-z 0-9 . _ ~ -`.
    pub name: String,
    /// Where it is; see [`PrinterBody::uri`].
    pub uri: String,
    /// Its profile; the default one without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// Columns, where they differ from the profile's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<u32>,
    /// What it can prove; without it the printer is probed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub level: Option<ConfirmationLevel>,
    /// What its owner chose for jobs without proof: `trust` or `ask`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub unproven: Option<Unproven>,
    /// Drawer connector: 0 is pin 2, 1 is pin 5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawer_pin: Option<u8>,
}

impl NewPrinterBody {
    /// Name and settings.
    #[must_use]
    pub fn into_parts(self) -> (String, PrinterBody) {
        let settings = PrinterBody {
            uri: Some(self.uri),
            profile: self.profile,
            columns: self.columns,
            level: self.level,
            unproven: self.unproven,
            drawer_pin: self.drawer_pin,
        };
        (self.name, settings)
    }
}

/// Every printer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct PrintersView {
    /// Oldest first.
    pub printers: Vec<PrinterView>,
}

/// Printer name by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(transparent)]
pub struct RoutesBody(pub BTreeMap<String, String>);

/// A printer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct PrinterView {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub uri: String,
    /// Its profile.
    pub profile: String,
    /// Columns, where they differ from the profile's.
    pub columns: Option<u32>,
    /// What it can prove.
    #[schema(value_type = String)]
    pub level: ConfirmationLevel,
    /// What its owner chose for jobs without proof.
    #[schema(value_type = String)]
    pub unproven: Unproven,
    /// Drawer connector.
    pub drawer_pin: u8,
    /// `idle`, `printing`, `stopped` or `paused`.
    pub state: String,
    /// Why it is stopped: a stable code.
    #[schema(value_type = Option<String>)]
    pub reason: Option<StopReason>,
    /// What happened and what to do.
    pub advice: Option<String>,
    /// Since when.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub since: Option<Timestamp>,
    /// When it is tried again.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub next_try_at: Option<Timestamp>,
    /// The job at the device.
    pub job_id: Option<String>,
    /// A cause the device shows in the middle of that job.
    #[schema(value_type = Option<String>)]
    pub mid_job_cause: Option<StopReason>,
    /// Its paper is near the end.
    pub paper_near_end: bool,
    /// What the device or its port said last, for support.
    pub detail: Option<String>,
    /// Jobs waiting, counted to 1000.
    pub queued: i64,
    /// When the oldest of them was accepted.
    #[schema(value_type = Option<String>, format = DateTime)]
    #[cfg_attr(feature = "typescript", ts(type = "string | null"))]
    pub oldest_at: Option<Timestamp>,
}

impl PrinterView {
    pub(crate) fn of(
        printer: Printer,
        status: Option<PrinterStatus>,
        queued: i64,
        oldest_at: Option<Timestamp>,
    ) -> Self {
        // The row is the truth: its worker may not have come to it yet.
        let shown = match status.as_ref().map(|status| status.state) {
            Some(PrinterState::Printing) => Some(PrinterState::Printing),
            _ if printer.paused => Some(PrinterState::Paused),
            shown => shown,
        };
        let (state, reason) = words(shown);
        let status = status.as_ref();
        let cause = reason.or_else(|| status.and_then(|status| status.mid_job_cause));
        Self {
            name: printer.settings.name.to_string(),
            uri: printer.settings.uri,
            profile: printer.settings.profile,
            columns: printer.settings.columns,
            level: printer.settings.level,
            unproven: printer.settings.unproven,
            drawer_pin: printer.settings.drawer_pin,
            state: state.to_owned(),
            reason,
            advice: cause.map(|cause| cause.advice().to_owned()),
            since: status.map(|status| status.since),
            next_try_at: status.and_then(|status| status.next_try_at),
            job_id: status.and_then(|status| status.job_id.clone()),
            mid_job_cause: status.and_then(|status| status.mid_job_cause),
            paper_near_end: status.is_some_and(|status| status.paper_near_end),
            detail: status.and_then(|status| status.detail.clone()),
            queued,
            oldest_at,
        }
    }
}

fn words(state: Option<PrinterState>) -> (&'static str, Option<StopReason>) {
    match state {
        Some(PrinterState::Idle) => ("idle", None),
        Some(PrinterState::Printing) => ("printing", None),
        Some(PrinterState::Stopped(reason)) => ("stopped", Some(reason)),
        Some(PrinterState::Paused) => ("paused", None),
        None => ("stopped", Some(StopReason::DeviceError)),
    }
}

/// A printer that was added, and what was found when it was probed first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AddedPrinter {
    /// The printer.
    #[serde(flatten)]
    pub printer: PrinterView,
    /// What it answered; absent where its level was given, and where it was not reached.
    pub probe: Option<ProbeView>,
    /// Why it was not reached. It is added all the same, and tried again until it answers.
    pub not_reached: Option<String>,
}

impl AddedPrinter {
    pub(crate) fn of(printer: PrinterView, found: Option<Result<ProbeView, Problem>>) -> Self {
        let (probe, not_reached) = match found {
            None => (None, None),
            Some(Ok(probe)) => (Some(probe), None),
            Some(Err(problem)) => (None, Some(problem.detail)),
        };
        Self { printer, probe, not_reached }
    }
}

/// What a printer answered when it was probed.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ProbeView {
    /// What it can prove.
    #[schema(value_type = String)]
    pub level: ConfirmationLevel,
    /// What that means for its receipts.
    pub meaning: String,
    /// Its maker, where it tells.
    pub maker: Option<String>,
    /// Its model, where it tells.
    pub model: Option<String>,
    /// It answers real-time status.
    pub realtime: bool,
    /// It counts lines and cuts.
    pub counts: bool,
    /// It answers `GS r` before it can have printed.
    pub answers_too_soon: bool,
    /// Why it cannot print now: the probe is incomplete and nothing was stored.
    #[schema(value_type = Option<String>)]
    pub blocked: Option<StopReason>,
}

impl From<Probed> for ProbeView {
    fn from(probed: Probed) -> Self {
        Self {
            level: probed.level,
            meaning: meaning(probed.level).to_owned(),
            maker: probed.maker,
            model: probed.model,
            realtime: probed.realtime,
            counts: probed.counts,
            answers_too_soon: probed.answers_too_soon,
            blocked: probed.blocked,
        }
    }
}

fn meaning(level: ConfirmationLevel) -> &'static str {
    match level {
        ConfirmationLevel::Token => "It proves each receipt by itself.",
        ConfirmationLevel::Counter => "It proves each receipt by its counters.",
        ConfirmationLevel::InOrder => {
            "It tells when a receipt has gone through; after a broken connection you are asked."
        }
        ConfirmationLevel::Realtime => {
            "It tells about paper and cover, not about receipts: choose trust or ask."
        }
        ConfirmationLevel::Silent => "It tells nothing: choose trust or ask.",
    }
}
