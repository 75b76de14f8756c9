//! Tenants, stores and keys.

use tillroll_dispatcher::job::{RegisterNo, StoreNo};
use tillroll_dispatcher::store::{Caller, DispatcherStore, Hook, StoreError, Stored};

use super::world::{World, api_key, hash, noon, shop};

fn is_refused<T: std::fmt::Debug>(answer: Stored<T>) -> bool {
    match answer {
        Err(StoreError::Refused(_)) => true,
        other => panic!("not refused: {other:?}"),
    }
}

pub async fn names_are_taken_once<S: DispatcherStore>(world: &World<S>) {
    let World { store, tenant, .. } = world;
    assert!(is_refused(store.add_tenant("Old Wang".into(), noon()).await));
    assert!(is_refused(store.add_store(shop(*tenant, "uid-9", "S1")).await));
    assert!(is_refused(store.add_store(shop(*tenant, "uid-1", "S9")).await));
    assert!(is_refused(store.add_api_key(api_key(*tenant, "platform", vec![]), hash("x")).await));
    let other = store.add_tenant("Chloé".into(), noon()).await.unwrap();
    let same_code = store.add_store(shop(other.id, "uid-2", "S1")).await.unwrap();
    assert_eq!(store.stores().await.unwrap(), [world.shop.clone(), same_code.clone()]);
    assert_eq!(store.store_of("uid-2".into()).await.unwrap(), Some(same_code));
    assert_eq!(store.store_of("uid-3".into()).await.unwrap(), None);
    let names: Vec<_> = store.tenants().await.unwrap().into_iter().map(|t| t.name).collect();
    assert_eq!(names, ["Old Wang", "Chloé"]);
}

pub async fn key_uses_the_stores_of_its_tenant_only<S: DispatcherStore>(world: &World<S>) {
    let store = &world.store;
    let other = store.add_tenant("Chloé".into(), noon()).await.unwrap();
    let key = api_key(other.id, "greedy", vec![world.shop.no]);
    assert!(is_refused(store.add_api_key(key, hash("greedy")).await));
    assert_eq!(store.caller(hash("greedy"), None).await.unwrap(), None);
    let (key, platform) = (world.key.id, hash("platform"));
    let nowhere = Some(Caller { key, store: None });
    assert_eq!(store.caller(platform, None).await.unwrap(), nowhere);
    assert_eq!(world.key.stores, [world.shop.no]);
    store.add_store(shop(other.id, "uid-2", "S1")).await.unwrap();
    let here = Some(Caller { key, store: Some(world.shop.clone()) });
    assert_eq!(store.caller(platform, Some(world.shop.uid.clone())).await.unwrap(), here);
    assert_eq!(store.caller(platform, Some("uid-2".into())).await.unwrap(), nowhere);
}

pub async fn revoked_key_is_unknown_and_its_name_is_free<S: DispatcherStore>(world: &World<S>) {
    let store = &world.store;
    store.revoke_api_key(world.key.id, noon()).await.unwrap();
    assert_eq!(store.caller(hash("platform"), None).await.unwrap(), None);
    let again = api_key(world.tenant, "platform", vec![world.shop.no]);
    let again = store.add_api_key(again, hash("second")).await.unwrap();
    let keys = store.api_keys(world.tenant).await.unwrap();
    assert_eq!(keys.iter().map(|key| key.id).collect::<Vec<_>>(), [world.key.id, again.id]);
    assert_eq!(keys[0].revoked_at, Some(noon()));
}

pub async fn number_that_does_not_exist_is_refused<S: DispatcherStore>(world: &World<S>) {
    let store = &world.store;
    let nobody = RegisterNo { no: 99, ..world.r1 };
    assert!(is_refused(store.add_store(shop(99, "uid-9", "S9")).await));
    assert!(is_refused(store.revoke_register(nobody, noon()).await));
    assert!(is_refused(store.revoke_api_key(99, noon()).await));
    assert!(is_refused(store.announce(nobody, vec![], vec![], noon()).await));
    assert!(is_refused(store.register_day(nobody, "2026-11-30".parse().unwrap()).await));
    assert!(is_refused(store.settle_delivery(99, true, None, noon()).await));
    let hook = Hook { api_key: 99, url: "https://x.test".into(), secret: "whsec_".into() };
    assert!(is_refused(store.set_hook(hook).await));
    let unknown = api_key(world.tenant, "k", vec![StoreNo(99)]);
    assert!(is_refused(store.add_api_key(unknown, hash("k")).await));
}
