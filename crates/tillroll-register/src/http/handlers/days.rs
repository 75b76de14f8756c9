//! Days: the reconciliation, what the POS declares, cash, and the close.

use axum::Json as Answered;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::extract::{Json, OptionalJson, Path, Query};
use crate::problem::Problem;
use crate::view::{CashBody, CloseBody, ClosingView, DayView, ExportFormat, TotalsView};
use crate::{Access, Register};

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .routes(routes!(get_day))
        .routes(routes!(declare_pos_totals))
        .routes(routes!(move_cash))
        .routes(routes!(close_day))
}

/// What the day is written as.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Format {
    #[default]
    Json,
    Csv,
    Pdf,
}

/// The bytes of a document.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "a shape to describe, never a value")]
struct Pdf(Vec<u8>);

/// How the day is wanted.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// What it is written as; JSON without it.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// The reconciliation of a day
///
/// What the POS says, what the register recorded and printed, what the head office knows, and every
/// difference with its cure. As PDF it is a document in the store's language, to be filed.
#[utoipa::path(
    get, path = "/v1/days/{date}", tag = "days",
    params(("date" = String, Path, format = Date, description = "The business day"), Wanted),
    responses((status = 200, description = "The day", content(
        (DayView = "application/json"), (String = "text/csv"), (Pdf = "application/pdf")
    )))
)]
async fn get_day(
    State(api): State<Api>,
    Path(date): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Problem> {
    let (register, date) = (api.register(), business_day(&date)?);
    Ok(match wanted.format {
        Format::Json => Answered(register.day(date).await?).into_response(),
        Format::Csv => {
            let csv = register.day(date).await?.csv();
            file(register, date, ExportFormat::Csv, "text/csv; charset=utf-8", csv)
        }
        Format::Pdf => {
            let pdf = register.day_pdf(date).await?;
            file(register, date, ExportFormat::Pdf, "application/pdf", pdf)
        }
    })
}

/// A day as a file, with the name it is to be kept under.
fn file(
    register: &Register,
    date: Date,
    format: ExportFormat,
    media_type: &'static str,
    body: impl IntoResponse,
) -> Response {
    // Names of stores and registers have no character that would need quoting.
    let disposition = format!("inline; filename=\"{}\"", register.file_name(date, format));
    let headers =
        [(header::CONTENT_TYPE, media_type.to_owned()), (header::CONTENT_DISPOSITION, disposition)];
    (headers, body).into_response()
}

/// Declare what the POS says of a day; the last word counts
#[utoipa::path(
    put, path = "/v1/days/{date}/pos-totals", tag = "days",
    params(("date" = String, Path, format = Date, description = "The business day")),
    request_body = TotalsView,
    responses((status = 204, description = "Recorded"))
)]
async fn declare_pos_totals(
    State(api): State<Api>,
    Path(date): Path<String>,
    Json(totals): Json<TotalsView>,
) -> Result<StatusCode, Problem> {
    api.register().declare_pos_totals(business_day(&date)?, totals).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Record cash that is no sale: float, paid in, paid out, count
#[utoipa::path(
    post, path = "/v1/days/{date}/cash", tag = "days",
    params(("date" = String, Path, format = Date, description = "The business day")),
    request_body = CashBody,
    responses((status = 204, description = "Recorded"))
)]
async fn move_cash(
    State(api): State<Api>,
    access: Access,
    Path(date): Path<String>,
    Json(body): Json<CashBody>,
) -> Result<StatusCode, Problem> {
    api.register().move_cash(&access, business_day(&date)?, &body).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Close the open session of a day, with differences or without
///
/// Its Z report is printed. A later sale opens the next session.
#[utoipa::path(
    post, path = "/v1/days/{date}/close", tag = "days",
    params(("date" = String, Path, format = Date, description = "The business day")),
    request_body = Option<CloseBody>,
    responses((status = 200, description = "What it was closed with", body = ClosingView))
)]
async fn close_day(
    State(api): State<Api>,
    access: Access,
    Path(date): Path<String>,
    OptionalJson(body): OptionalJson<CloseBody>,
) -> Result<Answered<ClosingView>, Problem> {
    Ok(Answered(api.register().close_day(&access, business_day(&date)?, &body).await?))
}

/// A date in full, `2026-10-09`, and nothing else a parser would also take.
fn business_day(text: &str) -> Result<Date, Problem> {
    let read: Option<Date> = text.parse().ok();
    read.filter(|date| date.to_string() == text)
        .ok_or_else(|| Problem::value("date", "must be a day such as 2026-10-09"))
}
