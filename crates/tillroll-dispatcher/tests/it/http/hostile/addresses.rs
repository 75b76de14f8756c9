//! Addresses that try to break out of where they are used.

use tillroll_testkit::answers::no_fault;

use super::routes::{all, answered, begin, end, request};
use crate::http::support::Cloud;

/// As they stand in an address: ends of texts and lines, other folders, no UTF-8, other languages, no end.
fn hostile() -> Vec<String> {
    let mut hostile: Vec<String> = [
        "%00",
        "a%00b",
        "%0d%0ax-injected:%20yes",
        "..%2f..%2f..%2fetc%2fpasswd",
        "..%5c..%5cwin.ini",
        "%ff%fe",
        "%25%30%30",
        "'%20OR%201=1%20--",
        "%22;DROP%20TABLE%20print_jobs;",
        "%e2%80%ae%f0%9f%92%a5",
        "-1",
        "99999999999999999999999",
        "{}",
    ]
    .map(str::to_owned)
    .into();
    hostile.push("9".repeat(8_000));
    hostile
}

async fn hostile_part_of_an_address_is_refused_and_no_fault(cloud: Cloud) {
    let (caller, mut attack) = begin(&cloud, "hostile parts of every address").await;
    for operation in all() {
        for parameter in operation.parameters() {
            for value in hostile() {
                let path = operation.filled(|name| match name == parameter {
                    true => value.clone(),
                    false => caller.value(&operation, name),
                });
                let asked = request(&cloud, &operation, &path, caller.secret(&operation));
                let asked_for = format!("{} {path:.200}", operation.method);
                attack.tried(no_fault(&asked_for, answered(asked).await).await);
            }
        }
    }
    end(attack, &cloud, &caller).await;
}

async fn hostile_value_behind_an_address_is_refused_and_no_fault(cloud: Cloud) {
    let (caller, mut attack) = begin(&cloud, "hostile values behind every address").await;
    for operation in all() {
        let path = operation.filled(|name| caller.value(&operation, name));
        for query in &operation.queries {
            for value in hostile() {
                let path = format!("{path}?{query}={value}");
                let asked = request(&cloud, &operation, &path, caller.secret(&operation));
                attack.tried(no_fault(&format!("{path:.200}"), answered(asked).await).await);
            }
        }
    }
    end(attack, &cloud, &caller).await;
}

crate::http::on_both_engines! {
    hostile_part_of_an_address_is_refused_and_no_fault,
    hostile_value_behind_an_address_is_refused_and_no_fault,
}
