//! What screens ask the register for, asked by the page itself through the window's commands: beside twenty thousand
//! receipts and beside a million, in turn.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};
use tillroll_tests::figures::{Bar, Findings, Table};
use tillroll_tests::scale;
use tokio::runtime::Runtime;

use crate::desktop::PATIENCE;
use crate::history::NEWEST_DAY;
use crate::till::{Till, Window};
use crate::{FEW, MANY};

/// Each store is asked in turn so often, ...
const ROUNDS: u32 = 9;
/// ... each question so often in a turn.
const TIMES: u32 = 20;
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// A list on the first screen.
const LISTED: u32 = 200;

/// What the page noted of a turn; milliseconds an answer.
#[derive(Debug, Deserialize)]
struct Answers {
    took: BTreeMap<String, f64>,
    refused: Option<String>,
}

/// Measures.
pub fn measure(runtime: &Runtime) -> Result<Findings> {
    let (few, many) = (scale::count(FEW), scale::count(MANY));
    let tills = [Till::with_past(runtime, few)?, Till::with_past(runtime, many)?];
    let [few, many] = runtime.block_on(in_turn(&tills, [few, many]))?;
    found(&few, &many)
}

/// What an answer took, by its question.
type Medians = BTreeMap<String, f64>;

async fn in_turn(tills: &[Till; 2], receipts: [u32; 2]) -> Result<[Medians; 2]> {
    let windows = [tills[0].open().await?, tills[1].open().await?];
    let mut took: [BTreeMap<String, Vec<f64>>; 2] = Default::default();
    for window in &windows {
        window.page.sees("front").await?;
    }
    // The first round only warms up.
    for round in 0..=scale::count(ROUNDS) {
        for nth in 0..2 {
            let answers = ask(&windows[nth], receipts[nth]).await?;
            for (question, ms) in answers.took.into_iter().filter(|_| round > 0) {
                took[nth].entry(question).or_default().push(ms);
            }
        }
    }
    for (till, window) in tills.iter().zip(windows) {
        till.close(window).await?;
    }
    Ok(took.map(|took| took.into_iter().map(|(name, all)| (name, median(all))).collect()))
}

/// Names, commands and arguments. Both the newest receipts and one from the middle are looked for.
fn questions(receipts: u32) -> Value {
    let (order, part) =
        (format!("L0-{:09}", receipts / 2), (receipts - receipts / 1_000).to_string());
    let story = json!({"id": format!("S1:{order}:receipt:v1")});
    let day = json!({"date": NEWEST_DAY});
    json!([
        ["state of the program", "app_state", {}],
        ["the newest 200 receipts", "jobs", {"most": LISTED}],
        ["search for a whole order number", "jobs", {"most": LISTED, "search": order}],
        ["search for a part of one", "jobs", {"most": LISTED, "search": part}],
        ["search for an amount that all have", "jobs", {"most": LISTED, "search": "6.00"}],
        ["search for an amount that none has", "jobs", {"most": LISTED, "search": "7.77"}],
        ["details of a receipt", "job", story],
        ["its paper", "job_paper", story],
        ["to do", "todo", {}],
        ["a day of 1,000 receipts", "day", day],
        ["its hours", "hours", day],
        ["printers", "printers", {}],
        ["head office", "cloud", {}],
    ])
}

async fn ask(window: &Window, receipts: u32) -> Result<Answers> {
    let (script, questions) = (include_str!("screens.js"), questions(receipts));
    let call = format!("((...arguments) => {{ {script} }})({questions}, {})", scale::count(TIMES));
    window.page.run(&call).await?;
    let deadline = tokio::time::Instant::now() + PATIENCE;
    while window.page.run("return window.tillrollAnswers.ended").await? != true {
        ensure!(tokio::time::Instant::now() < deadline, "the register does not answer the page");
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    let noted = window.page.run("return window.tillrollAnswers").await?;
    let answers: Answers = serde_json::from_value(noted).context("the page's notes")?;
    ensure!(answers.refused.is_none(), "the register refused: {answers:?}");
    Ok(answers)
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

/// An answer beside few receipts and beside many, in ms.
#[derive(Debug, Clone, Copy)]
struct Answer<'a> {
    question: &'a str,
    few: f64,
    many: f64,
}

impl Answer<'_> {
    fn ratio(self) -> f64 {
        self.many / self.few
    }
}

fn found(few: &Medians, many: &Medians) -> Result<Findings> {
    let heads = ["what a screen asks", "beside 20,000 receipts ms", "beside a million ms", "ratio"];
    let mut table = Table::new("", heads);
    let mut answers = Vec::new();
    for (question, &few) in few {
        let answer =
            Answer { question, few, many: *many.get(question).context("not asked of both")? };
        let [few, many, ratio] =
            [few, answer.many, answer.ratio()].map(|figure| format!("{figure:.2}"));
        table.push([question.clone(), few, many, ratio]);
        answers.push(answer);
    }
    // In total order what is no number is the largest: it reaches no bar.
    let most = |of: fn(&Answer<'_>) -> f64| {
        let most = answers.iter().copied().max_by(|one, other| of(one).total_cmp(&of(other)));
        most.context("nothing was asked")
    };
    let (grown, slowest) = (most(|answer| answer.ratio())?, most(|answer| answer.many)?);
    Ok(Findings::default().table(table).bars([
        Bar::at_most(
            "answers to screens, the most grown beside a million receipts, of 20,000",
            1.5,
            grown.ratio(),
        )
        .ours(format!("{}: {:.1} ms", grown.question, grown.many))
        .limit(format!("beside 20,000 {:.1} ms", grown.few)),
        Bar::at_most(
            "answers to screens, the slowest beside a million receipts, ms",
            100.0,
            slowest.many,
        )
        .ours(slowest.question)
        .limit(format!("beside 20,000 {:.1} ms", slowest.few)),
    ]))
}
