//! `paper`: the virtual printer as a program.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use rustix::process::Signal;

use crate::program::{Printer, Running, eventually, journal, tillctl};

fn send(printer: &Printer, bytes: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(printer.running.address()).unwrap();
    stream.write_all(bytes).unwrap();
    stream
}

#[test]
fn finished_ticket_becomes_text_pictures_and_a_line_of_the_journal() {
    let printer = Printer::start([]);
    send(&printer, b"hello\n\x1dV\x00");
    let entry = eventually("the ticket", || printer.journal().pop());
    assert_eq!((&entry["number"], &entry["complete"]), (&1.into(), &true.into()));
    assert_eq!(entry["cut"], "full");
    let digest = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    assert_eq!(entry["text_sha256"], digest, "SHA-256 of hello and a line feed");
    assert_eq!(fs::read_to_string(printer.folder().join("0001.txt")).unwrap(), "hello\n");
    let picture = eventually("the picture", || fs::read(printer.folder().join("0001.png")).ok());
    assert!(picture.starts_with(b"\x89PNG"));
    assert!(printer.folder().join("0001.svg").exists());
}

#[test]
fn unfinished_ticket_is_kept_when_the_pipe_is_closed() {
    let mut printer = Printer::start(["--no-pictures"]);
    let mut stream = send(&printer, b"whole\n\x1dV\x00half\n\x1dr\x01");
    // In order: the answer comes when everything before it is printed.
    stream.read_exact(&mut [0]).unwrap();
    printer.running.close_input();
    printer.running.wait();
    let entries = printer.journal();
    let complete: Vec<_> = entries.iter().map(|entry| &entry["complete"]).collect();
    assert_eq!(complete, [true, false]);
    assert_eq!(fs::read_to_string(printer.folder().join("0002.txt")).unwrap(), "half\n");
}

#[test]
fn numbers_go_on_in_a_folder_that_has_paper() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    for tickets in [1, 2] {
        let arguments = ["paper", "--listen", "127.0.0.1:0", "--out", &out, "--no-pictures"];
        let running = Running::start(tillctl().args(arguments));
        let mut stream = TcpStream::connect(running.address()).unwrap();
        stream.write_all(format!("ticket {tickets}\n\x1dV\x01").as_bytes()).unwrap();
        eventually("the ticket", || (journal(folder.path()).len() == tickets).then_some(()));
        running.signal(Signal::TERM);
        assert!(running.ended().0.success());
    }
    assert_eq!(fs::read_to_string(folder.path().join("0002.txt")).unwrap(), "ticket 2\n");
    assert!(!folder.path().join("0001.png").exists());
}

#[test]
fn unknown_command_is_answered_and_changes_nothing() {
    let mut printer = Printer::start([]);
    assert!(printer.running.tell("paper full")["error"].is_string());
    assert_eq!(printer.running.tell("cover open")["done"], "cover open");
    let mut status = [0];
    let mut stream = send(&printer, b"\x10\x04\x02");
    stream.read_exact(&mut status).unwrap();
    assert_eq!(status[0] & 0x04, 0x04, "DLE EOT 2 shows the open cover");
}

#[test]
fn fault_strikes_at_its_byte() {
    let printer = Printer::start(["--fault", "reset-after-bytes=4"]);
    let mut stream = send(&printer, b"abcdefgh\n");
    let broken = stream.read(&mut [0]);
    assert!(matches!(broken, Err(_) | Ok(0)), "{broken:?}");
}

#[test]
fn printer_without_standard_input_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display().to_string();
    let mut command = tillctl();
    command.args(["paper", "--listen", "127.0.0.1:0", "--out", &out, "--no-pictures"]);
    let running = Running::without_input(&mut command);
    let mut stream = TcpStream::connect(running.address()).unwrap();
    stream.write_all(b"on\n\x1dV\x00").unwrap();
    eventually("the ticket", || journal(folder.path()).pop());
}
