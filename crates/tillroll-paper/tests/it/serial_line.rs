//! The printer on a pseudo terminal.

use std::{
    fs::OpenOptions,
    io::{Read, Write},
};

use tillroll_paper::{Behaviour, Personality, VirtualPrinter};

use crate::connections::LIMIT;

#[tokio::test(flavor = "multi_thread")]
async fn hosts_print_one_after_the_other_on_the_same_line() {
    let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
    let line = printer.serve_pty().unwrap();
    for job in 1..=2_u64 {
        let path = line.path().to_owned();
        let answer = tokio::task::spawn_blocking(move || {
            let mut port = OpenOptions::new().read(true).write(true).open(path).unwrap();
            port.write_all(b"serial\r\n\x11\x13\x1dVB\x00\x1dr1").unwrap();
            let mut answer = [0xFF];
            port.read_exact(&mut answer).unwrap();
            answer
        });
        assert_eq!(tokio::time::timeout(LIMIT, answer).await.unwrap().unwrap(), [0]);
        let tickets = printer.wait_for_tickets(job, LIMIT).await.unwrap();
        assert_eq!(tickets[job as usize - 1].text(), "serial\n");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn host_of_an_unplugged_line_is_hung_up() {
    let printer = VirtualPrinter::new(Behaviour::new(Personality::Token));
    let line = printer.serve_pty().unwrap();
    let mut port = OpenOptions::new().read(true).write(true).open(line.path()).unwrap();
    port.write_all(b"\x1dr1").unwrap();
    let mut answer = [0xFF];
    port.read_exact(&mut answer).unwrap();
    drop(line);
    let ended = tokio::task::spawn_blocking(move || port.read(&mut answer));
    let read = tokio::time::timeout(LIMIT, ended).await.unwrap().unwrap();
    assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
}
