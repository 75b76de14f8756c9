//! A till with its database, a head office in memory, and the workers between them.

mod clock;
mod office;
mod printers;
mod till;

use std::time::Duration;

use tillroll_store::NewCloud;
use tillroll_sync::{Cloud, CloudStatus, Setup, Timings};

pub use self::clock::TestClock;
pub use self::office::{Fault, Office, Session, unreachable};
pub use self::printers::TestPrinters;
pub use self::till::Till;

/// Nothing in these tests takes longer, on a loaded machine.
pub const LIMIT: Duration = Duration::from_secs(20);

/// Limits of milliseconds.
pub fn fast() -> Timings {
    let ms = Duration::from_millis;
    Timings {
        upload: ms(500),
        repeat_again: ms(300),
        connect: ms(500),
        welcome: ms(500),
        tell_again: ms(50),
        repair_every: ms(50),
        ..Timings::default()
    }
}

/// Workers that compare the books only when a test wants it.
pub fn without_repair() -> Timings {
    Timings { repair_every: Duration::from_secs(3_600), ..fast() }
}

/// Starts the workers of a till that is paired with an office.
pub async fn start(till: &Till, office: &Office, timings: Timings) -> Cloud {
    pair(till).await;
    Cloud::start(Setup {
        store: till.store.clone(),
        clock: till.clock.shared(),
        link: office.clone(),
        printers: till.printers.clone(),
        random: || 0,
        program: "test".into(),
        timings,
    })
}

/// As after a pairing.
pub async fn pair(till: &Till) {
    let cloud = NewCloud {
        url: "http://127.0.0.1:1".into(),
        store_uid: "uid".into(),
        store_name: "shop".into(),
    };
    till.store.pair_cloud(cloud, till.now()).await.unwrap();
}

/// Polls until a value is as wished.
pub async fn until<T: std::fmt::Debug>(
    what: &str,
    mut look: impl AsyncFnMut() -> T,
    wished: impl Fn(&T) -> bool,
) -> T {
    let last = std::cell::RefCell::new(None);
    let poll = async {
        loop {
            let value = look().await;
            if wished(&value) {
                return value;
            }
            *last.borrow_mut() = Some(value);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let found = tokio::time::timeout(LIMIT, poll).await;
    found.unwrap_or_else(|_| panic!("{what}: {:?}", last.borrow()))
}

/// Waits for a status.
pub async fn status(
    cloud: &Cloud,
    what: &str,
    wished: impl Fn(&CloudStatus) -> bool,
) -> CloudStatus {
    until(what, async || cloud.status(), wished).await
}
