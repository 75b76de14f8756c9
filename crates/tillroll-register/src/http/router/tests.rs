use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use axum::routing::{get, post};
use tillroll_store::{RegisterSettings, StoreError};
use tower::ServiceExt as _;

use super::*;
use crate::RegisterOptions;
use crate::http::{PROBLEM_JSON, ProblemDocument};
use crate::problem::Problem;

async fn register(folder: &std::path::Path) -> Register {
    let settings = RegisterSettings {
        store: "S1".parse().unwrap(),
        register: "R1".parse().unwrap(),
        zone: "UTC".to_owned(),
        cutoff: "00:00".to_owned(),
        currency: "EUR".parse().unwrap(),
        locale: "en".to_owned(),
    };
    Register::init(folder, settings).await.unwrap();
    let options = RegisterOptions { fonts: Vec::new(), ..RegisterOptions::default() };
    Register::start(folder, options).await.unwrap()
}

/// What a route answers that is not one of the register's own.
async fn answer_of(
    method: &str,
    route: axum::routing::MethodRouter<Api>,
) -> (u16, ProblemDocument) {
    let folder = tempfile::tempdir().unwrap();
    let api = Api::new(register(folder.path()).await, HttpSettings::default(), None);
    let router = guarded(Router::new().route("/route", route), api);
    let request = Request::builder().method(method).uri("/route").header("host", "localhost");
    let response = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.headers()["content-type"], PROBLEM_JSON);
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap())
}

async fn panics() -> StatusCode {
    panic!("secret of the inside")
}

#[tokio::test]
async fn panic_is_a_problem_without_its_text() {
    for (method, route) in [("GET", get(panics)), ("POST", post(panics))] {
        let (status, problem) = answer_of(method, route).await;
        assert_eq!((status, problem.code.as_str()), (500, "internal"));
        assert!(!problem.detail.contains("secret"), "{}", problem.detail);
    }
}

#[tokio::test]
async fn faults_of_the_disk_say_whether_to_ask_again() {
    for (error, status, code) in [
        (StoreError::OutcomeUnknown, 503, "outcome_unknown"),
        (StoreError::DiskFull, 507, "disk_full"),
        (StoreError::Unavailable, 503, "unavailable"),
    ] {
        let error = Arc::new(std::sync::Mutex::new(Some(error)));
        let fails = move || {
            let error = error.lock().unwrap().take().unwrap();
            async move { Err::<(), _>(Problem::from(error)) }
        };
        let (answered, problem) = answer_of("POST", post(fails)).await;
        assert_eq!((answered, problem.code.as_str()), (status, code));
        assert_eq!(problem.status, status);
    }
}

#[tokio::test]
async fn fault_of_the_inside_does_not_tell_its_source() {
    let fails =
        || async { Err::<(), _>(Problem::from(StoreError::Unreadable("row 7".to_owned()))) };
    let (status, problem) = answer_of("GET", get(fails)).await;
    assert_eq!((status, problem.code.as_str()), (500, "internal"));
    assert!(!problem.detail.contains("row 7"));
}
