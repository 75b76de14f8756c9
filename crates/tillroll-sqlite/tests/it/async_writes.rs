//! The async forms on both kinds of runtime and without one.

use std::time::Duration;

use tillroll_sqlite::WriteError;
use tillroll_sqlite::rusqlite;
use tokio::runtime::{Builder, Runtime};

use crate::support::{Till, read_numbers, sale};

fn multi_thread() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

fn current_thread() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

fn a_hundred_tasks_store_a_hundred_sales(runtime: &Runtime) {
    let till = Till::new();
    runtime.block_on(async {
        let tasks: Vec<_> = (0..100)
            .map(|number| {
                let database = till.database.clone();
                tokio::spawn(async move { database.write_async(sale(number, 100)).await })
            })
            .collect();
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        let mut numbers = till.database.read_async(read_numbers).await.unwrap();
        numbers.sort_unstable();
        assert_eq!(numbers, (0..100).collect::<Vec<_>>());
    });
    assert!(till.database.health().commits < 100);
}

#[test]
fn tasks_share_commits_on_a_multi_thread_runtime() {
    a_hundred_tasks_store_a_hundred_sales(&multi_thread());
}

#[test]
fn tasks_share_commits_on_a_current_thread_runtime() {
    a_hundred_tasks_store_a_hundred_sales(&current_thread());
}

#[test]
fn lone_task_commits_on_its_own_thread_of_a_multi_thread_runtime() {
    let till = Till::new();
    let same = multi_thread().block_on(async move {
        tokio::spawn(async move {
            let here = std::thread::current().id();
            let there = till
                .database
                .write_async(|_| Ok::<_, rusqlite::Error>(std::thread::current().id()))
                .await;
            there.unwrap() == here
        })
        .await
        .unwrap()
    });
    assert!(same);
}

#[test]
fn current_thread_runtime_goes_on_during_a_slow_write() {
    let till = Till::new();
    current_thread().block_on(async {
        let (release, released) = std::sync::mpsc::channel::<()>();
        let write = till.database.write_async(move |c| {
            released.recv_timeout(Duration::from_secs(10)).expect("the runtime stood still");
            sale(1, 10)(c)
        });
        let other = async move { release.send(()).unwrap() };
        let (stored, ()) = tokio::join!(write, other);
        stored.unwrap();
    });
}

#[test]
fn dropped_future_does_not_take_its_write_back() {
    let till = Till::new();
    current_thread().block_on(async {
        let write = tokio::time::timeout(Duration::ZERO, till.database.write_async(sale(1, 10)));
        assert!(write.await.is_err() || till.database.health().writes == 1);
    });
    let stored = till.database.write(read_numbers).unwrap();
    assert_eq!(stored, [1]);
}

#[test]
fn async_write_needs_no_runtime() {
    let till = Till::new();
    let mut write = Box::pin(till.database.write_async(sale(7, 10)));
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    crate::support::wait_until("the write is answered", || {
        write.as_mut().poll(&mut context).is_ready()
    });
    drop(write);
    assert_eq!(crate::support::numbers(&till.database), [7]);
}

#[test]
fn async_write_after_close_is_refused() {
    let till = Till::new();
    let database = till.database.clone();
    till.database.close().unwrap();
    for runtime in [multi_thread(), current_thread()] {
        let answer = runtime.block_on(database.write_async(sale(1, 10)));
        assert!(matches!(answer, Err(WriteError::Closed)), "{answer:?}");
    }
}
