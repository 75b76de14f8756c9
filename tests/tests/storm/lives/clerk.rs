//! The clerk: looks at the paper and answers what the register asks.

use tillroll_domain::ids::JobId;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_register::Register;
use tillroll_register::problem::Code;
use tillroll_register::view::{AnswerBody, JobView};

use super::model::Model;
use crate::history::History;

/// A clerk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clerk {
    /// One who does it right.
    Looks,
    /// One who says "not on paper" of everything and tells nobody: the model has to notice paper that came twice.
    PrintsAgain,
    /// One who says "on paper" of everything: the model has to notice paper that never came.
    IsContent,
}

impl Clerk {
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
                Ok(_) if verb == Verb::NotOnPaper && self == Self::Looks => {
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
                let says_so = match self {
                    Self::Looks => history.papers().contains_key(&id),
                    Self::PrintsAgain => false,
                    Self::IsContent => true,
                };
                Some(if says_so { Verb::OnPaper } else { Verb::NotOnPaper })
            }
            JobState::Failed => Some(Verb::Retry),
            JobState::Held => Some(Verb::Print),
            JobState::Pending | JobState::Printing | JobState::Printed | JobState::Skipped => None,
        }
    }
}
