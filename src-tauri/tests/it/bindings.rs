//! The TypeScript types of the window are those of the register. `make bindings` writes them.

use std::path::Path;

use tillroll_domain::ids::{JobKind, OrderScope};
use tillroll_domain::print_job::{Confirmation, HoldReason, JobCause, JobReason, JobState, Verb};
use tillroll_domain::printer::{ConfirmationLevel, StopReason, Unproven};
use tillroll_domain::reconciliation::{Cure, Difference};
use tillroll_register::problem::{Code, FaultView};
use tillroll_register::view::*;
use ts_rs::{Config, TS};

/// Set to write the file instead of comparing it.
const WRITE: &str = "TILLROLL_WRITE_BINDINGS";
const HEAD: &str = "// Made from the Rust types by `make bindings`; changes here are lost.\n";

#[test]
fn typescript_types_are_those_of_the_register() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui/src/generated/views.ts");
    let made = bindings();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, made).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    assert!(kept == made, "ui/src/generated/views.ts is stale: run `make bindings`");
}

fn bindings() -> String {
    // Integers are bounded by AMOUNT_MAX and by counts, all far below 2^53.
    let config = Config::new().with_large_int("number");
    let mut text = HEAD.to_owned();
    for declare in DECLARED {
        text.push_str(&declare(&config));
    }
    text
}

fn one<T: TS>(config: &Config) -> String {
    let docs = T::docs().unwrap_or_default();
    format!("\n{docs}export {}\n", T::decl(config))
}

const DECLARED: &[fn(&Config) -> String] = &[
    one::<JobState>,
    one::<Confirmation>,
    one::<ConfirmationLevel>,
    one::<Unproven>,
    one::<StopReason>,
    one::<HoldReason>,
    one::<JobCause>,
    one::<JobReason>,
    one::<Verb>,
    one::<JobKind>,
    one::<OrderScope>,
    one::<MovementKind>,
    one::<Cure>,
    one::<Difference>,
    one::<Code>,
    one::<FaultView>,
    one::<ProblemView>,
    one::<Phase>,
    one::<AppState>,
    one::<SetUpBody>,
    one::<Unlocked>,
    one::<Settings>,
    one::<Hint>,
    one::<JobView>,
    one::<AttemptView>,
    one::<AnswerView>,
    one::<RecordView>,
    one::<StoryView>,
    one::<PaperPicture>,
    one::<OneAnswered>,
    one::<ManyAnswered>,
    one::<RejectedView>,
    one::<NoticeView>,
    one::<RefusedRecordView>,
    one::<CloudOnlyView>,
    one::<TodoView>,
    one::<PrinterBody>,
    one::<PrinterView>,
    one::<ProbeView>,
    one::<AddedPrinter>,
    one::<ProfileView>,
    one::<DeviceView>,
    one::<RoutesBody>,
    one::<TotalsView>,
    one::<PaperView>,
    one::<CloudSource>,
    one::<CloudView>,
    one::<CashView>,
    one::<CashBody>,
    one::<CorrectionView>,
    one::<SessionFigures>,
    one::<OpeningView>,
    one::<DayView>,
    one::<HourView>,
    one::<SplitVerb>,
    one::<SplitSumView>,
    one::<SplitTotalsView>,
    one::<ManualSplitView>,
    one::<SplitsView>,
    one::<ClosingView>,
    one::<PairCloudBody>,
    one::<CloudState>,
    one::<CloudStatusView>,
    one::<RecordVerb>,
    one::<RecordsAnswered>,
    one::<ClientBody>,
    one::<ClientMade>,
    one::<ClientView>,
];
