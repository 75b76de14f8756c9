//! The judge of days offline.
//!
//! - Every acknowledged sale is in the head office's books once, and nothing else is.
//! - What went with the older copy although the head office has it is named on the manager's list, and
//!   nothing else is.
//! - A sale sent again on another day that the head office has already is refused, and named too.
//! - Every sale is on paper as often as the POS sent it: nothing prints by itself.

use std::collections::BTreeSet;
use std::ops::Range;

use tillroll_dispatcher::store::DispatcherStore as _;
use tillroll_domain::ids::JobId;
use tillroll_wire::repair::hour_of;

use super::pos::Pos;
use crate::run::World;

/// The amount of every sale.
const PRICE_MINOR: i64 = 1_250;
/// Days up to the last, and hours from the first on, that are looked at.
const DAYS: i64 = 7;
const HOURS: i64 = 168;

/// Sales that are not in the older copy although the head office has them, and those of them that came again
/// on another day.
#[derive(Debug)]
pub struct Went {
    pub known_to_both: Range<u32>,
    pub refused: Range<u32>,
}

/// Judges everything.
pub async fn judge(world: &World, pos: &Pos, went: Went) {
    let acknowledged: BTreeSet<JobId> = pos.acknowledged.keys().cloned().collect();
    assert_eq!(ids_at_the_head_office(world).await, acknowledged);
    let sales = i64::try_from(acknowledged.len()).unwrap();
    assert_eq!(books(world).await, (sales, sales * PRICE_MINOR), "each once");

    let ids = |numbers: Range<u32>| numbers.map(|number| pos.id(number)).collect::<BTreeSet<_>>();
    assert_eq!(sales_in(pos.shop.named().await), ids(went.known_to_both));
    assert_eq!(sales_in(pos.shop.refused().await), ids(went.refused));

    let paper: Vec<_> =
        world.history().papers().into_iter().map(|(id, at)| (id, at.len())).collect();
    let sent: Vec<_> = pos.acknowledged.clone().into_iter().collect();
    assert_eq!(paper, sent);
}

/// The sales among request ids.
fn sales_in(request_ids: Vec<String>) -> BTreeSet<JobId> {
    let sales = request_ids.iter().filter_map(|id| id.split_once("/receipt/"));
    sales.map(|(job, _)| job.parse().unwrap()).collect()
}

async fn ids_at_the_head_office(world: &World) -> BTreeSet<JobId> {
    let node = world.cloud().node().unwrap();
    let credential = node.store.register_of(world.places()[0].credential).await.unwrap().unwrap();
    let register = credential.register.no;
    let first = hour_of(world.began_at());
    let hours = node.store.digests(register, first, first + HOURS).await.unwrap().hours;
    let mut ids = Vec::new();
    for hour in hours {
        let known = node.store.hour_ids(register, hour.hour).await.unwrap().records;
        ids.extend(known.into_iter().map(|record| record.request_id));
    }
    sales_in(ids)
}

/// Receipts of all days and their sum.
async fn books(world: &World) -> (i64, i64) {
    let node = world.cloud().node().unwrap();
    let mut sum = (0, 0);
    let today = world.shops()[0].today();
    let first = today.checked_sub(jiff::Span::new().days(DAYS)).unwrap();
    for day in first.series(jiff::Span::new().days(1)).take_while(|day| *day <= today) {
        let books = node.store.store_day(world.places()[0].store, day).await.unwrap();
        for register in books.registers {
            sum.0 += register.receipts;
            sum.1 += register.gross_minor;
        }
    }
    sum
}
