//! A till program: one kept HTTP connection that costs as little as it can.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use tillroll_testkit::receipts;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::receipt_rows::LINES;

const END_OF_HEAD: &[u8] = b"\r\n\r\n";
const LENGTH: &str = "content-length: ";

/// A request of one kind, all but its order number.
#[derive(Clone)]
pub struct Template {
    before_number: Arc<str>,
    after_number: Arc<str>,
    expected: u16,
}

impl Template {
    /// Hands over a receipt.
    pub fn receipt(address: SocketAddr, token: &str) -> Result<Self> {
        Self::post(address, "/v1/receipts", token, &receipts::json(&receipts::long(1, LINES)))
    }

    /// Makes something new of a body in which `L1-000001` stands for its number.
    pub fn post(address: SocketAddr, path: &str, token: &str, json: &str) -> Result<Self> {
        let (before, after) = json.split_once("L1-000001").context("no number in the body")?;
        let length = before.len() + number(0).len() + after.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        Ok(Self {
            before_number: format!("{head}{before}").into(),
            after_number: after.into(),
            expected: 201,
        })
    }

    /// Asks for something whose body is always the same.
    pub fn ask_for(address: SocketAddr, path: &str, token: &str, json: &str) -> Self {
        let length = json.len();
        Self {
            before_number: format!("POST {path}?n=").into(),
            after_number: format!(
                " HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n\
                 content-type: application/json\r\ncontent-length: {length}\r\n\r\n{json}"
            )
            .into(),
            expected: 200,
        }
    }

    /// Asks how the register is: the price of HTTP without a receipt.
    pub fn health(address: SocketAddr) -> Self {
        Self {
            before_number: "GET /healthz?n=".into(),
            after_number: format!(" HTTP/1.1\r\nhost: {address}\r\n\r\n").into(),
            expected: 200,
        }
    }

    fn request(&self, n: u64) -> String {
        format!("{}{}{}", self.before_number, number(n), self.after_number)
    }
}

fn number(n: u64) -> String {
    format!("L1-{n:09}")
}

/// A kept connection.
pub struct Client {
    stream: TcpStream,
    template: Template,
    answer: Vec<u8>,
}

impl Client {
    /// Connects.
    pub async fn connect(address: SocketAddr, template: Template) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, template, answer: Vec::new() })
    }

    /// Sends request number `n` and waits for the whole answer.
    pub async fn ask(&mut self, n: u64) -> Result<()> {
        self.stream.write_all(self.template.request(n).as_bytes()).await?;
        self.answer.clear();
        while !is_whole(&self.answer)? {
            let read = self.stream.read_buf(&mut self.answer).await?;
            ensure!(read > 0, "the register closed the connection");
        }
        let expected = format!("HTTP/1.1 {}", self.template.expected);
        let answer = String::from_utf8_lossy(&self.answer);
        ensure!(answer.starts_with(&expected), "unexpected answer: {answer}");
        Ok(())
    }
}

fn is_whole(answer: &[u8]) -> Result<bool> {
    let end = answer.windows(END_OF_HEAD.len()).position(|part| part == END_OF_HEAD);
    let Some(end) = end else { return Ok(false) };
    let head = std::str::from_utf8(&answer[..end])?;
    let length = head.lines().find_map(|line| line.strip_prefix(LENGTH)).context("no length")?;
    Ok(answer.len() >= end + END_OF_HEAD.len() + length.parse::<usize>()?)
}
