use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::task::{Context, Poll};

use axum::body::HttpBody;
use futures_util::{Stream, stream};
use hyper::body::{Frame, SizeHint};

use super::*;

const LONG: Duration = Duration::from_secs(10);
/// Bytes of a frame.
const FRAME: usize = 1024 * 1024;

/// Frames without end, and how many were taken.
fn endless() -> (impl Stream<Item = io::Result<Bytes>>, Arc<AtomicUsize>) {
    let taken = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&taken);
    let frame = Bytes::from_static(&[b' '; FRAME]);
    let frames = stream::repeat_with(move || {
        counted.fetch_add(1, Relaxed);
        Ok(frame.clone())
    });
    (frames, taken)
}

fn named(media: &'static [u8]) -> Result<(), BodyError> {
    let value = axum::http::HeaderValue::from_bytes(media).unwrap();
    expect_json(&HeaderMap::from_iter([(header::CONTENT_TYPE, value)]))
}

#[test]
fn json_is_taken_by_its_media_type_alone() {
    for media in ["application/json", "Application/JSON", "application/json ; charset=utf-8"] {
        named(media.as_bytes()).unwrap();
    }
    for media in ["", "text/plain", "application/jsonx", "application/x-www-form-urlencoded"] {
        let error = named(media.as_bytes()).unwrap_err();
        let says = format!("Content-Type must be application/json, not {media:?}");
        assert_eq!(error.to_string(), says);
    }
    assert!(matches!(named(b"\xff"), Err(BodyError::NotJson(_))));
    assert!(matches!(expect_json(&HeaderMap::new()), Err(BodyError::NotJson(_))));
}

#[tokio::test]
async fn body_up_to_the_limit_is_read_whole() {
    let frames = || stream::iter(["ab", "cd"].map(Ok::<_, io::Error>));
    assert_eq!(read_body(Body::from_stream(frames()), 4, LONG).await.unwrap(), "abcd");
    let error = read_body(Body::from_stream(frames()), 3, LONG).await.unwrap_err();
    assert!(matches!(error, BodyError::TooLarge(3)), "{error:?}");
    assert!(read_body(Body::empty(), 0, LONG).await.unwrap().is_empty());
}

#[tokio::test]
async fn body_too_large_is_drained_so_far_and_no_further() {
    let (frames, taken) = endless();
    let error = read_body(Body::from_stream(frames), FRAME, LONG).await.unwrap_err();
    assert!(matches!(error, BodyError::TooLarge(FRAME)), "{error:?}");
    // One frame was kept, one was too much, one more than the bound was dropped.
    assert_eq!(taken.load(Relaxed), DRAINED / FRAME + 3);
}

#[tokio::test]
async fn body_that_breaks_off_keeps_its_cause() {
    let broken = Err::<Bytes, _>(io::Error::other("reset by peer"));
    let frames = stream::iter([Ok(Bytes::from_static(b"{")), broken]);
    let error = read_body(Body::from_stream(frames), 100, LONG).await.unwrap_err();
    let BodyError::BrokenOff(source) = &error else { panic!("{error:?}") };
    assert_eq!(source.to_string(), "reset by peer");
}

#[tokio::test(start_paused = true)]
async fn body_that_never_comes_is_late() {
    let frames = stream::pending::<io::Result<Bytes>>();
    let error = read_body(Body::from_stream(frames), 100, LONG).await.unwrap_err();
    assert!(matches!(error, BodyError::Late), "{error:?}");
}

#[test]
fn length_is_read_where_it_is_a_number() {
    let said = |length: &str| {
        let length = length.parse().unwrap();
        super::length(&HeaderMap::from_iter([(header::CONTENT_LENGTH, length)]))
    };
    assert_eq!((said("17"), said("-1"), said("many")), (Some(17), None, None));
    assert_eq!(super::length(&HeaderMap::new()), None);
}

#[tokio::test]
async fn body_that_is_said_to_be_larger_than_is_dropped_is_not_waited_for() {
    /// Says how long it is, and never comes.
    struct Announced(u64);

    impl HttpBody for Announced {
        type Data = Bytes;
        type Error = io::Error;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
            Poll::Pending
        }

        fn size_hint(&self) -> SizeHint {
            SizeHint::with_exact(self.0)
        }
    }

    let error = read_body(Body::new(Announced(1 << 40)), 9, LONG).await.unwrap_err();
    assert!(matches!(error, BodyError::TooLarge(9)), "{error:?}");
}
