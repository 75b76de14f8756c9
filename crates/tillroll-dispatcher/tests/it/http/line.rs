//! A register's end of the push channel, played by hand.

use std::collections::VecDeque;
use std::fmt::Display;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::StatusCode;
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock as _;
use tillroll_domain::print_job::{Confirmation, JobState};
use tillroll_wire::channel::{ClockReading, Down, Hello, JobResult, PrinterReport, Push, Up};
use tillroll_wire::{Code, PROTOCOL};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::support::{Cloud, installation};

pub struct Line {
    pub socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Pushes that came while something else was waited for.
    pushes: VecDeque<Push>,
}

/// A hello of a register with one ready printer.
pub fn hello(register: &str, printer: &str) -> Hello {
    Hello {
        protocol: PROTOCOL,
        installation: installation(register),
        epoch: 1,
        program: "by hand".into(),
        clock: ClockReading { now: SystemClock.now(), boot_ms: 1 },
        printers: vec![PrinterReport { name: printer.parse().unwrap(), ready: true, reason: None }],
        routes: [("kitchen".parse().unwrap(), printer.parse().unwrap())].into(),
    }
}

impl Line {
    /// Connects; nothing is said yet.
    pub async fn open(cloud: &Cloud, credential: &str) -> Result<Self, StatusCode> {
        Self::at(cloud.dispatcher.address(), credential).await
    }

    /// Connects to a dispatcher at an address.
    pub async fn at(address: impl Display, credential: &str) -> Result<Self, StatusCode> {
        match Self::try_at(address, credential).await {
            Ok(line) => Ok(line),
            Err(Error::Http(answer)) => {
                Err(StatusCode::from_u16(answer.status().as_u16()).unwrap())
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// As [`Self::at`], where nobody may listen.
    pub async fn try_at(address: impl Display, credential: &str) -> Result<Self, Error> {
        let url = format!("ws://{address}/v1/channel");
        let mut request = url.into_client_request().unwrap();
        let bearer = format!("Bearer {credential}").parse().unwrap();
        request.headers_mut().insert("authorization", bearer);
        let (socket, _) = connect_async(request).await?;
        Ok(Self { socket, pushes: VecDeque::new() })
    }

    /// Connects register `register` with printer `front`.
    pub async fn greeted(cloud: &Cloud, credential: &str, register: &str) -> Self {
        Self::greeted_at(cloud.dispatcher.address(), credential, register).await
    }

    /// As [`Self::greeted`], at an address.
    pub async fn greeted_at(address: impl Display, credential: &str, register: &str) -> Self {
        let mut line = Self::at(address, credential).await.unwrap();
        line.say(&Up::Hello(hello(register, "front"))).await;
        let Some(Down::Welcome { .. }) = line.hear().await else { panic!("no welcome") };
        line
    }

    pub async fn say(&mut self, message: &Up) {
        self.say_text(serde_json::to_string(message).unwrap()).await;
    }

    pub async fn say_text(&mut self, text: String) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// The next message; `None` when the channel ended.
    pub async fn hear(&mut self) -> Option<Down> {
        let heard = timeout(Duration::from_secs(20), async {
            loop {
                match self.socket.next().await {
                    Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).ok(),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                    Some(Ok(_)) => {}
                }
            }
        });
        heard.await.unwrap()
    }

    /// Why the channel ends; it must end after it.
    pub async fn bye(&mut self) -> Code {
        let heard = self.hear().await;
        let Some(Down::Bye { code, .. }) = heard else { panic!("no bye: {heard:?}") };
        assert_eq!(self.hear().await, None, "the channel goes on");
        code
    }

    /// The next push. Whatever else is asked about is not known here: what was accepted is printed.
    pub async fn push(&mut self) -> Push {
        loop {
            if let Some(push) = self.pushes.pop_front() {
                return push;
            }
            match self.hear().await {
                Some(Down::Push(push)) => return push,
                Some(Down::Status { id }) => self.say(&Up::Unknown { id }).await,
                other => panic!("no push: {other:?}"),
            }
        }
    }

    pub async fn accept(&mut self, push: &Push) {
        let (id, fingerprint) = (push.id.clone(), push.fingerprint);
        self.say(&Up::Accepted { id, fingerprint }).await;
    }

    /// Says that a job is on paper, and hears that this is stored.
    pub async fn printed(&mut self, push: &Push) {
        let result = JobResult {
            id: push.id.clone(),
            state: JobState::Printed,
            reason: None,
            confirmation: Some(Confirmation::Token),
            row_version: 3,
            at: SystemClock.now(),
        };
        self.say(&Up::Result(result)).await;
        loop {
            match self.hear().await {
                Some(Down::ResultStored { id, .. }) if id == push.id => return,
                Some(Down::Push(other)) => self.pushes.push_back(other),
                Some(Down::Status { id }) => self.say(&Up::Unknown { id }).await,
                other => panic!("not stored: {other:?}"),
            }
        }
    }
}
