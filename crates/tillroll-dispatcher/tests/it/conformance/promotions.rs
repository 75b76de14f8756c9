//! Promotions of stores.

use tillroll_dispatcher::store::{DispatcherStore, Promotion, Promotions};

use super::world::{World, later};

pub async fn promotion_is_the_one_begun_last_until_it_is_ended<S: DispatcherStore + Promotions>(
    world: &World<S>,
) {
    let (store, shop) = (&world.store, world.shop.no);
    assert_eq!(store.promotion(shop).await.unwrap(), None);
    let first = Promotion { percent: 150, until: later(7_200) };
    let second = Promotion { percent: 300, until: later(60) };
    for promotion in [first, second] {
        store.set_promotion(shop, Some(promotion)).await.unwrap();
        assert_eq!(store.promotion(shop).await.unwrap(), Some(promotion));
    }
    store.set_promotion(shop, None).await.unwrap();
    assert_eq!(store.promotion(shop).await.unwrap(), None);
}
