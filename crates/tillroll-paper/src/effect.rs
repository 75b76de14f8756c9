//! What interpreted bytes do: ink, cuts, pulses, and questions to be answered.

use crate::paper::Element;

/// One thing a printer does because of the bytes it interpreted, in order.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Effect {
    /// Something is printed or paper is fed.
    Printed(Element),
    /// The paper is cut.
    Cut(Cut),
    /// A drawer pulse in print order (`ESC p`).
    Pulse(Pulse),
    /// The host wants an answer once everything before is done.
    Asked(Question),
    /// `GS a n`: status changes to report by themselves; 0 = none.
    AutoStatus(u8),
    /// `GS ( D`: whether real-time pulse and power off may act.
    RealtimeAllowed {
        /// `DLE DC4 1`, unchanged if `None`.
        pulse: Option<bool>,
        /// `DLE DC4 2`, unchanged if `None`.
        power_off: Option<bool>,
    },
    /// A real-time command in the stream; a live printer has executed it on reception.
    Realtime(Realtime),
    /// Something a careful host would not send.
    Oddity(Oddity),
}

/// How the paper was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Through the whole width.
    Full,
    /// One point left uncut.
    Partial,
}

/// A drawer pulse (Epson ESC p and DLE DC4 fn 1 references).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pulse {
    /// Connector pin: 2 or 5.
    pub pin: u8,
    /// Time switched on.
    pub on_ms: u32,
    /// Time switched off afterwards.
    pub off_ms: u32,
}

/// A command that asks for an answer when the interpreter reaches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// `GS r 1`: paper sensors.
    Paper,
    /// `GS r 2`: drawer pin.
    Drawer,
    /// `ESC v`: as `GS r 1`, older.
    PaperByEscV,
    /// `GS ( H` fn 48: the job token, due when the print data before it is on paper.
    Token([u8; 4]),
    /// `GS g 2`: a maintenance counter.
    Counter(u16),
    /// `GS I n`: who the printer is.
    Identity(u8),
}

/// A command executed on reception, whatever surrounds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Realtime {
    /// `DLE EOT n`: status now.
    Status(u8),
    /// `DLE ENQ n`: recover from an error; 1 prints on, 2 clears first.
    Recover(u8),
    /// `DLE DC4 1`: drawer pulse now.
    Pulse(Pulse),
    /// `DLE DC4 2`: power off.
    PowerOff,
    /// `DLE DC4 8`: erase receive and print buffers.
    ClearBuffers,
}

/// Something in the stream that prints wrongly or not at all on real devices.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Oddity {
    /// Not a command of this printer; its first bytes.
    Unknown(Vec<u8>),
    /// A command that declares more data than any printer holds; its first bytes.
    Oversized(Vec<u8>),
    /// A cut, image or code in the middle of a line: the printer ignores it.
    NotAtLineStart(&'static str),
    /// A code that cannot be drawn: bad content, or wider than the paper.
    SymbolRefused(&'static str),
    /// Text that was still in the print buffer when `ESC @` erased it.
    TextDiscarded(String),
}
