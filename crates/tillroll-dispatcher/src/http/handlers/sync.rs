//! Records of registers come up, and both sides compare what they have.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json as Answered;
use axum::extract::State;
use tillroll_domain::limits::Action;
use tillroll_wire::day::CloudDay;
use tillroll_wire::record::{BATCH_RECORDS, Batch, Verdicts};
use tillroll_wire::repair::{Digests, HOURS, HourIds};
use tillroll_wire::{Code, PROTOCOL};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::books::day_of;
use crate::http::api::Api;
use crate::http::extract::{BatchJson, Json, Path};
use crate::http::guard::Device;
use crate::http::problem::Refusal;
use crate::store::DispatcherStore as _;

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(take_records))
        .routes(routes!(compare_digests))
        .routes(routes!(get_hour))
        .routes(routes!(get_register_day))
}

/// Send records
///
/// Oldest first. Each gets its own verdict; one that is refused does not keep the others. Sending again is
/// free.
#[utoipa::path(
    post, path = "/v1/sync/records", tag = "sync",
    request_body = Batch,
    responses((status = 200, description = "A verdict for each record", body = Verdicts))
)]
async fn take_records(
    State(api): State<Api>,
    device: Device,
    BatchJson(batch): BatchJson<Batch>,
) -> Result<Answered<Verdicts>, Refusal> {
    check(&device, &batch)?;
    let now = api.now();
    let verdicts = api.store().take_records(device.credential.register.no, batch, now).await?;
    api.metrics().records(&verdicts);
    Ok(Answered(Verdicts { now, verdicts, shares_orders: device.credential.shares_orders }))
}

fn check(device: &Device, batch: &Batch) -> Result<(), Refusal> {
    if batch.protocol != PROTOCOL {
        let detail = format!("protocol {} is not spoken here, {PROTOCOL} is", batch.protocol);
        return Err(Refusal::new(Code::UnknownProtocol, detail));
    }
    if device.credential.register.installation.as_ref() != Some(&batch.installation) {
        let detail = "another installation is paired as this register";
        return Err(Refusal::new(Code::Replaced, detail));
    }
    if batch.records.len() > BATCH_RECORDS {
        return Err(Refusal::value("records", format!("must be at most {BATCH_RECORDS}")));
    }
    Ok(())
}

/// Compare counts and digests of hours
///
/// Limited as the action `sync`: 50 in 60 s. What is sent, and the ids of hours, are limited by the register's
/// requests alone: they are as many as the work asks for.
#[utoipa::path(
    post, path = "/v1/sync/digests", tag = "sync",
    request_body = Digests,
    responses((status = 200, description = "The dispatcher's, of the same range", body = Digests))
)]
async fn compare_digests(
    State(api): State<Api>,
    device: Device,
    Json(asked): Json<Digests>,
) -> Result<Answered<Digests>, Refusal> {
    let hours = asked.to.checked_sub(asked.from).and_then(|hours| usize::try_from(hours).ok());
    if hours.is_none_or(|hours| hours > HOURS) {
        return Err(Refusal::value("to", format!("must be at most {HOURS} hours after from")));
    }
    let counted = api.limits().comparison(&device.credential, api.clocks()).await;
    api.metrics().limit_asked(Action::Sync.as_str(), counted.is_ok());
    counted?;
    let register = device.credential.register.no;
    let kept = api.store().digests(register, asked.from, asked.to).await?;
    api.metrics().repairs(differences(&asked, &kept));
    Ok(Answered(kept))
}

/// By how many records the hours of both sides differ, at least.
fn differences(told: &Digests, kept: &Digests) -> u64 {
    let by_hour = |side: &Digests| -> BTreeMap<_, _> {
        side.hours.iter().map(|of| (of.hour, (of.count, of.digest))).collect()
    };
    let (told, kept) = (by_hour(told), by_hour(kept));
    let hours: BTreeSet<_> = told.keys().chain(kept.keys()).collect();
    let of_hour = |hour| {
        let side = |hours: &BTreeMap<_, _>| hours.get(hour).copied().unwrap_or_default();
        let ((told, a), (kept, b)) = (side(&told), side(&kept));
        told.abs_diff(kept).max(u64::from(a != b))
    };
    hours.into_iter().map(of_hour).fold(0, u64::saturating_add)
}

/// Ids of an hour
#[utoipa::path(
    get, path = "/v1/sync/hours/{hour}", tag = "sync",
    params(("hour" = i64, Path, description = "The hour, as hours since 1970 in UTC")),
    responses((status = 200, description = "What the dispatcher has", body = HourIds))
)]
async fn get_hour(
    State(api): State<Api>,
    device: Device,
    Path(hour): Path<i64>,
) -> Result<Answered<HourIds>, Refusal> {
    Ok(Answered(api.store().hour_ids(device.credential.register.no, hour).await?))
}

/// The register's own day, as the head office has it
#[utoipa::path(
    get, path = "/v1/sync/days/{date}", tag = "sync",
    params(("date" = String, Path, description = "The day, as 2026-10-09")),
    responses((status = 200, description = "The day", body = CloudDay))
)]
async fn get_register_day(
    State(api): State<Api>,
    device: Device,
    Path(date): Path<String>,
) -> Result<Answered<CloudDay>, Refusal> {
    let register = device.credential.register.no;
    Ok(Answered(api.store().register_day(register, day_of(&date)?).await?))
}
