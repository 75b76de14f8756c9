//! A register's end of the push channel that costs as little as it can.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};

use anyhow::{Context as _, Result, ensure};
use futures_util::{SinkExt as _, StreamExt as _};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::{Confirmation, JobState};
use tillroll_domain::printer::StopReason;
use tillroll_wire::PROTOCOL;
use tillroll_wire::channel::{ClockReading, Down, Hello, JobResult, PrinterReport, Up};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::chain::{INSTALLATION, Till};

/// Both buffers of a connection.
const BUFFER: usize = 1_024;

/// A connection.
pub struct Line(WebSocketStream<TcpStream>);

/// What a printer says of itself first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printer {
    /// It can take a job.
    Ready,
    /// It is out of paper.
    Empty,
}

impl Line {
    /// Connects from an address of this machine; nothing is said yet.
    pub async fn open(from: IpAddr, to: SocketAddr, credential: &str) -> Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::new(from, 0))?;
        let stream = socket.connect(to).await?;
        stream.set_nodelay(true)?;
        let mut request = format!("ws://{to}/v1/channel").into_client_request()?;
        request.headers_mut().insert("authorization", format!("Bearer {credential}").parse()?);
        let config = WebSocketConfig::default().read_buffer_size(BUFFER).write_buffer_size(BUFFER);
        let (socket, _) = client_async_with_config(request, stream, Some(config)).await?;
        Ok(Self(socket))
    }

    /// Connects as a register and waits for its welcome.
    pub async fn greeted(
        from: IpAddr,
        to: SocketAddr,
        till: &Till,
        printer: Printer,
    ) -> Result<Self> {
        let mut line = Self::open(from, to, &till.credential).await?;
        line.say(&Up::Hello(hello(till, printer))).await?;
        let said = line.hear().await?;
        ensure!(matches!(said, Down::Welcome { .. }), "no welcome: {said:?}");
        Ok(line)
    }

    /// Says something.
    pub async fn say(&mut self, message: &Up) -> Result<()> {
        Ok(self.0.send(Message::text(serde_json::to_string(message)?)).await?)
    }

    /// The next message. Dropping this loses nothing.
    pub async fn hear(&mut self) -> Result<Down> {
        loop {
            let message = self.0.next().await.context("the dispatcher closed the connection")??;
            if let Message::Text(text) = message {
                return Ok(serde_json::from_str(&text)?);
            }
        }
    }

    /// Answers pings until the connection ends; nothing else is expected.
    pub async fn idle(mut self) {
        while let Some(Ok(_)) = self.0.next().await {}
    }
}

/// The hello of a register with one printer.
pub fn hello(till: &Till, printer: Printer) -> Hello {
    let ready = printer == Printer::Ready;
    let reason = (!ready).then_some(StopReason::PaperEnd);
    Hello {
        protocol: PROTOCOL,
        installation: INSTALLATION.to_owned(),
        epoch: 1,
        program: "bench".to_owned(),
        clock: ClockReading { now: SystemClock.now(), boot_ms: 1 },
        printers: vec![PrinterReport { name: till.printer.clone(), ready, reason }],
        routes: BTreeMap::new(),
    }
}

/// A job is on paper.
pub fn printed(id: JobId) -> Up {
    Up::Result(JobResult {
        id,
        state: JobState::Printed,
        reason: None,
        confirmation: Some(Confirmation::Token),
        row_version: 3,
        at: SystemClock.now(),
    })
}
