//! The training store sells and prints by itself, and leaves nothing behind.

use std::time::Duration;

use tillroll_register::training::{TRAINING_PIN, TRAINING_PRINTER, TrainingFolder};
use tillroll_register::{Register, RegisterOptions};

use crate::support::PATIENCE;

#[tokio::test(flavor = "multi_thread")]
async fn sales_come_by_themselves_and_are_on_paper() {
    let folder = TrainingFolder::set_up().await.unwrap();
    let options = RegisterOptions { fonts: Vec::new(), ..RegisterOptions::default() };
    let register = Register::start(folder.path(), options).await.unwrap();
    let cashier = register.cashier().await.unwrap();
    register.furnish_training(&cashier).await.unwrap();
    let sales = register.sell_for_training(cashier, Duration::from_millis(10));
    let printer = register.virtual_printer(TRAINING_PRINTER).unwrap();
    printer.wait_until(PATIENCE, |printer| printer.cut_tickets() >= 12).await.unwrap();
    register.manager(TRAINING_PIN).await.unwrap();
    let day = register.calendar().day_of(register.clock().now());
    let view = register.day(day).await.unwrap();
    assert!(view.register.refunds > 0, "a refund is among them: {:?}", view.register);
    let hours = register.hours(day).await.unwrap();
    assert!(hours.iter().map(|hour| hour.receipts).sum::<i64>() >= 12);
    sales.abort();
    register.stop().await;
    let path = folder.path().to_owned();
    drop(folder);
    assert!(!path.exists());
}
