//! What goes over the register's edge: plain shapes with stable names, for the HTTP API, the command line
//! and the window. Amounts are integer minor units, instants RFC 3339 in UTC.

mod client;
mod day;
mod day_csv;
mod device;
mod health;
mod job;
mod limit;
mod printer;
mod receipt;
mod todo;
mod window;

pub use self::client::{ClientBody, ClientMade, ClientView, ClientsView};
pub use self::day::{
    CashBody, CashView, CloseBody, ClosingView, CloudView, CorrectionView, DayView, PaperView,
    SessionFigures, TotalsView,
};
pub use self::device::{DeviceView, DevicesView, ProfileView, ProfilesView};
pub use self::health::HealthView;
pub use self::job::{
    Accepted, AnswerBody, AnswerView, AttemptView, JobView, JobsView, ManyAnswered, ManyBody,
    OneAnswered, RecordView, StoryView,
};
pub use self::limit::{LimitAnswer, PromotionBody};
pub use self::printer::{
    DrawerBody, NewPrinterBody, PrinterBody, PrinterView, PrintersView, ProbeView, RoutesBody,
};
pub use self::receipt::{LineBody, NamedAmountBody, ReceiptBody, TaxBody, TenderBody};
pub use self::todo::{NoticeView, RejectedAnswer, RejectedListView, RejectedView, TodoView};
pub use self::window::{
    AppState, Hint, HourView, PaperPicture, Phase, ProblemView, SetUpBody, Settings, Unlocked,
};
/// What a movement of cash is; a word of [`CashBody`].
pub use tillroll_store::MovementKind;
