//! The API's description: OpenAPI 3.1, made of the routes themselves.

use utoipa::OpenApi as _;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Components, Content, OpenApi, Ref, RefOr, Response, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;

use super::api::Api;
use super::handlers;
use super::problem_document::{PROBLEM_JSON, ProblemDocument};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Tillroll dispatcher",
        description = "Takes print jobs from business systems, pushes each to the register that prints it, \
            says of each whether it is on paper, and keeps the books of every store.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    components(schemas(ProblemDocument))
)]
struct Description;

/// Names of the security schemes, and of the response every operation may end with.
const API_KEY: &str = "api_key";
const CREDENTIAL: &str = "register";
const PROBLEM: &str = "Problem";

/// The description of every route.
#[must_use]
pub fn openapi() -> OpenApi {
    let mut description = Description::openapi();
    description.merge(secured(handlers::for_business_systems(), API_KEY));
    description.merge(secured(handlers::for_registers(), CREDENTIAL));
    description.merge(handlers::open().into_openapi());
    for operation in operations(&mut description) {
        let problem = Ref::from_response_name(PROBLEM);
        operation.responses.responses.insert("default".to_owned(), problem.into());
    }
    add_shared(description.components.get_or_insert_default());
    description
}

/// The description as a text that changes only with the routes.
#[must_use]
pub fn openapi_json() -> String {
    // A description of texts has a JSON form.
    openapi().to_pretty_json().unwrap_or_default() + "\n"
}

fn secured(routes: OpenApiRouter<Api>, scheme: &str) -> OpenApi {
    let mut described = routes.into_openapi();
    for operation in operations(&mut described) {
        operation.security = Some(vec![SecurityRequirement::new::<_, _, String>(scheme, [])]);
    }
    described
}

fn add_shared(components: &mut Components) {
    for scheme in [API_KEY, CREDENTIAL] {
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        components.security_schemes.insert(scheme.to_owned(), bearer.into());
    }
    let schema = Ref::from_schema_name("ProblemDocument");
    let response: Response = ResponseBuilder::new()
        .description("What went wrong, with a stable code (RFC 9457)")
        .content(PROBLEM_JSON, Content::new(Some(schema)))
        .build();
    components.responses.insert(PROBLEM.to_owned(), RefOr::T(response));
}

fn operations(description: &mut OpenApi) -> impl Iterator<Item = &mut Operation> {
    description.paths.paths.values_mut().flat_map(operations_of)
}

fn operations_of(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let each = [&mut item.get, &mut item.put, &mut item.post, &mut item.patch, &mut item.delete];
    each.into_iter().filter_map(Option::as_mut)
}
