use std::net::Ipv4Addr;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::Response;
use axum::routing::get;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::*;

/// Whatever takes longer has hung.
const PATIENCE: Duration = Duration::from_secs(10);
/// Whatever has not happened within this waits for something.
const A_WHILE: Duration = Duration::from_millis(100);

const SETTINGS: ServerSettings = ServerSettings {
    connections: 4,
    header_timeout: PATIENCE,
    write_within: PATIENCE,
    end_within: PATIENCE,
    names_peer: false,
};

/// A server that runs, and its end.
struct Running {
    address: SocketAddr,
    ending: CancellationToken,
    running: TaskTracker,
    ended: JoinHandle<()>,
}

impl Running {
    async fn start(router: Router, settings: ServerSettings) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (ending, running) = (CancellationToken::new(), TaskTracker::new());
        let server = Server { router, settings, ending: ending.clone(), running: running.clone() };
        Self { address, ending, running, ended: tokio::spawn(server.serve(listener)) }
    }

    async fn asks(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    async fn ends(self) {
        self.ending.cancel();
        timeout(PATIENCE, self.ended).await.expect("it ends").unwrap();
    }
}

const ASK: &str = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

fn hello() -> Router {
    Router::new().route("/", get(async || "hello"))
}

/// The status of the next answer; the rest of it is not read.
async fn status(stream: &mut TcpStream) -> String {
    let mut line = [0; b"HTTP/1.1 200".len()];
    timeout(PATIENCE, stream.read_exact(&mut line)).await.expect("an answer").unwrap();
    String::from_utf8_lossy(&line[9..]).into_owned()
}

/// Everything until the other side closes.
async fn rest(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut text)).await.expect("it is closed").unwrap();
    text
}

#[tokio::test]
async fn head_that_never_ends_is_cut_off() {
    let settings = ServerSettings { header_timeout: A_WHILE, ..SETTINGS };
    let server = Running::start(hello(), settings).await;
    let mut slow = server.asks("GET / HTTP/1.1\r\nhost: ").await;
    rest(&mut slow).await;
    server.ends().await;
}

#[tokio::test]
async fn client_that_says_nothing_is_cut_off() {
    let settings = ServerSettings { header_timeout: A_WHILE, ..SETTINGS };
    let server = Running::start(hello(), settings).await;
    let mut silent = server.asks("").await;
    rest(&mut silent).await;
    server.ends().await;
}

#[tokio::test]
async fn client_that_does_not_read_gives_its_place_to_the_next() {
    /// More than the sockets between them hold.
    const LONG: usize = 64 << 20;
    let router = hello().route("/long", get(async || vec![b' '; LONG]));
    let settings = ServerSettings { connections: 1, write_within: A_WHILE, ..SETTINGS };
    let server = Running::start(router, settings).await;
    let deaf = server.asks("GET /long HTTP/1.1\r\nhost: x\r\n\r\n").await;
    let mut next = server.asks(ASK).await;
    assert_eq!(status(&mut next).await, "200");
    drop((deaf, next));
    server.ends().await;
}

#[tokio::test]
async fn too_many_header_lines_are_refused() {
    let server = Running::start(hello(), SETTINGS).await;
    let lines = "a: b\r\n".repeat(HEADERS + 1);
    let mut stream = server.asks(&format!("GET / HTTP/1.1\r\n{lines}\r\n")).await;
    assert!(rest(&mut stream).await.starts_with("HTTP/1.1 431"));
    server.ends().await;
}

#[tokio::test]
async fn connections_above_the_bound_wait_until_one_leaves() {
    let server = Running::start(hello(), ServerSettings { connections: 1, ..SETTINGS }).await;
    let mut first = server.asks(ASK).await;
    assert_eq!(status(&mut first).await, "200");
    let mut second = server.asks(ASK).await;
    assert!(timeout(A_WHILE, second.peek(&mut [0])).await.is_err(), "the only place is taken");
    drop(first);
    assert_eq!(status(&mut second).await, "200");
    server.ends().await;
}

/// Answers with 204 to who is named, with 404 to others.
async fn named(request: Request) -> StatusCode {
    let local = Peer(Ipv4Addr::LOCALHOST.into());
    let peer = request.extensions().get::<Peer>();
    peer.map_or(StatusCode::NOT_FOUND, |peer| {
        assert_eq!(*peer, local);
        StatusCode::NO_CONTENT
    })
}

#[tokio::test]
async fn peer_is_named_where_it_is_wanted() {
    for (names_peer, answer) in [(true, "204"), (false, "404")] {
        let router = Router::new().route("/", get(named));
        let server = Running::start(router, ServerSettings { names_peer, ..SETTINGS }).await;
        let mut stream = server.asks(ASK).await;
        assert_eq!(status(&mut stream).await, answer);
        server.ends().await;
    }
}

/// A route that says it was asked, and answers when it is told to.
fn held(began: oneshot::Sender<()>, go_on: oneshot::Receiver<()>) -> Router {
    let both = Arc::new(std::sync::Mutex::new(Some((began, go_on))));
    let answer = async move || {
        let both = both.lock().unwrap().take();
        let (began, go_on) = both.expect("asked once");
        began.send(()).unwrap();
        let _ = go_on.await;
        "hello"
    };
    Router::new().route("/", get(answer))
}

#[tokio::test]
async fn client_that_hangs_up_after_its_request_is_answered() {
    let ((began, has_begun), (go_on, told)) = (oneshot::channel(), oneshot::channel());
    let server = Running::start(held(began, told), SETTINGS).await;
    let mut stream = server.asks(ASK).await;
    has_begun.await.unwrap();
    stream.shutdown().await.unwrap();
    assert!(timeout(A_WHILE, stream.peek(&mut [0])).await.is_err(), "it is still being answered");
    go_on.send(()).unwrap();
    assert!(rest(&mut stream).await.ends_with("hello"));
    server.ends().await;
}

#[tokio::test]
async fn open_request_is_answered_when_the_server_ends_and_no_new_one_comes() {
    let ((began, has_begun), (go_on, told)) = (oneshot::channel(), oneshot::channel());
    let server = Running::start(held(began, told), SETTINGS).await;
    let mut stream = server.asks(ASK).await;
    has_begun.await.unwrap();
    let address = server.address;
    let ended = tokio::spawn(server.ends());
    let closed = async { while TcpStream::connect(address).await.is_ok() {} };
    timeout(PATIENCE, closed).await.expect("the door closes");
    assert!(!ended.is_finished());
    go_on.send(()).unwrap();
    assert!(rest(&mut stream).await.ends_with("hello"));
    ended.await.unwrap();
}

#[tokio::test]
async fn request_without_an_end_is_left_after_the_limit() {
    let ((began, has_begun), (_go_on, told)) = (oneshot::channel(), oneshot::channel());
    let settings = ServerSettings { end_within: A_WHILE, ..SETTINGS };
    let server = Running::start(held(began, told), settings).await;
    let mut stream = server.asks(ASK).await;
    has_begun.await.unwrap();
    server.ends().await;
    assert_eq!(rest(&mut stream).await, "");
}

#[tokio::test]
async fn change_that_runs_is_waited_for() {
    let server = Running::start(hello(), SETTINGS).await;
    let change = server.running.token();
    let mut ended = tokio::spawn(server.ends());
    assert!(timeout(A_WHILE, &mut ended).await.is_err(), "the change still runs");
    drop(change);
    ended.await.unwrap();
}

/// Becomes a channel that says "hello".
async fn upgrade(mut request: Request) -> Response {
    let upgraded = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        let mut channel = TokioIo::new(upgraded.await.unwrap());
        channel.write_all(b"hello").await.unwrap();
        let _ = channel.read_u8().await;
    });
    let response = Response::builder().status(StatusCode::SWITCHING_PROTOCOLS);
    let response = response.header(header::CONNECTION, "upgrade").header(header::UPGRADE, "x");
    response.body(Body::empty()).unwrap()
}

#[tokio::test]
async fn channel_gives_the_place_of_its_connection_back() {
    let router = hello().route("/channel", get(upgrade));
    let server = Running::start(router, ServerSettings { connections: 1, ..SETTINGS }).await;
    let ask = "GET /channel HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
    let mut channel = server.asks(ask).await;
    assert_eq!(status(&mut channel).await, "101");
    let mut said = Vec::new();
    while !said.ends_with(b"hello") {
        said.push(timeout(PATIENCE, channel.read_u8()).await.expect("it speaks").unwrap());
    }
    let mut other = server.asks(ASK).await;
    assert_eq!(status(&mut other).await, "200");
    server.ends().await;
}
