//! A register's life by chance: it sells, is killed, loses paper, power, answers and the line, clocks jump, and a
//! clerk answers what it asks. Beside it a [`Model`] of a few numbers says what must have come of it. A seed
//! replays a life: `TILLROLL_LIFE=7`; how many are lived: `TILLROLL_LIVES=10000`.

mod clerk;
mod end;
mod model;
mod whim;

use std::sync::Arc;
use std::time::Duration;

use tillroll_testkit::{Attack, Dice};
use tillroll_tests::asked;
use tokio::time::sleep;

use self::clerk::Clerk;
use self::model::Model;
use crate::plan::Plan;
use crate::run::{World, simulated};
use crate::shop::Shop;
use crate::wrong::Wrong;

/// Lives in an ordinary run of the tests.
const LIVES: u64 = 100;
/// What happens in one.
const WHIMS: usize = 60;

/// A life that is being lived.
struct Life<'a> {
    world: &'a World,
    shop: Arc<Shop>,
    dice: Dice,
    model: Model,
    clerk: Clerk,
    /// Numbers of sales given out; from 1.
    sold: u32,
    /// Sales whose answer was lost with the register: the POS asks again.
    unsure: Vec<u32>,
}

/// Lives the life of a seed; what it came to. Panics at what is not right.
fn live(seed: u64, clerk: Clerk) -> Model {
    let plan = Plan { shops: 1, lost: 50, ..Plan::short(seed) };
    simulated(plan, false, move |world| async move {
        let shop = Arc::clone(&world.shops()[0]);
        let dice = Dice::new(seed).of(47);
        let (model, unsure) = (Model::default(), Vec::new());
        let mut life = Life { world: &world, shop, dice, model, clerk, sold: 0, unsure };
        for _ in 0..WHIMS {
            life.whim().await;
            let pause = life.dice.below(1_500);
            sleep(Duration::from_millis(pause)).await;
            life.model.check(&world.history().papers());
        }
        life.end().await;
        life.model
    })
}

#[test]
fn whatever_happens_every_sale_is_on_paper_as_often_as_people_wanted() {
    let seeds = match asked::number("TILLROLL_LIFE") {
        Some(seed) => seed..seed + 1,
        None => 1..asked::number("TILLROLL_LIVES").unwrap_or(LIVES) + 1,
    };
    let (mut sales, mut answers, mut wrong) = (0, 0, Vec::new());
    let what = format!("lives by chance, seeds {} to {}", seeds.start, seeds.end - 1);
    let mut attack = Attack::on_all(what);
    for seed in seeds {
        attack.trials += 1;
        match std::panic::catch_unwind(|| live(seed, Clerk::Looks)) {
            Ok(model) => {
                sales += model.sales();
                answers += model.answers();
            }
            Err(panic) => {
                Wrong::of(panic.as_ref()).count(&mut attack);
                wrong.push(seed);
            }
        }
    }
    attack.show();
    println!("{sales} sales, {answers} printed again by a clerk");
    assert!(wrong.is_empty(), "replayed by TILLROLL_LIFE=SEED: {wrong:?}");
    assert!(answers > 0 || attack.trials < LIVES as usize, "no life was hard");
}

/// What the first of forty lives with a clerk is found wrong for.
fn condemned_for(clerk: Clerk) -> Option<Wrong> {
    let found = |seed| std::panic::catch_unwind(|| live(seed, clerk)).err();
    (1..=40).find_map(found).map(|panic| Wrong::of(panic.as_ref()))
}

#[test]
fn model_condemns_a_clerk_who_prints_again_without_looking() {
    assert_eq!(condemned_for(Clerk::PrintsAgain), Some(Wrong::Doubled));
}

#[test]
fn model_condemns_a_clerk_who_is_content_without_looking() {
    assert_eq!(condemned_for(Clerk::IsContent), Some(Wrong::Lost));
}
