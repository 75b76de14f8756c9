//! Jobs, their paper, and the answers to them.

use tauri::State;
use tillroll_domain::print_job::{JobState, Verb};
use tillroll_register::view::{
    AnswerBody, JobView, ManyAnswered, PaperPicture, StoryView, TodoView,
};

use crate::argument::Argument;
use crate::desk::Desk;
use crate::refused::Answer;

/// The newest jobs, or those a text finds, newest first.
#[tauri::command(rename_all = "snake_case")]
pub async fn jobs(
    desk: State<'_, Desk>,
    state: Option<Argument<JobState>>,
    most: u32,
    search: Option<String>,
) -> Answer<Vec<JobView>> {
    let register = desk.register().await?;
    let state = state.map(Argument::read).transpose()?;
    let Some(text) = search.filter(|text| !text.trim().is_empty()) else {
        return Ok(register.jobs(state, most).await?);
    };
    let mut found = register.search(&text, most).await?;
    found.retain(|job| state.is_none_or(|state| job.state == state));
    Ok(found)
}

/// Everything known about a job.
#[tauri::command(rename_all = "snake_case")]
pub async fn job(desk: State<'_, Desk>, id: String) -> Answer<StoryView> {
    Ok(desk.register().await?.job(&id).await?)
}

/// A job's paper as it would print now.
#[tauri::command(rename_all = "snake_case")]
pub async fn job_paper(desk: State<'_, Desk>, id: String) -> Answer<PaperPicture> {
    let paper = desk.register().await?.paper(&id).await?;
    Ok(PaperPicture { svg: paper.svg()?, text: paper.text() })
}

/// Everything that waits for a person.
#[tauri::command(rename_all = "snake_case")]
pub async fn todo(desk: State<'_, Desk>) -> Answer<TodoView> {
    Ok(desk.register().await?.todo().await?)
}

/// Does what a person asks of one job.
#[tauri::command(rename_all = "snake_case")]
pub async fn answer_job(
    desk: State<'_, Desk>,
    id: String,
    verb: Argument<Verb>,
    reason: Option<String>,
    printer: Option<String>,
) -> Answer<JobView> {
    let (register, access) = desk.seated().await?;
    let body = AnswerBody { reason, printer };
    Ok(register.answer(&access, &id, verb.read()?, &body).await?)
}

/// Does the same to many jobs.
#[tauri::command(rename_all = "snake_case")]
pub async fn answer_jobs(
    desk: State<'_, Desk>,
    ids: Vec<String>,
    verb: Argument<Verb>,
    reason: Option<String>,
    printer: Option<String>,
) -> Answer<ManyAnswered> {
    let (register, access) = desk.seated().await?;
    let body = AnswerBody { reason, printer };
    Ok(register.answer_many(&access, &ids, verb.read()?, &body).await?)
}

/// A person dealt with a refused receipt.
#[tauri::command(rename_all = "snake_case")]
pub async fn answer_rejected(desk: State<'_, Desk>, id: i64, answer: String) -> Answer<()> {
    Ok(desk.register().await?.answer_rejected(id, &answer).await?)
}

/// A person has read a notice.
#[tauri::command(rename_all = "snake_case")]
pub async fn read_notice(desk: State<'_, Desk>, id: i64) -> Answer<()> {
    Ok(desk.register().await?.answer_notice(id).await?)
}
