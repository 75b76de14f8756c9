//! Printers and routes as registers announce them.

use tillroll_dispatcher::job::RegisterNo;
use tillroll_dispatcher::store::DispatcherStore;
use tillroll_domain::ids::{JobKind, Part};

use super::world::{World, noon, part};

async fn announce<S: DispatcherStore>(
    world: &World<S>,
    register: RegisterNo,
    printers: &[&str],
    kitchen: Option<&str>,
) -> Vec<Part> {
    let printers = printers.iter().map(|name| part(name)).collect();
    let routes = kitchen.map(|printer| (JobKind::Kitchen, part(printer))).into_iter().collect();
    world.store.announce(register, printers, routes, noon()).await.unwrap()
}

async fn owner<S: DispatcherStore>(world: &World<S>, printer: &str) -> Option<RegisterNo> {
    world.store.printer_owner(world.shop.no, part(printer)).await.unwrap()
}

async fn kitchen<S: DispatcherStore>(world: &World<S>) -> Option<Part> {
    world.store.route(world.shop.no, JobKind::Kitchen).await.unwrap()
}

pub async fn name_belongs_to_the_register_that_announced_it_first<S: DispatcherStore>(
    world: &World<S>,
) {
    assert_eq!(announce(world, world.r1, &["front", "bar"], None).await, []);
    assert_eq!(announce(world, world.r2, &["front", "back"], None).await, [part("front")]);
    assert_eq!(announce(world, world.r1, &["front", "bar"], None).await, []);
    assert_eq!(owner(world, "front").await, Some(world.r1));
    assert_eq!(owner(world, "back").await, Some(world.r2));
    assert_eq!(owner(world, "cellar").await, None);
}

pub async fn name_left_out_of_an_announcement_is_free<S: DispatcherStore>(world: &World<S>) {
    announce(world, world.r1, &["front", "bar"], Some("bar")).await;
    announce(world, world.r1, &["front"], None).await;
    assert_eq!(owner(world, "bar").await, None);
    assert_eq!(kitchen(world).await, None);
    assert_eq!(announce(world, world.r2, &["bar"], None).await, []);
    assert_eq!(owner(world, "bar").await, Some(world.r2));
}

pub async fn route_is_that_of_the_lowest_register_with_the_printer<S: DispatcherStore>(
    world: &World<S>,
) {
    announce(world, world.r2, &["back"], Some("back")).await;
    assert_eq!(kitchen(world).await, Some(part("back")));
    announce(world, world.r1, &["front", "bar"], Some("bar")).await;
    assert_eq!(kitchen(world).await, Some(part("bar")));
    // A route to a printer that is another register's leads nowhere.
    announce(world, world.r1, &["front"], Some("back")).await;
    assert_eq!(kitchen(world).await, Some(part("back")));
    assert_eq!(world.store.route(world.shop.no, JobKind::Report).await.unwrap(), None);
}

pub async fn revoked_register_frees_its_printers<S: DispatcherStore>(world: &World<S>) {
    announce(world, world.r1, &["front"], Some("front")).await;
    world.store.revoke_register(world.r1, noon()).await.unwrap();
    assert_eq!((owner(world, "front").await, kitchen(world).await), (None, None));
    assert_eq!(announce(world, world.r2, &["front"], None).await, []);
}
