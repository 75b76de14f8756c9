//! What goes over the register's edge: plain shapes with stable names, for the HTTP API, the command line
//! and the window. Amounts are integer minor units, instants RFC 3339 in UTC.

mod client;
mod day;
mod job;
mod limit;
mod printer;
mod todo;

pub use self::client::{ClientBody, ClientMade, ClientView};
pub use self::day::{
    CashBody, CashView, CloseBody, ClosingView, CloudView, CorrectionView, DayView, PaperView,
    SessionFigures, TotalsView,
};
pub use self::job::{
    Accepted, AnswerBody, AnswerView, AttemptView, JobView, ManyAnswered, ManyBody, OneAnswered,
    RecordView, StoryView,
};
pub use self::limit::{LimitAnswer, PromotionBody};
pub use self::printer::{DrawerBody, PrinterBody, PrinterView, ProbeView};
pub use self::todo::{NoticeView, RejectedAnswer, RejectedView, TodoView};
