use std::task::Waker;

use tokio::sync::oneshot;

use super::*;

#[tokio::test]
async fn future_dropped_after_it_began_runs_to_its_end() {
    let (go_on, asked) = oneshot::channel();
    let (done, is_done) = oneshot::channel();
    let mut waiting = ToItsEnd::new(async move {
        asked.await.unwrap();
        done.send(()).unwrap();
    });
    let mut context = Context::from_waker(Waker::noop());
    assert!(Pin::new(&mut waiting).poll(&mut context).is_pending());
    drop(waiting);
    go_on.send(()).unwrap();
    is_done.await.unwrap();
}

#[tokio::test]
async fn future_that_panicked_is_not_run_again() {
    let (held, is_held) = oneshot::channel::<()>();
    let panicking = tokio::spawn(ToItsEnd::new(async move {
        let _held = held;
        std::panic::resume_unwind(Box::new("a bug"));
    }));
    assert!(panicking.await.unwrap_err().is_panic());
    assert!(is_held.await.is_err(), "dropped with the panic");
}

#[test]
fn without_a_runtime_it_is_only_dropped() {
    drop(ToItsEnd::new(std::future::pending::<()>()));
}
