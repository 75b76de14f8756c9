//! Many receipts at once: each on paper once, in the order of their flow numbers.

use std::sync::Arc;
use std::time::Duration;

use tillroll_domain::print_job::{Confirmation, JobState};
use tillroll_paper::{Behaviour, Personality};
use tillroll_spooler::Timings;
use tillroll_testkit::receipts;
use tokio::task::JoinSet;

use crate::bench::{Bench, ms, timings};

const CLIENTS: u32 = 8;
const EACH: u32 = 125;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousand_receipts_of_eight_clients_come_out_once_each_in_flow_order() {
    let bench = Arc::new(Bench::new());
    let device = bench.device(Personality::Token).await;
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let (bench, printer) = (Arc::clone(&bench), device.printer.clone());
        clients.spawn(async move {
            let mut flow = Vec::new();
            for n in 0..EACH {
                let new = bench.receipt(printer.id, &receipts::simple(client * EACH + n));
                let recorded = bench.spooler.record(new).await.expect("recorded");
                flow.push((recorded.job.flow_no, recorded.job.job_id.to_string()));
            }
            flow
        });
    }
    let mut recorded: Vec<_> = clients.join_all().await.into_iter().flatten().collect();
    recorded.sort();
    let patience = Duration::from_secs(60);
    let tickets = device.paper.wait_for_tickets(1_000, patience).await.expect("tickets");
    assert_eq!((tickets.len(), recorded.len()), (1_000, 1_000));
    for ((flow_no, job_id), ticket) in recorded.iter().zip(tickets) {
        assert!(ticket.text().contains(job_id), "{flow_no} {job_id}: {}", ticket.text());
    }
}

#[tokio::test]
async fn proof_of_a_long_receipt_is_awaited_for_as_long_as_its_paper_takes() {
    let bench = Bench::with(Timings { proof: ms(100), slowest_print: 3_000, ..timings() });
    let slow = Behaviour { dots_per_second: Some(6_000), ..Behaviour::new(Personality::Token) };
    let device = bench.behaving(slow).await;
    let id = bench.submit(&device.printer, &receipts::long(1, 200)).await;
    let job = bench.settled(&id).await;
    assert_eq!((job.state, job.confirmation), (JobState::Printed, Some(Confirmation::Token)));
}
