//! Every answer in every state, against the table of what a person may do.

use tillroll_domain::print_job::JobState::{
    self, Failed, Held, Pending, Printed, Printing, Sent, Skipped, Unconfirmed,
};
use tillroll_domain::print_job::Verb;
use tillroll_store::StoreError;

use crate::support::{Till, printer};

/// What the job becomes; `None` is a refusal.
fn expected(state: JobState, verb: Verb) -> Option<JobState> {
    match (state, verb) {
        (Pending | Failed, Verb::Retry) => Some(Pending),
        (Held, Verb::Print) => Some(Pending),
        (Unconfirmed | Sent, Verb::OnPaper) => Some(Printed),
        (Unconfirmed | Sent, Verb::NotOnPaper) => Some(Pending),
        (Pending | Held | Failed | Unconfirmed | Sent, Verb::Skip) => Some(Skipped),
        (Printing, Verb::Skip) => Some(Printing),
        (Pending | Held | Failed | Unconfirmed | Sent, Verb::Reroute) => Some(Pending),
        (Printed, Verb::Copy) => Some(Printed),
        _ => None,
    }
}

#[tokio::test]
async fn every_answer_does_what_the_table_says_and_is_recorded() {
    let till = Till::new().await;
    let spare = till.store.add_printer(printer("spare")).await.unwrap();
    let cells = JobState::ALL.into_iter().flat_map(|state| Verb::ALL.map(|verb| (state, verb)));
    for (n, (state, verb)) in (1..).zip(cells) {
        // The same answer twice is one answer; see the tests of the answers.
        if (state, verb) == (Skipped, Verb::Skip) {
            continue;
        }
        let cell = format!("{verb} of a job that is {state}");
        let before = till.job_in(n, state).await;
        let answers = |story: &tillroll_store::Story| story.answers.len();
        let told = answers(&till.store.story(before.job_id.to_string()).await.unwrap());
        let asked = till.ask(&before, verb).await;
        let after = till.job(&before).await;
        let story = till.store.story(before.job_id.to_string()).await.unwrap();
        let Some(becomes) = expected(state, verb) else {
            assert!(matches!(asked, Err(StoreError::Refused(_))), "{cell}: {asked:?}");
            assert_eq!((after.state, after.row_version), (state, before.row_version), "{cell}");
            assert_eq!(answers(&story), told, "{cell}");
            continue;
        };
        assert!(!asked.unwrap().unchanged, "{cell}");
        assert_eq!(after.state, becomes, "{cell}");
        assert_eq!(after.skip_asked, (state, verb) == (Printing, Verb::Skip), "{cell}");
        let marked = matches!(state, Unconfirmed | Sent);
        assert_eq!(after.reprint, marked, "{cell}: the REPRINT mark");
        assert_eq!(after.printer == spare, verb == Verb::Reroute, "{cell}: the printer");
        assert_eq!(answers(&story), told + 1, "{cell}");
        let last = story.answers.last().unwrap();
        assert_eq!((last.verb, last.was, last.answered_at), (verb, state, till.now()), "{cell}");
        assert_eq!(last.note.as_deref(), Some("because"), "{cell}");
        assert_eq!(after.due_at.is_some(), becomes == Pending, "{cell}: due at once");
    }
}
