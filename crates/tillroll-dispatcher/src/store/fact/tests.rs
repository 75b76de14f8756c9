use serde_json::{Value, json};
use tillroll_domain::fingerprint::Fingerprint;
use tillroll_domain::money::Minor;

use super::*;

fn store() -> Part {
    "S1".parse().unwrap()
}

fn record(kind: RecordKind, request_id: &str, body: Value) -> Record {
    Record {
        request_id: request_id.to_owned(),
        kind,
        fingerprint: Fingerprint::of(body.to_string().as_bytes()),
        flow_no: Some(7),
        epoch: 1,
        recorded_at: "2026-11-30T10:00:00Z".parse().unwrap(),
        body,
    }
}

fn sale(id: &str, kind: &str, takings: i64) -> Record {
    let body = json!({
        "id": id, "kind": kind, "day": "2026-11-30", "z_no": 3,
        "takings_minor": takings, "tenders": {"cash": takings}, "unheard_of": true,
    });
    record(RecordKind::Receipt, &format!("{id}/receipt/e1/r1"), body)
}

fn with(mut record: Record, field: &str, value: Value) -> Record {
    record.body[field] = value;
    record
}

fn refusal(record: &Record) -> (Code, String) {
    let refused = read(record, &store()).unwrap_err();
    let field = refused.detail.split(':').next().unwrap().to_owned();
    (refused.code, field)
}

#[test]
fn a_sale_is_read_and_unknown_fields_are_tolerated() {
    let Fact::Receipt(sale) = read(&sale("S1:1:receipt:v1", "receipt", 1_250), &store()).unwrap()
    else {
        panic!("a sale")
    };
    assert_eq!((sale.flow_no, sale.z_no, sale.takings_minor), (7, 3, 1_250));
    assert_eq!(sale.tenders["cash"], 1_250);
}

#[test]
fn what_cannot_be_booked_is_refused_with_the_field_at_fault() {
    let good = || sale("S1:1:receipt:v1", "receipt", 1_250);
    let value = |field: &str| (Code::InvalidValue, field.to_owned());
    let cases = [
        (sale("S1:1", "receipt", 1), value("id")),
        (sale("S2:1:receipt:v1", "receipt", 1), (Code::NotFound, "id".into())),
        (sale("S1:1:receipt:v1:c1", "receipt", 1), value("kind")),
        (sale("S1:1:receipt:v1", "refund", -1), value("kind")),
        (sale("S1:1:receipt:v1", "receipt", -1), value("takings_minor")),
        (sale("S1:1:refund:v1", "refund", 1), value("takings_minor")),
        (sale("S1:1:kitchen:v1", "kitchen", 1), value("takings_minor")),
        (sale("S1:1:receipt:v1", "receipt", i64::MAX), value("takings_minor")),
        (with(good(), "tenders", json!({"cash": i64::MIN})), value("tenders")),
        (with(good(), "tenders", json!({"": 1})), value("tenders")),
        (with(good(), "day", json!("2026-12-03")), value("day")),
        (with(good(), "day", json!("2026-11-27")), value("day")),
        (with(good(), "day", json!("9999-01-01")), value("day")),
        (with(good(), "z_no", json!("three")), (Code::InvalidBody, "body".into())),
        (Record { flow_no: None, ..good() }, value("flow_no")),
        (Record { flow_no: Some(0), ..good() }, value("flow_no")),
        (Record { body: json!(null), ..good() }, (Code::InvalidBody, "body".into())),
    ];
    for (record, expected) in cases {
        assert_eq!(refusal(&record), expected, "{record:?}");
    }
    for day in ["2026-11-28", "2026-12-02"] {
        assert!(read(&with(good(), "day", json!(day)), &store()).is_ok(), "{day}");
    }
}

#[test]
fn a_paper_is_read_from_body_and_request_id() {
    let body = json!({"state": "printed", "confirmation": "token", "reason": null});
    let printed = record(RecordKind::Print, "S1:1:receipt:v1/print/e1/r3", body.clone());
    let Fact::Print(paper) = read(&printed, &store()).unwrap() else { panic!("a paper") };
    assert!(paper.is_on_paper());
    assert_eq!((paper.id.to_string().as_str(), paper.row_version), ("S1:1:receipt:v1", 3));
    for request_id in [
        "",
        "x",
        "S1:1:receipt:v1/print/e1",
        "S1:1:receipt:v1/print/e2/r3",
        "S1:1:receipt:v1/close/e1/r3",
        "S1:1:receipt:v1/print/e1/r3/x",
        "S1:1:receipt:v1/print/e1/r",
    ] {
        let odd = record(RecordKind::Print, request_id, body.clone());
        assert_eq!(refusal(&odd).0, Code::InvalidValue, "{request_id}");
    }
    let other = record(RecordKind::Print, "S2:1:receipt:v1/print/e1/r3", body);
    assert_eq!(refusal(&other).0, Code::NotFound);
}

#[test]
fn trust_and_a_skipped_job_are_not_on_paper() {
    for (state, confirmation, known) in [
        (JobState::Printed, Some(Confirmation::Clerk), true),
        (JobState::Printed, Some(Confirmation::Assumed), false),
        (JobState::Printed, None, false),
        (JobState::Skipped, None, false),
    ] {
        assert_eq!(is_on_paper(state, confirmation), known, "{state} {confirmation:?}");
    }
}

#[test]
fn closes_and_corrections_are_read() {
    let closed = record(RecordKind::Close, "R1:2026-11-29:z3/close/e1/r1", json!({"net": 1}));
    assert_eq!(read(&closed, &store()), Ok(Fact::Close("2026-11-29".parse().unwrap())));
    assert_eq!(day_of(&closed).to_string(), "2026-11-29");
    let odd = record(RecordKind::Close, "R1:z3/close/e1/r1", json!({}));
    assert_eq!(refusal(&odd).0, Code::InvalidValue);
    let body = json!({"z_no": 3, "was": "unconfirmed", "became": "printed"});
    let correction = record(RecordKind::Correction, "S1:1:receipt:v1/correction/e1/r4", body);
    assert_eq!(read(&correction, &store()), Ok(Fact::Correction));
}

#[test]
fn a_sale_to_be_shared_is_read_and_what_cannot_be_shared_is_refused() {
    let split = |id: &str, amount: i64, of: Option<&str>| {
        let body = json!({"id": id, "day": "2026-11-30", "amount_minor": amount, "currency": "CNY",
            "paid_at": "2026-11-30T10:00:00Z", "of": of});
        record(RecordKind::Split, &format!("{id}/split/e1/r1"), body)
    };
    let (sale, refund) = ("S1:1:receipt:v1", "S1:1:refund:v1");
    let Fact::Split(shared) = read(&split(refund, 500, Some(sale)), &store()).unwrap() else {
        panic!("a split")
    };
    assert_eq!((shared.amount, shared.of), (Minor(500), Some(sale.parse().unwrap())));
    let value = |field: &str| (Code::InvalidValue, field.to_owned());
    let cases = [
        (split(sale, 0, None), value("amount_minor")),
        (split(sale, i64::MAX, None), value("amount_minor")),
        (split(sale, 1, Some(sale)), value("of")),
        (split(refund, 1, None), value("of")),
        (split(refund, 1, Some(refund)), value("of")),
        (split("S1:1:kitchen:v1", 1, None), value("of")),
        (split("S1:1:receipt:v1:c1", 1, None), value("of")),
        (split("S2:1:receipt:v1", 1, None), (Code::NotFound, "id".into())),
        (split(refund, 1, Some("S2:1:receipt:v1")), (Code::NotFound, "id".into())),
        (with(split(sale, 1, None), "day", json!("2026-12-03")), value("day")),
        (with(split(sale, 1, None), "currency", json!("?")), (Code::InvalidBody, "body".into())),
        (Record { flow_no: None, ..split(sale, 1, None) }, value("flow_no")),
    ];
    for (record, expected) in cases {
        assert_eq!(refusal(&record), expected, "{record:?}");
    }
}

#[test]
fn a_refusal_counts_on_the_day_the_record_names_or_else_on_that_of_its_time() {
    let named = with(sale("S2:1:receipt:v1", "receipt", 1), "day", json!("2026-11-29"));
    assert_eq!(day_of(&named).to_string(), "2026-11-29");
    assert_eq!(day_of(&Record { body: json!(7), ..named }).to_string(), "2026-11-30");
}
