//! Somebody else answers: a certificate that is not to be believed, the sign-in page of a guest network, nobody.

use std::sync::Arc;

use anyhow::{Context as _, Result};
use serde_json::Value;
use tillroll_testkit::authority::ServerConfig;
use tillroll_testkit::{Attack, Authority, Door, Leads};

use super::shop::{Office, Till};

/// Who answers, under which certificate, and the words by which a person is told: any of them.
type Stranger = (Leads, Option<Arc<ServerConfig>>, &'static [&'static str]);

const WHAT: &str =
    "certificates expired, early, of another name, of nobody; guest networks; a deaf peer";
const HOST: &str = "localhost";
/// The trusted authority's name; others use it too.
const NAME: &str = "Trusted";

fn strangers(office: Leads, authority: &Authority) -> Result<Vec<Stranger>> {
    let of =
        |authority: &Authority, name, from, until| authority.vouch(name, from, until).map(Some);
    let (unknown, pretender) = (Authority::new("Unknown")?, Authority::new(NAME)?);
    let nobody = &["nobody this computer trusts vouches for its certificate"];
    Ok(vec![
        (office, of(authority, HOST, 2020, 2021)?, &["its certificate has expired"]),
        (office, of(authority, HOST, 2098, 2099)?, &["its certificate is not valid yet"]),
        (office, of(authority, "other.example", 2020, 2099)?, &["certificate is for another name"]),
        (office, of(&unknown, HOST, 2020, 2099)?, nobody),
        (office, of(&pretender, HOST, 2020, 2099)?, nobody),
        (Leads::Page, None, &["it does not answer with TLS"]),
        (Leads::Page, of(authority, HOST, 2020, 2099)?, &["not the dispatcher answered"]),
        // While TLS begins, nothing stands yet.
        (Leads::Deaf, None, &["no answer within", "no connection: operation timed out"]),
    ])
}

fn show(door: &Door, (leads, tls, _): &Stranger) {
    match tls {
        Some(tls) => door.lead_under(*leads, tls),
        None => door.lead(*leads),
    }
}

/// Whether a code is refused in these words, and not used up.
fn is_told_at_pairing(till: &Till, url: &str, code: &str, words: &[&str]) -> bool {
    till.pair(url, code).is_err_and(|error| says(&error.to_string(), words))
}

fn says(text: &str, words: &[&str]) -> bool {
    words.iter().any(|words| text.contains(words))
}

/// Whether the state of the cloud says it in these words.
async fn is_told_in_the_state(till: &Till, words: &[&str]) -> Result<Result<(), String>> {
    till.retry().await?;
    let named = |cloud: &Value| {
        let cause = cloud["cause"].as_str().unwrap_or_default();
        cloud["state"] == "offline" && says(cause, words)
    };
    let told = till.until(&words.join(", "), named).await;
    Ok(told.map(drop).map_err(|error| error.to_string()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_else_answers_is_named_and_costs_no_sale() -> Result<()> {
    let (office, authority) = (Office::open().await?, Authority::new(NAME)?);
    let here = Leads::Through(office.program.address.parse().context("address")?);
    let door = Door::open(here).await?;
    let mut till = Till::open(Some(&authority.file())).await?;
    let (url, code) = (format!("https://{HOST}:{}", door.address().port()), office.code()?);
    let (strangers, mut attack) = (strangers(here, &authority)?, Attack::on_all(WHAT));
    for stranger in &strangers {
        show(&door, stranger);
        let is_told = is_told_at_pairing(&till, &url, &code, stranger.2);
        attack.holds(is_told, || format!("pairing does not say {:?}", stranger.2));
    }
    let valid = authority.vouch(HOST, 2020, 2099)?;
    door.lead_under(here, &valid);
    till.pair(&url, &code)?;
    till.until_told().await?;
    for stranger in &strangers {
        show(&door, stranger);
        till.sell().await?;
        attack.tried(is_told_in_the_state(&till, stranger.2).await?);
    }
    door.lead_under(here, &valid);
    till.retry().await?;
    let told = till.until_told().await?;
    assert_eq!(told["refused_records"], 0, "{told}");
    till.settle(&office, &[], attack).await?.end();
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn register_that_trusts_a_pretender_is_joined_to_it() -> Result<()> {
    let (office, pretender) = (Office::open().await?, Authority::new(NAME)?);
    let here = Leads::Through(office.program.address.parse().context("address")?);
    let door = Door::open(here).await?;
    door.lead_under(here, &pretender.vouch(HOST, 2020, 2099)?);
    let till = Till::open(Some(&pretender.file())).await?;
    let url = format!("https://{HOST}:{}", door.address().port());
    till.pair(&url, &office.code()?)?;
    till.until_told().await.map(drop)
}
