//! A thousand receipts from eight clients at once to one printer: a thousand on paper, in flow order.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use tillroll_tests::api::{Api, job_id, receipt};
use tillroll_tests::paper_program::PaperProgram;
use tillroll_tests::register_program::RegisterProgram;
use tokio::task::JoinSet;
use tokio::time::Instant;

const RECEIPTS: usize = 1_000;
const CLIENTS: usize = 8;

/// One client's share; what it was answered, and how long that took.
async fn sell(api: Api, first: usize) -> anyhow::Result<Vec<(String, i64, Duration)>> {
    let mut answers = Vec::new();
    for number in (first..RECEIPTS).step_by(CLIENTS) {
        let asked = Instant::now();
        let (status, answer) = api.post("/v1/receipts", &receipt(number)).await?;
        ensure!(status == 201, "{status} {answer}");
        let flow_no = answer["flow_no"].as_i64().context("no flow number")?;
        answers.push((job_id(number), flow_no, asked.elapsed()));
    }
    Ok(answers)
}

async fn sell_all(api: &Api) -> anyhow::Result<Vec<(String, i64, Duration)>> {
    let mut clients = JoinSet::new();
    for first in 0..CLIENTS {
        clients.spawn(sell(api.clone(), first));
    }
    let mut answers = Vec::new();
    while let Some(answered) = clients.join_next().await {
        answers.extend(answered??);
    }
    Ok(answers)
}

fn print_latency(what: &str, answers: &[(String, i64, Duration)]) {
    let mut times: Vec<_> = answers.iter().map(|(_, _, time)| *time).collect();
    times.sort_unstable();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!("{what}: answered in p50 {:?}, p99 {:?}", at(50), at(99));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousand_receipts_of_eight_clients_are_on_paper_once_each_in_flow_order()
-> anyhow::Result<()> {
    let paper = PaperProgram::start("token", &["--no-pictures"]).await?;
    let mut register = RegisterProgram::init()?;
    let api = register.serve().await?;
    api.add_printer("front", &paper.uri(), "token").await?;
    let answers = sell_all(&api).await?;
    print_latency("printer alive", &answers);
    api.wait_until_quiet(Duration::from_secs(120)).await?;
    register.kill().await?;

    let flow: BTreeMap<i64, &str> =
        answers.iter().map(|(id, flow_no, _)| (*flow_no, id.as_str())).collect();
    let numbers: Vec<_> = flow.keys().copied().collect();
    assert_eq!(numbers, (1..=RECEIPTS as i64).collect::<Vec<_>>(), "gapless");
    let tickets = paper.end().await?;
    let printed: Vec<_> = tickets
        .iter()
        .map(|ticket| ticket.split_whitespace().find(|word| word.starts_with("S1:")).unwrap_or("?"))
        .collect();
    assert_eq!(printed, flow.into_values().collect::<Vec<_>>());
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn receipts_are_answered_while_the_printer_is_dead() -> anyhow::Result<()> {
    let gone = PaperProgram::start("token", &[]).await?;
    let uri = gone.uri();
    gone.end().await?;
    let mut register = RegisterProgram::init()?;
    let api = register.serve().await?;
    api.add_printer("front", &uri, "token").await?;
    let answers = sell_all(&api).await?;
    print_latency("printer dead", &answers);
    assert_eq!(answers.len(), RECEIPTS);
    let printers = api.get("/v1/printers").await?;
    assert_eq!(printers["printers"][0]["state"], "stopped", "{printers}");
    assert_eq!(printers["printers"][0]["reason"], "refused", "{printers}");
    Ok(())
}
