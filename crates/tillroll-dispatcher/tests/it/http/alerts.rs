//! The alert rules and the dashboard name figures that the program shows, and no others.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use reqwest::Method;
use serde_json::{Value, json};
use tillroll_dispatcher::clock::SystemClock;
use tillroll_domain::clock::Clock as _;
use tillroll_wire::repair::hour_of;

use super::counters::{change_stock, count, trade};
use super::line::Line;
use super::support::{Cloud, order};
use super::sync::{batch, paired};
use crate::conformance::world::sale;

const ALERTS: &str = include_str!("../../../../../docs/alerts.yml");
const DASHBOARD: &str = include_str!("../../../../../docs/dashboard.json");

/// Names of figures in a text: `tillroll_` and what belongs to the word.
fn names(text: &str) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).filter(|word| word.starts_with("tillroll_")).collect()
}

/// A dispatcher that had something of everything: a parked job, counters, limits, records, hours that differ.
async fn exercised() -> Cloud {
    let (cloud, shop, credential) = paired().await;
    drop(Line::greeted(&cloud, &credential, "R1").await);
    cloud.until_connected(0).await;
    cloud.send(&shop, &order(1)).await;
    cloud.until(&shop, 1, "parked").await;
    change_stock(&cloud, &shop, "soup", json!({"request_id": "s", "set": 10})).await;
    let soup = json!([{"sku": "soup", "quantity": 1}]);
    count(&cloud, &shop, &trade("sale", "a", &soup, 100)).await;
    cloud.post(&credential, "/v1/limits/scan", &json!({})).await;
    cloud.post(&credential, "/v1/sync/records", &batch("R1", &[sale(1)])).await;
    let hour = hour_of(SystemClock.now() - SignedDuration::from_hours(1));
    let told = json!({"from": hour, "to": hour + 1,
        "hours": [{"hour": hour, "count": 3, "digest": "1"}]});
    cloud.post(&credential, "/v1/sync/digests", &told).await;
    cloud
}

async fn scrape(cloud: &Cloud) -> String {
    let answer = cloud.request(Method::GET, "/metrics").send().await.unwrap();
    answer.text().await.unwrap()
}

/// The value of a figure without labels.
fn value(shown: &str, name: &str) -> Option<f64> {
    let line = shown.lines().find(|line| line.split(' ').next() == Some(name))?;
    line.rsplit(' ').next()?.parse().ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_figure_that_rules_and_dashboard_name_is_shown() {
    let shown = scrape(&exercised().await).await;
    let exposed = shown.lines().filter(|line| !line.starts_with('#'));
    let exposed: BTreeSet<_> = exposed.filter_map(|line| line.split(['{', ' ']).next()).collect();
    let named: BTreeSet<_> = names(ALERTS).union(&names(DASHBOARD)).copied().collect();
    assert!(named.len() > 10, "{named:?}");
    let missing: Vec<_> = named.difference(&exposed).collect();
    assert!(missing.is_empty(), "{missing:?} of {shown}");
    assert_eq!(value(&shown, "tillroll_repairs_total"), Some(3.0));
    assert!(shown.contains(r#"tillroll_counter_duration_seconds_bucket{le="0.02"}"#), "{shown}");
    assert!(shown.contains(r#"tillroll_oldest_job_age_seconds{state="parked"}"#), "{shown}");
}

#[test]
fn each_rule_has_a_threshold_a_severity_and_what_to_do() {
    let rules: Vec<_> = ALERTS.split("- alert: ").skip(1).collect();
    assert!(rules.len() >= 8, "{}", rules.len());
    for rule in rules {
        for part in ["expr:", "for:", "severity:", "summary:", "description:"] {
            assert!(rule.contains(part), "{part} of {rule}");
        }
    }
}

#[test]
fn dashboard_is_one_of_grafana_with_a_query_in_each_panel() {
    let dashboard: Value = serde_json::from_str(DASHBOARD).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    assert!(panels.len() >= 10, "{}", panels.len());
    for panel in panels {
        let query = panel["targets"][0]["expr"].as_str().unwrap();
        assert!(query.contains("tillroll_"), "{panel}");
    }
}
