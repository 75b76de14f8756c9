//! The program on PostgreSQL.

use std::path::Path;
use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tillroll_testkit::PostgresServer;
use tokio::process::Command;

use super::cli::{self, said_by};
use super::line::Line;
use super::support::{answer, id, installation, order};

/// The program with a database that nodes share; commands need no data folder.
fn program(server: &PostgresServer) -> Command {
    let mut command = cli::program(Path::new("unused"));
    command.env_remove("TILLROLL_DISPATCHER_DATA");
    command.env("TILLROLL_DISPATCHER_DATABASE", server.url());
    command
}

async fn said(server: &PostgresServer, words: &[&str]) -> String {
    said_by(&mut program(server), words).await
}

/// Makes a shop with a register by the command line; its uid, a key's token and a pairing code.
async fn set_up(server: &PostgresServer) -> [String; 3] {
    said(server, &["tenant", "add", "Old Wang"]).await;
    let store = ["store", "add", "--tenant", "Old Wang", "--code", "S1", "--name", "Shop"];
    let uid = said(server, &store).await;
    let key = ["api-key", "add", "--tenant", "Old Wang", "--store", &uid, "platform"];
    let token = said(server, &key).await;
    let code = said(server, &["register", "add", "--store", &uid, "R1"]).await;
    [uid, token, code]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn program_takes_a_job_and_prints_it_and_commands_work_beside_it() {
    let server = PostgresServer::start();
    assert_eq!(
        said(&server, &["migrate"]).await,
        "the database was at schema 0; now it is up to date"
    );
    let [uid, token, code] = set_up(&server).await;
    let data = tempfile::tempdir().unwrap();
    let mut serve = program(&server);
    serve.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data.path().join("data"));
    let (mut child, mut stdout, told) = cli::listening(&mut serve).await;
    let address = told["listening"].as_str().unwrap();
    let client = Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap();
    let body = json!({"protocol": 1, "code": code, "store": "S1", "register": "R1",
        "installation": installation("R1")});
    let pairing = client.post(format!("http://{address}/v1/pair")).json(&body);
    let (status, paired) = answer(pairing).await;
    assert_eq!(status, StatusCode::OK, "{paired}");
    let credential = paired["credential"].as_str().unwrap();
    let mut line = Line::greeted_at(address, credential, "R1").await;
    let jobs = format!("http://{address}/v1/stores/{uid}/print-jobs");
    let (status, taken) = answer(client.post(&jobs).bearer_auth(&token).json(&order(1))).await;
    assert_eq!(status, StatusCode::CREATED, "{taken}");
    let push = line.push().await;
    line.accept(&push).await;
    line.printed(&push).await;
    let (_, job) = answer(client.get(format!("{jobs}/{}", id(1))).bearer_auth(&token)).await;
    assert_eq!(job["state"], "printed");
    let listed = said(&server, &["jobs", "--store", &uid, "--json"]).await;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["jobs"][0]["state"], "printed", "{listed}");
    cli::stop(&mut child, &mut stdout).await;
}
