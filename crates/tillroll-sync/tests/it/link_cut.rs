//! A network that is away, and a server that drops what it accepts, on a paused clock.

use std::time::Duration;

use tillroll_sync::{Connectivity, Timings};
use tokio::time::sleep;

use crate::support::{Office, Till, start, unreachable};

/// Workers on a clock that is paused once the database is at rest.
async fn paused(office_is: impl FnOnce(&Office)) -> (Till, Office, tillroll_sync::Cloud) {
    let till = Till::new().await;
    let office = Office::new(&till.clock);
    office_is(&office);
    let cloud = start(&till, &office, Timings::default()).await;
    tokio::time::pause();
    (till, office, cloud)
}

/// A backoff that never grows (iOfficeAI/AionUi#4156), while a person asks for a try every 15 s.
#[tokio::test]
async fn server_that_accepts_and_drops_is_connected_to_twenty_times_in_five_minutes_at_most() {
    let (_till, office, cloud) = paused(|office| office.state().drops_channels = true).await;
    for _ in 0..20 {
        cloud.retry();
        sleep(Duration::from_secs(15)).await;
    }
    let channels = office.state().channels;
    assert!((8..=20).contains(&channels), "{channels}");
    assert!(matches!(cloud.status().connection, Connectivity::Offline { .. }));
}

#[tokio::test]
async fn network_that_comes_back_after_hours_is_used_within_two_seconds() {
    let (till, office, cloud) =
        paused(|office| office.state().channel_fault = Some(unreachable)).await;
    sleep(Duration::from_secs(3 * 3_600)).await;
    let Connectivity::Offline { since, cause } = cloud.status().connection else {
        panic!("online")
    };
    assert!(till.now().duration_since(since).as_hours() >= 2, "since the beginning: {since}");
    assert!(cause.contains("scripted"), "{cause}");
    office.state().channel_fault = None;
    let back = tokio::time::Instant::now();
    office.unwelcomed().await;
    assert!(back.elapsed() <= Duration::from_secs(2), "{:?}", back.elapsed());
}

#[tokio::test]
async fn attempt_that_hangs_is_joined_by_one_that_gets_through() {
    let (_till, office, _cloud) = paused(|office| office.state().channels_hang = true).await;
    sleep(Duration::from_secs(3_600)).await;
    office.state().channels_hang = false;
    let back = tokio::time::Instant::now();
    office.unwelcomed().await;
    assert!(back.elapsed() <= Duration::from_secs(2), "{:?}", back.elapsed());
}
