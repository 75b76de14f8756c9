//! Figures of splits for Prometheus.

use metrics::{counter, describe_counter, describe_gauge, gauge};
use tillroll_domain::splits::SplitState;

use super::metrics::exact;
use crate::payments::PaymentCounts;

pub(super) fn render(open: &[(SplitState, u64)], payments: &PaymentCounts) {
    describe_gauge!(
        "tillroll_splits",
        "Splits that are due some time, or with a person, by state."
    );
    for (state, count) in open {
        gauge!("tillroll_splits", "state" => state.as_str()).set(exact(*count));
    }
    describe_counter!("tillroll_split_answers_total", "Answers of the channel, and faults.");
    for (word, count) in payments.answers {
        counter!("tillroll_split_answers_total", "answer" => word).absolute(count);
    }
    let rounds = "tillroll_split_comparisons_total";
    describe_counter!(rounds, "Comparisons with the channel.");
    counter!(rounds).absolute(payments.rounds);
    let gauges = [
        (
            "tillroll_split_channel_gone",
            "Whether the channel does not answer: 1, else 0.",
            u64::from(payments.gone),
        ),
        (
            "tillroll_split_calls_most",
            "The most calls that were under way at once.",
            payments.most_at_once,
        ),
        ("tillroll_split_repairs", "Splits that the newest comparison repaired.", payments.repairs),
        (
            "tillroll_split_differences",
            "Amounts that differed in the newest comparison.",
            payments.differences,
        ),
        (
            "tillroll_split_foreign",
            "Payments of the channel that nobody here asked for.",
            payments.foreign,
        ),
        (
            "tillroll_split_alarm",
            "Whether the newest comparison repaired too many: 1, else 0.",
            u64::from(payments.alarm),
        ),
    ];
    for (name, text, value) in gauges {
        describe_gauge!(name, text);
        gauge!(name).set(exact(value));
    }
}
