//! The operations of an OpenAPI document, so that a test asks every route there is and no new one is forgotten.

use serde_json::Value;

/// One method at one address.
#[derive(Debug, Clone)]
pub struct Operation {
    /// The method, in capitals.
    pub method: String,
    /// The address, with its parameters in braces.
    pub path: String,
    /// The scheme by which the caller is known; `None` is open to all.
    pub security: Option<String>,
    /// Whether it takes a body.
    pub takes_body: bool,
    /// The names of what may stand behind the address.
    pub queries: Vec<String>,
}

impl Operation {
    /// The names of the parameters in the address.
    pub fn parameters(&self) -> impl Iterator<Item = &str> {
        self.path.split('/').filter_map(parameter)
    }

    /// The address with each parameter filled in.
    #[must_use]
    pub fn filled(&self, value: impl Fn(&str) -> String) -> String {
        let fill = |part: &str| parameter(part).map_or_else(|| part.to_owned(), &value);
        self.path.split('/').map(fill).collect::<Vec<_>>().join("/")
    }
}

fn parameter(part: &str) -> Option<&str> {
    part.strip_prefix('{')?.strip_suffix('}')
}

/// Every operation of a document, in its order.
///
/// # Panics
/// When it is no OpenAPI document.
#[must_use]
pub fn operations(document: &Value) -> Vec<Operation> {
    let paths = document["paths"].as_object().unwrap_or_else(|| panic!("no paths: {document}"));
    let methods = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap_or_else(|| panic!("no methods at {path}"));
        methods.iter().map(move |(method, operation)| Operation {
            method: method.to_uppercase(),
            path: path.clone(),
            security: operation["security"][0]
                .as_object()
                .and_then(|schemes| schemes.keys().next().cloned()),
            takes_body: operation.get("requestBody").is_some(),
            queries: queries(operation),
        })
    });
    methods.collect()
}

fn queries(operation: &Value) -> Vec<String> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    let queries = parameters.filter(|parameter| parameter["in"] == "query");
    queries.filter_map(|query| query["name"].as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn operation_names_its_parameters_and_who_may_ask() {
        let document = json!({"paths": {"/v1/a/{x}/b/{y}": {
            "get": {"security": [{"token": []}]}, "put": {"requestBody": {},
            "parameters": [{"in": "path", "name": "x"}, {"in": "query", "name": "limit"}]}}}});
        let found = operations(&document);
        assert_eq!(found.len(), 2);
        assert_eq!((&*found[0].method, found[0].security.as_deref()), ("GET", Some("token")));
        assert_eq!((found[0].takes_body, found[1].takes_body), (false, true));
        assert_eq!(found[1].security, None);
        assert_eq!((found[0].queries.len(), &found[1].queries[..]), (0, &["limit".to_owned()][..]));
        assert_eq!(found[0].parameters().collect::<Vec<_>>(), ["x", "y"]);
        assert_eq!(found[0].filled(str::to_uppercase), "/v1/a/X/b/Y");
    }
}
