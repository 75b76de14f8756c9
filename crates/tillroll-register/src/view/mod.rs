//! What goes over the register's edge: plain shapes with stable names, for the HTTP API, the command line
//! and the window. Amounts are integer minor units, instants RFC 3339 in UTC.

mod client;
mod cloud;
mod cloud_records;
mod day;
mod day_csv;
mod device;
mod drawer;
mod health;
mod job;
mod limit;
mod printer;
mod receipt;
mod splits;
mod todo;
mod window;

pub use self::client::{ClientBody, ClientMade, ClientView, ClientsView};
pub use self::cloud::{CloudSource, CloudState, CloudStatusView, CloudView, PairCloudBody};
pub use self::cloud_records::{
    CloudOnlyView, CloudRecordsView, RecordState, RecordVerb, RecordsAnswered, RecordsBody,
    RefusedRecordView,
};
pub use self::day::{
    CashBody, CashView, CloseBody, ClosingView, CorrectionView, DayView, ExportFormat, PaperView,
    SessionFigures, TotalsView,
};
pub use self::device::{DeviceView, DevicesView, ProfileView, ProfilesView};
pub use self::drawer::{DrawerBody, OpeningView};
pub use self::health::HealthView;
pub use self::job::{
    Accepted, AnswerBody, AnswerView, AttemptView, JobView, JobsView, ManyAnswered, ManyBody,
    OneAnswered, RecordView, StoryView,
};
pub use self::limit::{LimitAnswer, PromotionBody};
pub use self::printer::{
    AddedPrinter, NewPrinterBody, PrinterBody, PrinterView, PrintersView, ProbeView, RoutesBody,
};
pub use self::receipt::ReceiptBody;
pub use self::splits::{ManualSplitView, SplitBody, SplitSumView, SplitTotalsView, SplitsView};
pub use self::todo::{NoticeView, RejectedAnswer, RejectedListView, RejectedView, TodoView};
pub use self::window::{
    AppState, Hint, HourView, PaperPicture, Phase, ProblemView, SetUpBody, Settings, Unlocked,
};
/// What may be done about a split that waits for a manager.
pub use tillroll_domain::splits::Verb as SplitVerb;
/// What a movement of cash is; a word of [`CashBody`].
pub use tillroll_store::MovementKind;
