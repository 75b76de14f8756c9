//! Who may ask at all: this computer by its own name, no foreign web page, a client with a token.

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, Uri, header};
use axum::middleware::Next;
use axum::response::Response;
use tillroll_http::bearer;
use tower_http::cors::{AllowOrigin, AllowPrivateNetwork, CorsLayer};

use super::api::Api;
use crate::Access;
use crate::problem::{Code, Problem};

/// The names under which this computer is asked from itself.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Lets a request in, unless it was addressed to another name: a web page that had its own name resolve to
/// this computer sends that name (DNS rebinding).
pub(super) async fn let_in(api: &Api, request: Request, next: Next) -> Result<Response, Problem> {
    if is_for_this_computer(request.headers(), request.uri(), api.port()) {
        return Ok(next.run(request).await);
    }
    let detail = "the Host header must be 127.0.0.1, localhost or [::1] with the register's port";
    Err(Problem::new(Code::Misdirected, detail))
}

fn is_for_this_computer(headers: &HeaderMap, uri: &Uri, port: Option<u16>) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let Ok(host) = Authority::try_from(host.as_bytes()) else { return false };
    is_loopback(&host, port) && uri.authority().is_none_or(|target| is_loopback(target, port))
}

fn is_loopback(authority: &Authority, port: Option<u16>) -> bool {
    let named = LOOPBACK.iter().any(|name| name.eq_ignore_ascii_case(authority.host()));
    let at_port = port.is_none_or(|port| authority.port_u16().unwrap_or(80) == port);
    named && at_port && !authority.as_str().contains('@')
}

/// Refuses a change asked for by a web page that is not listed.
pub(super) fn check_origin(api: &Api, request: &Request) -> Result<(), Problem> {
    let origin = request.headers().get(header::ORIGIN);
    let is_listed = |origin: &[u8]| is_listed(&api.settings().allowed_origins, origin);
    if request.method().is_safe() || origin.is_none_or(|origin| is_listed(origin.as_bytes())) {
        return Ok(());
    }
    Err(Problem::new(
        Code::Forbidden,
        "this web page may not use the register: its origin is not listed",
    ))
}

fn is_listed(listed: &[String], origin: &[u8]) -> bool {
    listed.iter().any(|listed| listed.as_bytes() == origin)
}

/// What browsers are told: the listed pages may call, with a token and without cookies.
pub(super) fn cors(listed: Vec<String>) -> CorsLayer {
    let allowed = AllowOrigin::predicate(move |origin, _| is_listed(&listed, origin.as_bytes()));
    let idempotency_key = header::HeaderName::from_static("idempotency-key");
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE, idempotency_key])
        .allow_private_network(AllowPrivateNetwork::yes())
}

/// Lets in clients with a token, as long as the register runs. A missing, malformed, unknown and revoked token look the same.
pub(super) async fn check_token(
    State(api): State<Api>,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    if api.register().is_stopped() {
        return Err(Problem::new(Code::Stopping, "the register is stopping"));
    }
    let Some(token) = bearer(request.headers()) else { return Err(unauthorized()) };
    let access = match api.register().authenticate(token).await {
        Ok(access) => access,
        Err(problem) if problem.code == Code::Unauthorized => return Err(unauthorized()),
        Err(problem) => return Err(problem),
    };
    request.extensions_mut().insert(access);
    Ok(next.run(request).await)
}

fn unauthorized() -> Problem {
    Problem::new(Code::Unauthorized, "send `Authorization: Bearer TOKEN` with a valid token")
}

/// The client whose token let the request in.
impl<S: Sync> FromRequestParts<S> for Access {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get().cloned().ok_or_else(unauthorized)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked_at(host: &str, uri: &str, port: Option<u16>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        is_for_this_computer(&headers, &uri.parse().unwrap(), port)
    }

    #[test]
    fn only_loopback_names_with_the_own_port_are_for_this_computer() {
        for host in ["127.0.0.1:9317", "localhost:9317", "LOCALHOST:9317", "[::1]:9317"] {
            assert!(asked_at(host, "/healthz", Some(9317)), "{host}");
        }
        for host in [
            "evil.example:9317",
            "localhost.evil.example:9317",
            "127.0.0.1",
            "127.0.0.1:80",
            "127.0.0.1:9317:9317",
            "evil@127.0.0.1:9317",
            "10.0.0.7:9317",
            "",
        ] {
            assert!(!asked_at(host, "/healthz", Some(9317)), "{host}");
        }
        assert!(asked_at("localhost", "/healthz", Some(80)));
        assert!(asked_at("localhost:1", "/healthz", None));
    }

    #[test]
    fn absolute_address_must_be_for_this_computer_too() {
        let host = "127.0.0.1:9317";
        assert!(asked_at(host, "http://127.0.0.1:9317/healthz", Some(9317)));
        assert!(!asked_at(host, "http://evil.example:9317/healthz", Some(9317)));
    }

    #[test]
    fn missing_or_doubled_host_is_refused() {
        let mut headers = HeaderMap::new();
        let uri = Uri::from_static("/healthz");
        assert!(!is_for_this_computer(&headers, &uri, None));
        headers.append(header::HOST, "localhost".parse().unwrap());
        headers.append(header::HOST, "localhost".parse().unwrap());
        assert!(!is_for_this_computer(&headers, &uri, None));
    }
}
