//! The printer before hosts and encoders that others wrote: npm receiptio and receiptline.

use std::{
    net::Ipv4Addr,
    path::{Path, PathBuf},
    process::Stdio,
};

use tillroll_paper::{Behaviour, Device, Paper, Personality, Roll, VirtualPrinter};
use tokio::{io::AsyncWriteExt, net::TcpListener, process::Command, time::timeout};

use crate::{connections::LIMIT, pictures::codes};

fn oracles() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracles");
    assert!(
        folder.join("node_modules/receiptio").is_dir(),
        "{} has no node modules; run `make oracles`",
        folder.display()
    );
    folder
}

/// Runs a program of the oracles with `input`; what it wrote to both outputs.
async fn run(arguments: &[&str], input: &str) -> (Vec<u8>, String) {
    let mut child = Command::new("node")
        .args(arguments)
        .current_dir(oracles())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("node (Debian package nodejs) is needed");
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).await.unwrap();
    drop(stdin);
    let output = timeout(LIMIT * 3, child.wait_with_output()).await.expect("node ends").unwrap();
    (output.stdout, String::from_utf8(output.stderr).unwrap().trim().to_owned())
}

/// A printer on the only port receiptio knows, at a loopback address of its own.
async fn printer(behaviour: Behaviour, last: u8) -> (VirtualPrinter, String) {
    let process = std::process::id();
    let address = Ipv4Addr::new(127, (process >> 8) as u8 | 1, process as u8, last);
    let listener = TcpListener::bind((address, 9100)).await.unwrap();
    let printer = VirtualPrinter::new(behaviour);
    let served = printer.clone();
    tokio::spawn(async move { served.serve_tcp(listener, std::future::pending()).await });
    (printer, address.to_string())
}

async fn receiptio(address: &str, options: &[&str], receipt: &str) -> String {
    let program = ["node_modules/receiptio/bin/cli.js", "-d", address];
    run(&[&program[..], options].concat(), receipt).await.1
}

#[tokio::test]
async fn receiptio_prints_with_success() {
    let (printer, address) = printer(Behaviour::new(Personality::InOrder), 1).await;
    let result = receiptio(&address, &["-p", "generic"], "^Bakery\nBread | 2.50\n---\n").await;
    assert_eq!(result, "success");
    let tickets = printer.wait_for_tickets(1, LIMIT).await.unwrap();
    let text = tickets[0].text();
    assert!(text.contains("B a k e r y"), "{text}");
    assert!(text.contains("Bread") && text.contains("2.50"), "{text}");
    assert_eq!(tickets[0].oddities, []);
}

#[tokio::test]
async fn receiptio_recognises_an_epson_and_its_codes_read_back() {
    let device = Device { maker: "EPSON".into(), model: "TM-T20III".into(), ..Device::mm80() };
    let behaviour = Behaviour { device, ..Behaviour::new(Personality::Token) };
    let (printer, address) = printer(behaviour, 2).await;
    let receipt = "Total | 1.00\n\n{c:https://example.test;o:qrcode,4,m}\n\n{c:20261009;o:code128,2,72,hri}\n";
    assert_eq!(receiptio(&address, &[], receipt).await, "success");
    let text = printer.wait_for_tickets(1, LIMIT).await.unwrap()[0].text();
    assert!(text.contains("[CODE128: 20261009]"), "{text}");
    assert!(text.contains("[image 100x100]"), "receiptio draws QR codes itself: {text}");
    let read = codes(&printer.roll());
    assert_eq!(read, ["CODE-128:20261009", "QR-Code:https://example.test"]);
}

#[tokio::test]
async fn receiptio_sees_the_condition_of_the_printer() {
    let (printer, address) = printer(Behaviour::new(Personality::Realtime), 3).await;
    assert_eq!(receiptio(&address, &["-q"], "").await, "online");
    printer.set_cover(true);
    assert_eq!(receiptio(&address, &["-q"], "").await, "coveropen");
    assert_eq!(receiptio(&address, &[], "text").await, "coveropen");
    printer.set_cover(false);
    printer.set_paper(Paper::End);
    assert_eq!(receiptio(&address, &["-q"], "").await, "paperempty");
    assert_eq!(printer.tickets().len(), 0);
}

#[tokio::test]
async fn receiptio_times_out_on_a_printer_that_confirms_nothing() {
    let (printer, address) = printer(Behaviour::new(Personality::Realtime), 4).await;
    assert_eq!(receiptio(&address, &["-p", "generic", "-t", "1"], "text").await, "timeout");
    assert_eq!(printer.wait_for_tickets(1, LIMIT).await.unwrap()[0].text().trim(), "text");
}

const RECEIPT: &str =
    "^^老王面馆\n\n红烧牛肉面（大碗） | ￥28.00\nA-1 | 2 | 56.00\n---\n合计 | ￥56.00\n谢谢光临\n";

/// What receiptline makes of a receipt: `command` is one of its printer languages or `text`.
async fn receiptline(command: &str, encoding: &str, receipt: &str) -> Vec<u8> {
    let script = format!(
        "const {{ transform }} = require('receiptline');
         const receipt = require('fs').readFileSync(0, 'utf8');
         const printer = {{ cpl: 32, encoding: '{encoding}', command: '{command}', spacing: true }};
         const encoding = '{command}' === 'text' ? 'utf8' : 'latin1';
         const done = made => process.stdout.write(Buffer.from(made, encoding));
         Promise.resolve(transform(receipt, printer)).then(done);"
    );
    let (made, errors) = run(&["-e", &script], receipt).await;
    assert_eq!(errors, "");
    made
}

/// Text with ruled lines as receiptline's own text output draws them.
fn plain(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.replace('─', "-").trim_end().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

#[tokio::test]
async fn receiptline_chinese_receipt_prints_as_receiptline_says() {
    for command in ["escpos", "generic"] {
        let bytes = receiptline(command, "gb18030", RECEIPT).await;
        let expected = receiptline("text", "gb18030", RECEIPT).await;
        let roll = Roll::preview(Device::mm58(), &bytes);
        let printed: String = roll.tickets().map(|ticket| ticket.text()).collect();
        assert_eq!(plain(&printed), plain(&String::from_utf8(expected).unwrap()), "{command}");
    }
}

#[tokio::test]
async fn receiptline_receipts_of_other_scripts_print_as_receiptline_says() {
    let receipts = [
        ("cp858", None, "Crème brûlée | 4,50 €\n---\nTotal | 4,50 €\n"),
        ("cp866", None, "Хлеб | 2,50\n"),
        (
            "shiftjis",
            Some(tillroll_paper::device::Cjk::ShiftJis),
            "ラーメン大盛り | 980\n---\nｶﾀｶﾅ | 1\n",
        ),
        ("big5", Some(tillroll_paper::device::Cjk::Big5), "牛肉麵 | 120\n"),
        ("ksc5601", Some(tillroll_paper::device::Cjk::Ksc), "비빔밥 | 9000\n"),
    ];
    for (encoding, cjk, receipt) in receipts {
        let bytes = receiptline("escpos", encoding, receipt).await;
        let expected = receiptline("text", encoding, receipt).await;
        let device = Device { cjk, ..Device::mm58() };
        let roll = Roll::preview(device, &bytes);
        let printed: String = roll.tickets().map(|ticket| ticket.text()).collect();
        assert_eq!(plain(&printed), plain(&String::from_utf8(expected).unwrap()), "{encoding}");
    }
}
