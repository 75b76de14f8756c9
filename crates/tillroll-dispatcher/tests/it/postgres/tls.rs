//! TLS to the database: spoken where the address asks for it, to nobody but the server it names.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tempfile::TempDir;
use tillroll_dispatcher::postgres::{PostgresOptions, PostgresStore};
use tillroll_testkit::PostgresServer;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;

use crate::http::cli;

/// A database server that speaks TLS under the name `localhost`, and the certificate that vouches for it.
struct Guarded {
    _server: PostgresServer,
    folder: TempDir,
    port: u16,
}

impl Guarded {
    async fn start() -> Self {
        let server = PostgresServer::start();
        let folder = tempfile::tempdir().unwrap();
        make_certificate(folder.path());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let acceptor = acceptor(folder.path());
        let socket = socket_of(&server);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, socket) = (acceptor.clone(), socket.clone());
                tokio::spawn(async move { carry(stream, acceptor, socket).await });
            }
        });
        Self { _server: server, folder, port }
    }

    /// Brings the schema up by the program; whether that succeeded, and what it said.
    async fn migrate(&self, host: &str, mode: &str, trusts: bool) -> (bool, String) {
        let mut program = cli::program(Path::new("unused"));
        let port = self.port;
        let database = format!("postgres://postgres@{host}:{port}/postgres?sslmode={mode}");
        program.env("TILLROLL_DISPATCHER_DATABASE", database).arg("migrate");
        if trusts {
            program.env("SSL_CERT_FILE", self.folder.path().join("cert.pem"));
        }
        let output = timeout(Duration::from_secs(60), program.output()).await.unwrap().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn make_certificate(folder: &Path) {
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout", "key.pem"])
        .args(["-out", "cert.pem"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

fn acceptor(folder: &Path) -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_file(folder.join("cert.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(folder.join("key.pem")).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    TlsAcceptor::from(Arc::new(config))
}

fn socket_of(server: &PostgresServer) -> PathBuf {
    let address = server.address();
    let host = address.split_whitespace().find_map(|word| word.strip_prefix("host="));
    Path::new(host.unwrap()).join(".s.PGSQL.5432")
}

/// One connection: the request for TLS, the handshake, and then the database's own words.
async fn carry(mut stream: TcpStream, acceptor: TlsAcceptor, socket: PathBuf) -> Option<()> {
    let mut request = [0; 8];
    stream.read_exact(&mut request).await.ok()?;
    assert_eq!(request, [0, 0, 0, 8, 4, 210, 22, 47], "it begins in the clear");
    stream.write_all(b"S").await.ok()?;
    let mut guarded = acceptor.accept(stream).await.ok()?;
    let mut database = UnixStream::connect(socket).await.ok()?;
    copy_bidirectional(&mut guarded, &mut database).await.ok().map(drop)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_is_believed_by_its_certificate_and_its_name_only() {
    let server = Guarded::start().await;
    for mode in ["require", "verify-full"] {
        let (done, said) = server.migrate("localhost", mode, true).await;
        assert!(done, "{mode}: {said}");
        let (done, said) = server.migrate("localhost", mode, false).await;
        assert!(!done && said.contains("reached"), "not vouched for, {mode}: {said}");
        let (done, said) = server.migrate("127.0.0.1", mode, true).await;
        assert!(!done && said.contains("reached"), "of another name, {mode}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_without_tls_is_refused_where_it_is_asked_for() {
    let server = PostgresServer::start();
    let address = format!("{} sslmode=require", server.address());
    let opened = PostgresStore::open(&address, PostgresOptions::default()).await;
    assert!(opened.is_err(), "in the clear");
}
