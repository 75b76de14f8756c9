//! Hints about what changed, as server-sent events. They carry no figures: whoever listens reads again,
//! so a lost hint costs nothing.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use tillroll_store::Hint;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::problem::{Code, Problem};

/// A silent stream says so often that it lives.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Said at the beginning, and to a listener who missed hints: read everything again.
const EVERYTHING: &str = r#"{"changed":"everything"}"#;

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(listen_to_events))
}

/// Listen to what changes
///
/// Each event is a hint: `{"changed":"job","id":".."}`, `{"changed":"printer","name":".."}`,
/// `{"changed":"day"}`, `{"changed":"rejected"}`, `{"changed":"cloud"}`, or `{"changed":"everything"}` at the
/// beginning and after missed hints.
#[utoipa::path(
    get, path = "/v1/events", tag = "events",
    responses((status = 200, description = "The stream", body = String, content_type = "text/event-stream"))
)]
async fn listen_to_events(
    State(api): State<Api>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let place = api.listeners().clone().try_acquire_owned();
    let listener = Listener {
        _place: place.map_err(|_| Problem::new(Code::Unavailable, "too many listen already"))?,
        hints: api.register().store().feed().listen(),
        ending: api.ending().clone(),
        began: false,
    };
    let events = futures_util::stream::unfold(listener, Listener::next);
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

struct Listener {
    hints: Receiver<Hint>,
    ending: CancellationToken,
    began: bool,
    _place: OwnedSemaphorePermit,
}

impl Listener {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        let event =
            if self.began { self.heard().await? } else { Event::default().data(EVERYTHING) };
        self.began = true;
        Some((Ok(event), self))
    }

    /// The next hint; `None` when the server ends.
    async fn heard(&mut self) -> Option<Event> {
        let heard = tokio::select! {
            () = self.ending.cancelled() => return None,
            heard = self.hints.recv() => heard,
        };
        match heard {
            Ok(hint) => Event::default().json_data(&hint).ok(),
            Err(RecvError::Lagged(_)) => {
                // What is still kept is part of everything.
                self.hints = self.hints.resubscribe();
                Some(Event::default().data(EVERYTHING))
            }
            Err(RecvError::Closed) => None,
        }
    }
}
