use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{StatusCode, request};
use axum::routing::{get, post};
use serde::Deserialize;
use tower::ServiceExt as _;

use super::*;

#[derive(Clone)]
struct Program {
    turns: Arc<Semaphore>,
}

impl Reading for Program {
    type Problem = Refused;

    fn body_limit(&self) -> usize {
        20
    }

    fn body_within(&self) -> Duration {
        Duration::from_secs(10)
    }

    fn large_bodies(&self) -> &Semaphore {
        &self.turns
    }
}

/// Which error it was, and its text.
struct Refused(StatusCode, String);

impl IntoResponse for Refused {
    fn into_response(self) -> axum::response::Response {
        (self.0, self.1).into_response()
    }
}

impl From<AddressError> for Refused {
    fn from(error: AddressError) -> Self {
        Self(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
    }
}

impl From<BodyError> for Refused {
    fn from(error: BodyError) -> Self {
        Self(StatusCode::PAYLOAD_TOO_LARGE, error.to_string())
    }
}

impl From<JsonError> for Refused {
    fn from(error: JsonError) -> Self {
        Self(StatusCode::BAD_REQUEST, error.to_string())
    }
}

#[derive(Deserialize)]
struct Page {
    limit: u8,
}

async fn large(State(program): State<Program>, request: Request) -> Result<Bytes, Refused> {
    Ok(read_large(request, 40, &program).await?)
}

/// What is answered to a request, by a program with so many turns.
async fn answer(turns: usize, request: request::Builder, body: Body) -> (u16, String) {
    let program = Program { turns: Arc::new(Semaphore::new(turns)) };
    let router = Router::new()
        .route("/at/{number}", get(async |Path(number): Path<u8>| number.to_string()))
        .route("/page", get(async |Query(page): Query<Page>| page.limit.to_string()))
        .route("/page", post(async |Json(page): Json<Page>| page.limit.to_string()))
        .route("/large", post(large))
        .with_state(program);
    let response = router.oneshot(request.body(body).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let text = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(text.to_vec()).unwrap())
}

async fn got(uri: &str) -> (u16, String) {
    answer(0, Request::get(uri), Body::empty()).await
}

/// A request that names its body JSON, and says its length or does not.
fn sending(uri: &str, length: Option<usize>) -> request::Builder {
    let request = Request::post(uri).header("content-type", "application/json");
    match length {
        Some(length) => request.header("content-length", length),
        None => request,
    }
}

async fn posted(turns: usize, uri: &str, body: &str, length: Option<usize>) -> (u16, String) {
    answer(turns, sending(uri, length), Body::from(body.to_owned())).await
}

#[tokio::test]
async fn what_cannot_be_read_becomes_the_programs_problem() {
    assert_eq!(got("/at/7").await, (200, "7".to_owned()));
    assert_eq!(got("/at/x").await.0, 422);
    assert_eq!(got("/page?limit=7").await, (200, "7".to_owned()));
    let (status, text) = got("/page?limit=x").await;
    assert!(status == 422 && text.contains("limit"), "{status} {text}");
    assert_eq!(posted(0, "/page", "{\"limit\": 7}", None).await, (200, "7".to_owned()));
    assert_eq!(posted(0, "/page", "{\"limit\": 777}", None).await.0, 400);
    assert_eq!(posted(0, "/page", &" ".repeat(21), None).await.0, 413);
    assert_eq!(answer(0, Request::post("/page"), Body::empty()).await.0, 413);
}

#[tokio::test]
async fn small_body_needs_no_turn() {
    assert_eq!(posted(0, "/large", &"x".repeat(20), Some(20)).await.0, 200);
    let (status, text) = posted(0, "/large", &"x".repeat(21), Some(20)).await;
    assert_eq!((status, text.as_str()), (413, "the body is larger than 20 bytes"));
}

#[tokio::test]
async fn large_body_is_read_up_to_its_own_limit() {
    assert_eq!(posted(1, "/large", &"x".repeat(40), Some(40)).await.0, 200);
    let (status, text) = posted(1, "/large", &"x".repeat(41), Some(41)).await;
    assert_eq!((status, text.as_str()), (413, "the body is larger than 40 bytes"));
}

#[tokio::test]
async fn body_that_is_large_or_of_unknown_length_waits_for_its_turn() {
    for length in [Some(21), None] {
        let program = Program { turns: Arc::new(Semaphore::new(1)) };
        let held = Arc::clone(&program.turns).try_acquire_owned().unwrap();
        let request = sending("/", length).body(Body::from("x".repeat(21))).unwrap();
        let mut reading = std::pin::pin!(read_large(request, 40, &program));
        assert!(futures_util::poll!(reading.as_mut()).is_pending());
        drop(held);
        assert_eq!(reading.await.unwrap().len(), 21);
        assert_eq!(program.turns.available_permits(), 1, "given back");
    }
}

#[tokio::test]
async fn no_large_body_is_read_when_turns_have_ended() {
    let program = Program { turns: Arc::new(Semaphore::new(1)) };
    program.turns.close();
    let request = sending("/", None).body(Body::from("{}")).unwrap();
    let error = read_large(request, 40, &program).await.unwrap_err();
    assert!(matches!(error, BodyError::Ending), "{error:?}");
}
