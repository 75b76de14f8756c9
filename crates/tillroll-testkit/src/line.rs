//! A line between a device and the cloud, in memory and by seed: messages that are late, come twice or get
//! lost, calls that break with or without anybody noticing.
//!
//! Invariants:
//! - Messages of one direction of a call keep their order, as on TCP: a packet that is lost holds up those
//!   behind it until it has been sent again.
//! - What is under way when a call breaks never arrives.
//! - Nothing but the seed and tokio's time decides what happens.

mod carrier;

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use self::carrier::Carrier;
use crate::Dice;

/// TCP sends a lost packet again after so long, then after twice as long, ... (Linux, RFC 6298 with a
/// minimum of 200 ms).
const SENT_AGAIN: Duration = Duration::from_millis(200);
/// A packet gets lost so often in a row at most.
const LOST_IN_A_ROW: u32 = 6;
/// Who calls a line that is down hears that at once, or hears nothing and asks again after so long each
/// (Linux, RFC 6298), until it gives up.
const ASKED_AGAIN: [Duration; 4] = [
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
    Duration::from_secs(8),
];
/// Messages under way in each direction of a call.
const WINDOW: usize = 256;

/// What a line does to what it carries.
#[derive(Debug, Clone)]
pub struct Weather {
    /// From one end to the other.
    pub latency: Range<Duration>,
    /// Packets lost, of a thousand; each is sent again.
    pub lost: u32,
    /// Messages held up, of a thousand, ...
    pub late: u32,
    /// ... for so long.
    pub late_by: Range<Duration>,
    /// Messages that arrive twice, of a thousand.
    pub twice: u32,
}

impl Weather {
    /// A line that does nothing but take its time.
    #[must_use]
    pub fn calm() -> Self {
        let ms = Duration::from_millis;
        Self { latency: ms(5)..ms(40), lost: 0, late: 0, late_by: ms(0)..ms(0), twice: 0 }
    }
}

/// How soon each end notices that a call broke.
#[derive(Debug, Clone, Copy, Default)]
pub struct Noticed {
    /// The device.
    pub device: Duration,
    /// The cloud.
    pub cloud: Duration,
}

/// A line. Clones are the same line.
#[derive(Clone)]
pub struct Line(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// How often its calls broke.
    breaks: watch::Sender<u64>,
}

struct State {
    dice: Dice,
    weather: Weather,
    slower_by: Duration,
    is_up: bool,
    noticed: Noticed,
}

/// No connection, or it broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken;

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the line is cut")
    }
}

impl std::error::Error for Broken {}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("is_up", &self.is_up()).finish_non_exhaustive()
    }
}

impl Line {
    /// A line that is up.
    #[must_use]
    pub fn new(dice: Dice, weather: Weather) -> Self {
        let (slower_by, noticed) = (Duration::ZERO, Noticed::default());
        let state = State { dice, weather, slower_by, is_up: true, noticed };
        Self(Arc::new(Shared { state: Mutex::new(state), breaks: watch::Sender::new(0) }))
    }

    /// Breaks every call; none can be made until it is restored.
    pub fn cut(&self, noticed: Noticed) {
        self.state().is_up = false;
        self.break_calls(noticed);
    }

    /// Breaks every call; others can be made at once.
    pub fn break_calls(&self, noticed: Noticed) {
        self.state().noticed = noticed;
        self.0.breaks.send_modify(|breaks| *breaks += 1);
    }

    /// Calls can be made again.
    pub fn restore(&self) {
        self.state().is_up = true;
    }

    /// Every message takes so much longer from now on.
    pub fn slow_by(&self, time: Duration) {
        self.state().slower_by = time;
    }

    /// Whether calls can be made.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.state().is_up
    }

    /// Makes a call, in one round trip.
    ///
    /// # Errors
    /// [`Broken`] when the line is down, or went down meanwhile.
    pub async fn dial(&self) -> Result<Call, Broken> {
        if !self.is_up() {
            self.ask_again().await?;
        }
        let call = Call { line: self.clone(), born: *self.0.breaks.borrow() };
        call.pass().await?;
        call.pass().await?;
        Ok(call)
    }

    /// Calls a line that is down.
    async fn ask_again(&self) -> Result<(), Broken> {
        let is_silent = self.state().dice.per_mille(500);
        if !is_silent {
            sleep(self.way()).await;
            return Err(Broken);
        }
        for pause in ASKED_AGAIN {
            sleep(pause).await;
            if self.is_up() {
                return Ok(());
            }
        }
        Err(Broken)
    }

    /// How long the next message takes.
    fn way(&self) -> Duration {
        self.state().way()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn way(&mut self) -> Duration {
        let Self { dice, weather, .. } = self;
        let mut way = dice.within(&weather.latency) + self.slower_by;
        let mut lost = 0;
        while lost < LOST_IN_A_ROW && dice.per_mille(weather.lost) {
            way += SENT_AGAIN * 2_u32.pow(lost);
            lost += 1;
        }
        if dice.per_mille(weather.late) {
            way += dice.within(&weather.late_by);
        }
        way
    }

    fn comes_twice(&mut self) -> bool {
        self.dice.per_mille(self.weather.twice)
    }
}

/// Which way messages go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From the device to the cloud.
    Up,
    /// From the cloud to the device.
    Down,
}

/// A call over a line, until it breaks.
#[derive(Debug, Clone)]
pub struct Call {
    line: Line,
    born: u64,
}

impl Call {
    /// Waits until the call breaks; whether anybody notices then is another matter.
    pub async fn broken(&self) {
        let mut breaks = self.line.0.breaks.subscribe();
        // The sender lives as long as the line.
        let _ = breaks.wait_for(|breaks| *breaks != self.born).await;
    }

    /// The way of one message of its own, such as a request.
    ///
    /// # Errors
    /// [`Broken`], once the device notices.
    pub async fn pass(&self) -> Result<(), Broken> {
        let way = self.line.way();
        tokio::select! {
            biased;
            () = self.broken() => {
                sleep(self.noticed().device).await;
                Err(Broken)
            }
            () = sleep(way) => Ok(()),
        }
    }

    /// One direction of the call: what goes in at one end comes out at the other. An end that is closed in
    /// order is seen behind the last message; after a break each end closes once its side notices. Must be
    /// called in a runtime.
    #[must_use]
    pub fn carry<T: Clone + Send + 'static>(
        &self,
        way: Way,
    ) -> (mpsc::Sender<T>, mpsc::Receiver<T>) {
        let (sender, from) = mpsc::channel(WINDOW);
        let (to, receiver) = mpsc::channel(WINDOW);
        tokio::spawn(Carrier::new(self.clone(), way, from, to).run());
        (sender, receiver)
    }

    fn noticed(&self) -> Noticed {
        self.line.state().noticed
    }
}

#[cfg(test)]
mod tests;
