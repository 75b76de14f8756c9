//! Pairing codes and credentials.

use tillroll_dispatcher::store::{ClockDrift, DispatcherStore, Pairing, PairingOutcome};

use super::world::{World, hash, later, new_pairing, noon, pairing, part};

async fn uses<S: DispatcherStore>(world: &World<S>, pairing: Pairing) -> bool {
    matches!(world.store.pair(pairing).await.unwrap(), PairingOutcome::Paired(..))
}

pub async fn code_pairs_once_and_makes_the_credential_known<S: DispatcherStore>(world: &World<S>) {
    let store = &world.store;
    let made = store.new_pairing(new_pairing(&world.shop, "R3", "abc")).await.unwrap();
    assert_eq!((made.paired_at, &made.installation), (None, &None));
    let outcome = store.pair(pairing("abc", "S1", "R3")).await.unwrap();
    let PairingOutcome::Paired(shop, register) = outcome else { panic!("{outcome:?}") };
    assert_eq!((&shop, register.no), (&world.shop, made.no));
    assert_eq!(register.installation.as_deref(), Some("machine of abc"));
    assert_eq!(register.paired_at, Some(later(1)));
    let known = store.register_of(hash("credential by abc")).await.unwrap().unwrap();
    assert_eq!((known.store, known.register), (shop, register));
    assert!(!uses(world, pairing("abc", "S1", "R3")).await);
    assert_eq!(store.registers(world.shop.no).await.unwrap().len(), 3);
}

pub async fn code_of_another_store_or_register_is_refused_and_stays_usable<S: DispatcherStore>(
    world: &World<S>,
) {
    world.store.new_pairing(new_pairing(&world.shop, "R3", "abc")).await.unwrap();
    assert!(!uses(world, pairing("abd", "S1", "R3")).await);
    assert!(!uses(world, pairing("abc", "S2", "R3")).await);
    assert!(!uses(world, pairing("abc", "S1", "R1")).await);
    assert_eq!(world.store.register_of(hash("credential by abc")).await.unwrap(), None);
    assert!(uses(world, pairing("abc", "S1", "R3")).await);
}

pub async fn code_is_refused_from_its_end_on<S: DispatcherStore>(world: &World<S>) {
    world.store.new_pairing(new_pairing(&world.shop, "R3", "abc")).await.unwrap();
    let at = |now| Pairing { now, ..pairing("abc", "S1", "R3") };
    assert!(!uses(world, at(later(600))).await);
    assert!(uses(world, at(later(599))).await);
}

pub async fn newer_code_ends_the_older_one<S: DispatcherStore>(world: &World<S>) {
    let first = world.store.new_pairing(new_pairing(&world.shop, "R3", "abc")).await.unwrap();
    let again = world.store.new_pairing(new_pairing(&world.shop, "R3", "def")).await.unwrap();
    assert_eq!(first.no, again.no);
    assert!(!uses(world, pairing("abc", "S1", "R3")).await);
    assert!(uses(world, pairing("def", "S1", "R3")).await);
}

pub async fn replacement_machine_ends_the_earlier_credential<S: DispatcherStore>(world: &World<S>) {
    let store = &world.store;
    let earlier = hash("credential by uid-1/R1");
    assert!(store.register_of(earlier).await.unwrap().is_some());
    store.new_pairing(new_pairing(&world.shop, "R1", "new")).await.unwrap();
    assert!(store.register_of(earlier).await.unwrap().is_some(), "until the new one pairs");
    assert!(uses(world, pairing("new", "S1", "R1")).await);
    assert_eq!(store.register_of(earlier).await.unwrap(), None);
    let now = store.register_of(hash("credential by new")).await.unwrap().unwrap();
    assert_eq!(now.register.no, world.r1);
    assert_eq!(now.register.installation.as_deref(), Some("machine of new"));
}

pub async fn revoked_register_is_unknown_until_it_is_paired_again<S: DispatcherStore>(
    world: &World<S>,
) {
    let store = &world.store;
    store.new_pairing(new_pairing(&world.shop, "R1", "unused")).await.unwrap();
    store.revoke_register(world.r1, noon()).await.unwrap();
    store.revoke_register(world.r1, later(9)).await.unwrap();
    assert_eq!(store.register_of(hash("credential by uid-1/R1")).await.unwrap(), None);
    assert!(!uses(world, pairing("unused", "S1", "R1")).await);
    let registers = store.registers(world.shop.no).await.unwrap();
    assert_eq!(registers[0].name, part("R1"));
    assert_eq!(registers[0].revoked_at, Some(noon()));
    store.new_pairing(new_pairing(&world.shop, "R1", "back")).await.unwrap();
    assert!(uses(world, pairing("back", "S1", "R1")).await);
    assert_eq!(store.registers(world.shop.no).await.unwrap()[0].revoked_at, None);
}

pub async fn drift_of_a_clock_is_the_newest_measured<S: DispatcherStore>(world: &World<S>) {
    let store = &world.store;
    assert_eq!(store.drifts(world.shop.no).await.unwrap(), []);
    let drift = |register, drift_ms, at| ClockDrift { register, drift_ms, measured_at: later(at) };
    store.note_drift(drift(world.r2, -400, 1)).await.unwrap();
    store.note_drift(drift(world.r1, 259_200_000, 2)).await.unwrap();
    store.note_drift(drift(world.r1, 7, 3)).await.unwrap();
    let known = store.drifts(world.shop.no).await.unwrap();
    assert_eq!(known, [drift(world.r1, 7, 3), drift(world.r2, -400, 1)]);
}
