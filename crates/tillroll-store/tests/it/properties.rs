//! Random days at one till: whatever happens in whatever order, nothing is printed twice by itself.

use proptest::prelude::*;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_store::{NewReceipt, Outcome, Story};

use crate::support::{Till, claiming, doubtful, left_nothing, printer, proved};

/// Something that happens at the till. Numbers pick one of the jobs there are.
#[derive(Debug, Clone, Copy)]
enum Step {
    Sell {
        ready: bool,
    },
    SellAgain(usize),
    /// The worker claims the first due job.
    Claim,
    /// The device answers: proved, doubtful, nothing on paper.
    End(u8),
    Ask(usize, Verb),
    /// The program ends and starts again.
    Restart,
}

fn step() -> impl Strategy<Value = Step> {
    let verb = (0..Verb::ALL.len()).prop_map(|n| Verb::ALL[n]);
    prop_oneof![
        3 => any::<bool>().prop_map(|ready| Step::Sell { ready }),
        1 => any::<usize>().prop_map(Step::SellAgain),
        4 => Just(Step::Claim),
        4 => (0..4_u8).prop_map(Step::End),
        3 => (any::<usize>(), verb).prop_map(|(n, verb)| Step::Ask(n, verb)),
        1 => Just(Step::Restart),
    ]
}

async fn take(till: Till, sold: &mut u32, step: Step) -> Till {
    let jobs = till.store.jobs(None, 1_000).await.unwrap();
    match step {
        Step::Sell { ready } => {
            *sold += 1;
            let claiming = ready.then(claiming);
            till.record(NewReceipt { claiming, ..till.sale(*sold) }).await;
        }
        Step::SellAgain(n) if *sold > 0 => {
            let number = u32::try_from(n % usize::try_from(*sold).unwrap()).unwrap() + 1;
            let again = NewReceipt { claiming: Some(claiming()), ..till.sale(number) };
            assert!(till.store.record_receipt(again).await.unwrap().replayed);
        }
        Step::Claim => {
            for printer in till.store.printers().await.unwrap() {
                if till.store.interrupted(printer.id).await.unwrap().is_none()
                    && till.next_claim(printer.id).await.is_some()
                {
                    till.claim(printer.id).await;
                }
            }
        }
        Step::End(how) => end(&till, how).await,
        // What the state forbids is refused, and that is all.
        Step::Ask(n, verb) if !jobs.is_empty() => drop(till.ask(&jobs[n % jobs.len()], verb).await),
        Step::Restart => return till.reopen().0,
        Step::SellAgain(_) | Step::Ask(..) => {}
    }
    till
}

async fn end(till: &Till, how: u8) {
    for printer in till.store.printers().await.unwrap() {
        let Some(open) = till.store.interrupted(printer.id).await.unwrap() else { continue };
        let (job, attempt) = (open.job.id, open.attempt.id);
        let claimed = tillroll_store::Claimed { job, attempt, number: open.attempt.number };
        let event = [proved(), proved(), doubtful(), left_nothing()][usize::from(how)];
        till.settle(&claimed, event).await;
    }
}

/// An attempt follows another one of its job only if that one left nothing, or a person said so.
fn assert_no_paper_twice_by_itself(story: &Story) {
    for pair in story.attempts.windows(2) {
        let by_itself = pair[0].outcome == Some(Outcome::LeftNothing);
        let asked = story.answers.iter().any(|answer| {
            matches!(answer.verb, Verb::NotOnPaper | Verb::Reroute)
                && matches!(answer.was, JobState::Unconfirmed | JobState::Sent)
        });
        assert!(by_itself || asked, "{story:#?}");
        assert_ne!(pair[0].outcome, Some(Outcome::Printed), "{story:#?}");
    }
}

async fn check(till: &Till, sold: u32) {
    let jobs = till.store.jobs(None, 1_000).await.unwrap();
    for job in &jobs {
        let story = till.store.story(job.job_id.to_string()).await.unwrap();
        assert_no_paper_twice_by_itself(&story);
        assert_eq!(story.attempts.len(), usize::try_from(job.attempts).unwrap());
        let open = story.attempts.iter().filter(|attempt| attempt.outcome.is_none()).count();
        assert_eq!(open, usize::from(job.state == JobState::Printing), "{story:#?}");
    }
    let view = till.store.day(till.today()).await.unwrap();
    assert!(view.flow_numbers.into_iter().map(|flow| flow.number).eq(1..=i64::from(sold)));
    assert_eq!(view.register.gross_minor.0, i64::from(sold) * 1_250);
    let paper = view.paper;
    let counted = paper.settled() + paper.unconfirmed + paper.failed + paper.waiting;
    assert_eq!(counted, paper.recorded);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn nothing_prints_twice_by_itself_and_every_receipt_is_accounted_for(
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let mut till = Till::new().await;
            till.store.add_printer(printer("spare")).await.unwrap();
            let mut sold = 0;
            for step in steps {
                till = take(till, &mut sold, step).await;
                // The back-off of what left nothing passes.
                till.clock.advance(std::time::Duration::from_secs(30));
            }
            check(&till, sold).await;
        });
    }
}
