//! The handlers, one file for each thing they are about. Each reads a request, calls the facade once
//! and answers with a view.

mod clients;
mod cloud;
mod days;
mod devices;
mod events;
mod health;
mod jobs;
mod limits;
mod paper;
mod printer_actions;
mod printers;
mod receipts;
mod rejected;
mod splits;
mod todo;

use utoipa_axum::router::OpenApiRouter;

use super::api::Api;

/// Routes that ask for a token.
pub(super) fn for_clients() -> OpenApiRouter<Api> {
    OpenApiRouter::default()
        .merge(receipts::routes())
        .merge(jobs::routes())
        .merge(paper::routes())
        .merge(todo::routes())
        .merge(rejected::routes())
        .merge(printers::routes())
        .merge(printer_actions::routes())
        .merge(devices::routes())
        .merge(days::routes())
        .merge(splits::routes())
        .merge(limits::routes())
        .merge(clients::routes())
        .merge(cloud::routes())
        .merge(events::routes())
}

/// Routes open to every program of this computer.
pub(super) fn open() -> OpenApiRouter<Api> {
    health::routes()
}
