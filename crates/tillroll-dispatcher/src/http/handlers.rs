//! The handlers, one file for each thing they are about.

mod books;
mod channel;
mod counters;
mod health;
mod limits;
mod pairing;
mod pay_tokens;
mod print_jobs;
mod requests;
mod splits;
mod sync;

use utoipa_axum::router::OpenApiRouter;

use super::api::Api;

/// Routes that ask for a business system's key.
pub(super) fn for_business_systems() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .merge(print_jobs::routes())
        .merge(books::routes())
        .merge(requests::of_a_store())
        .merge(counters::routes())
        .merge(limits::of_a_store())
        .merge(pay_tokens::of_a_store())
        .merge(splits::of_a_store())
}

/// Routes that ask for a register's credential.
pub(super) fn for_registers() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .merge(channel::routes())
        .merge(sync::routes())
        .merge(requests::of_a_register())
        .merge(limits::of_a_register())
        .merge(pay_tokens::of_a_register())
        .merge(splits::of_a_register())
}

/// Routes that ask for nothing.
pub(super) fn open() -> OpenApiRouter<Api> {
    OpenApiRouter::default().merge(health::routes()).merge(pairing::routes())
}
