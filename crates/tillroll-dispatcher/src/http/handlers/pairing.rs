//! A one-time code becomes a register's credential.

use axum::Json as Answered;
use axum::extract::State;
use tillroll_wire::pairing::{LastNumbers, PairBody, Paired};
use tillroll_wire::{Code, PROTOCOL};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::api::Api;
use crate::http::extract::{Json, Peer};
use crate::http::problem::Refusal;
use crate::secret::{draw_credential, hash_of, hash_of_code};
use crate::store::{DispatcherStore as _, Pairing, PairingOutcome};

/// The longest id of an installation, in bytes.
const INSTALLATION: usize = 64;

pub(super) fn routes() -> OpenApiRouter<Api> {
    OpenApiRouter::default().routes(routes!(pair))
}

/// Pair a register
///
/// A code counts once and for a short time; the credential is shown this once. An earlier installation of
/// the register is no longer known.
#[utoipa::path(
    post, path = "/v1/pair", tag = "pairing",
    request_body = PairBody,
    responses((status = 200, description = "Paired", body = Paired))
)]
async fn pair(
    State(api): State<Api>,
    Peer(from): Peer,
    Json(body): Json<PairBody>,
) -> Result<Answered<Paired>, Refusal> {
    api.limits().pairing(from, api.boot())?;
    check(&body)?;
    let credential = draw_credential()?;
    let pairing = Pairing {
        code: hash_of_code(&body.code),
        store: body.store,
        register: body.register,
        installation: body.installation,
        credential: hash_of(&credential),
        now: api.now(),
    };
    let PairingOutcome::Paired(store, register) = api.store().pair(pairing).await? else {
        let detail = "the code is unknown, used, too old, or of another store or register";
        return Err(Refusal::new(Code::PairingCode, detail));
    };
    api.scheduler().evict(register.no).await;
    let high = api.store().high_water(register.no).await?;
    let last = high.map(|high| LastNumbers { flow_no: high.flow_no, z_no: high.z_no });
    tracing::info!(store = store.uid, register = %register.name, "a register was paired");
    Ok(Answered(Paired { credential, store_uid: store.uid, store_name: store.name, last }))
}

fn check(body: &PairBody) -> Result<(), Refusal> {
    if body.protocol != PROTOCOL {
        let detail = format!("protocol {} is not spoken here, {PROTOCOL} is", body.protocol);
        return Err(Refusal::new(Code::UnknownProtocol, detail));
    }
    let plain = body.installation.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !plain || !(1..=INSTALLATION).contains(&body.installation.len()) {
        let must = format!("must be 1 to {INSTALLATION} letters and digits");
        return Err(Refusal::value("installation", must));
    }
    Ok(())
}
