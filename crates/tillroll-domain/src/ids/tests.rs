use proptest::prelude::*;

use super::*;

fn part(text: &str) -> Part {
    text.parse().unwrap()
}

#[test]
fn id_reads_back_from_its_text() {
    let text = "S1:20261009-000123:receipt:v1";
    let id: JobId = text.parse().unwrap();
    assert_eq!(id.to_string(), text);
    assert_eq!(id.copy(2).to_string(), "S1:20261009-000123:receipt:v1:c2");
    assert_eq!(id.copy(2).original(), id);
}

#[test]
fn one_id_has_one_text() {
    for text in [
        "",
        "S1",
        "S1:1:receipt",
        "S1:1:receipt:v01",
        "S1:1:receipt:v0",
        "S1:1:receipt:1",
        "S1:1:receipt:v1:1",
        "S1:1:receipt:v1:c1:x",
        "S1:1:invoice:v1",
        "S 1:1:receipt:v1",
        "S1::receipt:v1",
        "S1:é:receipt:v1",
        "S1:1:receipt:v+1",
        "S1:1:receipt:v1000000",
    ] {
        assert!(text.parse::<JobId>().is_err(), "{text} must be refused");
    }
}

#[test]
fn part_error_names_the_field() {
    let error = Part::new("a b", "order_no").unwrap_err();
    assert!(error.to_string().starts_with("order_no "), "{error}");
    assert!(Part::new(&"x".repeat(80), "order_no").is_ok());
    assert!(Part::new(&"x".repeat(81), "order_no").is_err());
}

#[test]
fn scope_keeps_a_pos_that_restarts_every_day_apart() {
    let (register, order) = (part("R1"), part("0001"));
    let day = jiff::civil::date(2026, 10, 9);
    let of = |scope: OrderScope, day| scope.order(&register, day, &order).unwrap().to_string();
    assert_eq!(of(OrderScope::Store, day), "0001");
    assert_eq!(of(OrderScope::Register, day), "R1~0001");
    assert_eq!(of(OrderScope::RegisterDay, day), "R1~20261009~0001");
    assert_ne!(
        of(OrderScope::RegisterDay, day),
        of(OrderScope::RegisterDay, day.tomorrow().unwrap())
    );
}

proptest! {
    #[test]
    fn any_valid_id_round_trips(store in "[A-Za-z0-9._~-]{1,80}", order in "[A-Za-z0-9._~-]{1,80}",
                                kind in 0usize..5, version in 1u32..=NUMBER_MAX, copy in proptest::option::of(1u32..=NUMBER_MAX)) {
        let id = JobId { store: part(&store), order: part(&order), kind: JobKind::ALL[kind], version, copy };
        prop_assert_eq!(id.to_string().parse::<JobId>().unwrap(), id);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,60}") {
        let _ = text.parse::<JobId>();
    }
}
