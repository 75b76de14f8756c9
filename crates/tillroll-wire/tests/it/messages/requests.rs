//! Bodies of HTTP requests and answers.

use serde_json::json;
use tillroll_domain::ids::JobKind;
use tillroll_domain::outbox::RecordKind;
use tillroll_wire::day::CloudDay;
use tillroll_wire::job::{AfterDeadline, CloudJobView, CloudState, Scheduling};
use tillroll_wire::pairing::{LastNumbers, PairBody, Paired};
use tillroll_wire::record::{
    Batch, Fate, ReceiptFact, Record, RecordVerdict, SplitFact, Verdict, Verdicts,
};
use tillroll_wire::repair::{Digests, HourDigest, HourIds, KnownRecord, RecordDigest, hour_of};
use tillroll_wire::split::{
    SplitAction, SplitChangeView, SplitDayView, SplitList, SplitPart, SplitSum, SplitTotals,
    SplitView,
};
use tillroll_wire::{Code, PROTOCOL, Problem};

use super::{Check, INSTALLATION, at, clock, fingerprint, part};

const REQUEST: &str = "S1:0001:receipt:v1/receipt/e2/r1";

pub(super) fn each(check: &mut impl Check) {
    pairing(check);
    upload(check);
    repair(check);
    jobs(check);
    splits(check);
    let refused = Problem::new(Code::RateLimited, "too many calls");
    check.check("problem", &Problem { retry_after_ms: Some(980), ..refused });
}

fn pairing(check: &mut impl Check) {
    let body = PairBody {
        protocol: PROTOCOL,
        code: "7QK4-M2XD-9TBC".into(),
        store: part("S1"),
        register: part("R1"),
        installation: INSTALLATION.into(),
    };
    check.check("pair_body", &body);
    let paired = Paired {
        credential: "ab".repeat(32),
        store_uid: "st_0123456789abcdef".into(),
        store_name: "Old Wang 1".into(),
        last: Some(LastNumbers { flow_no: 1_204, z_no: 31 }),
    };
    check.check("paired", &paired);
}

fn upload(check: &mut impl Check) {
    let batch = Batch {
        protocol: PROTOCOL,
        installation: INSTALLATION.into(),
        clock: clock(),
        records: vec![record()],
    };
    check.check("batch", &batch);
    check.check("receipt_fact", &receipt_fact());
    check.check("split_fact", &split_fact());
    check.check("verdicts", &Verdicts { now: at(), verdicts: verdicts(), shares_orders: true });
    let fate = Fate {
        request_id: REQUEST.into(),
        stored_at: Some(at()),
        fingerprint: Some(fingerprint()),
        rejected: Some(Code::ParkedBehind),
    };
    check.check("fate", &fate);
}

fn record() -> Record {
    Record {
        request_id: REQUEST.into(),
        kind: RecordKind::Receipt,
        fingerprint: fingerprint(),
        flow_no: Some(17),
        epoch: 2,
        recorded_at: at(),
        body: json!({"id": "S1:0001:receipt:v1"}),
    }
}

fn receipt_fact() -> ReceiptFact {
    ReceiptFact {
        id: "S1:0001:receipt:v1".into(),
        kind: JobKind::Receipt,
        day: "2026-10-12".parse().unwrap(),
        z_no: 3,
        takings_minor: 5_600,
        tenders: [("cash".into(), 5_600)].into(),
        receipt: Some(json!({"order_no": "0001"})),
    }
}

fn split_fact() -> SplitFact {
    SplitFact {
        id: "S1:0001:refund:v1".into(),
        day: "2026-10-12".parse().unwrap(),
        amount_minor: 5_600,
        currency: "CNY".parse().unwrap(),
        paid_at: at(),
        of: Some("S1:0001:receipt:v1".into()),
    }
}

fn verdicts() -> Vec<RecordVerdict> {
    let detail = "takings_minor: not the sum of tenders".into();
    let all = [
        Verdict::Accepted,
        Verdict::Replayed,
        Verdict::Rejected { code: Code::InvalidValue, detail },
        Verdict::RetryAfter { ms: 2_000 },
    ];
    let of = |verdict| RecordVerdict { request_id: REQUEST.into(), verdict };
    all.map(of).into()
}

fn repair(check: &mut impl Check) {
    let hour = hour_of(at());
    let digest = RecordDigest::of(REQUEST, &fingerprint());
    let hours = vec![HourDigest { hour, count: 1, digest }];
    check.check("digests", &Digests { from: hour - 96, to: hour + 1, hours });
    let known = KnownRecord { request_id: REQUEST.into(), fingerprint: fingerprint(), epoch: 2 };
    check.check("hour_ids", &HourIds { hour, records: vec![known] });
    let day = CloudDay {
        register: "R1".into(),
        receipts: 120,
        refunds: 2,
        gross_minor: 560_000,
        refunded_minor: 5_600,
        tenders: [("cash".into(), 300_000), ("card".into(), 254_400)].into(),
        printed: 121,
        closed: 1,
        rejected: 1,
    };
    check.check("cloud_day", &day);
}

fn jobs(check: &mut impl Check) {
    let scheduling = Scheduling { deadline_s: Some(120), after_deadline: AfterDeadline::Drop };
    check.check("scheduling", &scheduling);
    let view = CloudJobView {
        id: "S1:0001:kitchen:v1".into(),
        state: CloudState::TimedOut,
        reason: Some("printer_stopped:paper_end".into()),
        register: Some("R1".into()),
        printer: "kitchen".into(),
        pushes: 2,
        created_at: at(),
        deadline_at: at(),
        changed_at: at(),
        late: true,
        replayed: true,
    };
    check.check("cloud_job", &view);
}

fn splits(check: &mut impl Check) {
    let part = SplitPart { party: "merchant".into(), amount_minor: 5_040 };
    let changed = SplitChangeView {
        version: 4,
        event: "refused".into(),
        state: "manual".into(),
        reason: Some("frozen".into()),
        by: Some("R1/Li".into()),
        note: Some("asked the bank".into()),
        at: at(),
    };
    let split = SplitView {
        split_id: "S1:0001:refund:v1".into(),
        no: 17,
        of: Some("S1:0001:receipt:v1".into()),
        day: "2026-10-12".parse().unwrap(),
        amount_minor: 5_600,
        currency: "CNY".into(),
        parts: vec![part],
        table_version: 2,
        state: "manual".into(),
        reason: Some("frozen".into()),
        confirmed: true,
        tries: 3,
        may_be_paid: false,
        by_hand: false,
        due_at: Some(at()),
        created_at: at(),
        changed_at: at(),
        history: vec![changed],
        replayed: false,
    };
    check.check("split_list", &SplitList { splits: vec![split], next: Some(17) });
    let note = Some("bank slip 4711".into());
    check.check("split_action", &SplitAction { by: "Li".into(), note });
    let sum = |count, amount_minor| SplitSum { count, amount_minor };
    let shares = SplitTotals {
        succeeded: sum(118, 548_800),
        pending: sum(1, 5_600),
        manual: sum(1, 5_600),
        failed: SplitSum::default(),
    };
    let refunds = SplitTotals { succeeded: sum(1, 5_600), ..SplitTotals::default() };
    let day = "2026-10-12".parse().unwrap();
    check.check("split_day", &SplitDayView { day, shares, refunds });
}
