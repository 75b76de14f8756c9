//! The clerk: looks at the paper and answers what the register asks.

use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_register::Register;
use tillroll_register::problem::Code;
use tillroll_register::view::{AnswerBody, JobView};

use super::model::Model;
use crate::history::History;

/// A clerk.
#[derive(Debug, Clone, Copy)]
pub struct Clerk {
    looks: bool,
}

impl Clerk {
    /// One who does it right.
    pub fn looks() -> Self {
        Self { looks: true }
    }

    /// One who says "not on paper" of everything and tells nobody: the model has to notice.
    pub fn who_never_looks() -> Self {
        Self { looks: false }
    }

    /// Answers everything on the list.
    pub async fn answer_all(
        self,
        register: &Register,
        token: &str,
        history: &History,
        model: &mut Model,
    ) {
        let access = register.authenticate(token).await.unwrap();
        for job in register.todo().await.unwrap().jobs {
            let Some(verb) = self.verb_for(&job, history) else { continue };
            let answered = register.answer(&access, &job.id, verb, &AnswerBody::default()).await;
            match answered {
                Ok(_) if verb == Verb::NotOnPaper && self.looks => {
                    model.is_wanted_again(&job.id.parse().unwrap());
                }
                Ok(_) => {}
                // A proof came meanwhile.
                Err(problem) => assert_eq!(problem.code, Code::NotAllowed, "{}", job.id),
            }
        }
    }

    fn verb_for(self, job: &JobView, history: &History) -> Option<Verb> {
        let id: JobId = job.id.parse().unwrap();
        match job.state {
            JobState::Unconfirmed | JobState::Sent => {
                let is_there = self.looks && history.papers().contains_key(&id);
                Some(if is_there { Verb::OnPaper } else { Verb::NotOnPaper })
            }
            JobState::Failed => Some(Verb::Retry),
            JobState::Held => Some(Verb::Print),
            JobState::Pending | JobState::Printing | JobState::Printed | JobState::Skipped => None,
        }
    }
}
