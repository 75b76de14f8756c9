//! The API's description: OpenAPI 3.1, made of the routes themselves.

use utoipa::OpenApi as _;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Components, Content, OpenApi, Ref, RefOr, Response, ResponseBuilder};

use super::problem_document::{PROBLEM_JSON, ProblemDocument};
use super::router::routes;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Tillroll register",
        description = "Takes receipts, prints each exactly once, and says of each whether it is on paper. \
            Reachable from this computer alone.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    components(schemas(ProblemDocument))
)]
struct Description;

/// Name of the security scheme, and of the response every operation may end with.
const TOKEN: &str = "token";
const PROBLEM: &str = "Problem";

/// The description of every route.
#[must_use]
pub fn openapi() -> OpenApi {
    let (for_clients, open) = routes();
    let (mut secured, open) = (for_clients.into_openapi(), open.into_openapi());
    for operation in operations(&mut secured) {
        operation.security = Some(vec![SecurityRequirement::new::<_, _, String>(TOKEN, [])]);
    }
    let mut description = Description::openapi();
    description.merge(secured);
    description.merge(open);
    for operation in operations(&mut description) {
        let problem = Ref::from_response_name(PROBLEM);
        operation.responses.responses.insert("default".to_owned(), problem.into());
    }
    let components = description.components.get_or_insert_default();
    add_shared(components);
    description
}

/// The description as a text that changes only with the routes.
#[must_use]
pub fn openapi_json() -> String {
    // A description of texts has a JSON form.
    openapi().to_pretty_json().unwrap_or_default() + "\n"
}

fn add_shared(components: &mut Components) {
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.security_schemes.insert(TOKEN.to_owned(), token.into());
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
