use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    lines: Vec<Line>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Line {
    name: String,
}

fn refused(body: &[u8]) -> JsonError {
    read_json::<Order>(body).unwrap_err()
}

#[test]
fn byte_order_mark_and_blanks_before_an_object_are_nothing() {
    let lines = vec![Line { name: "tea".to_owned() }];
    let body = b"\xEF\xBB\xBF \r\n{\"lines\": [{\"name\": \"tea\"}]}";
    assert_eq!(read_json::<Order>(body).unwrap(), Order { lines });
}

#[test]
fn anything_but_an_object_is_refused_before_it_is_read() {
    assert!(matches!(refused(b""), JsonError::Empty));
    assert!(matches!(refused(b"\xEF\xBB\xBF\n"), JsonError::Empty));
    for body in [&b"null"[..], b"[[]]", b"\"{}\"", b"\x00{}"] {
        assert!(matches!(refused(body), JsonError::NoObject));
    }
}

#[test]
fn wrong_field_is_named_by_its_path() {
    let error = refused(b"{\"lines\": [{\"name\": \"tea\"}, {\"name\": 7}]}");
    assert!(matches!(&error, JsonError::Field { path, .. } if path == "lines[1].name"));
    let says = "lines[1].name: invalid type: integer `7`, expected a string";
    assert!(error.to_string().starts_with(says), "{error}");
}

#[test]
fn fault_of_the_whole_body_names_no_field() {
    for (body, says) in
        [(&b"{}"[..], "missing field `lines`"), (b"{\"lines\": []} {}", "trailing characters")]
    {
        let error = refused(body);
        assert!(matches!(error, JsonError::Whole(_)), "{error:?}");
        assert!(error.to_string().contains(says), "{error}");
    }
}

#[test]
fn fault_where_a_field_should_be_has_no_name() {
    let error = refused(b"{");
    assert!(error.to_string().starts_with("?: EOF while parsing an object"), "{error}");
}

#[test]
fn body_that_nests_without_end_is_refused() {
    let body = format!("{{\"lines\": {}", "[".repeat(100_000));
    assert!(matches!(refused(body.as_bytes()), JsonError::Field { .. }));
}

#[test]
fn fields_read_before_are_located_like_a_body() {
    let fields = json!({"lines": [{"name": "tea"}, {}]});
    let Value::Object(fields) = fields else { panic!("an object") };
    let error = read_fields::<Order>(fields).unwrap_err();
    assert_eq!(error.to_string(), "lines[1]: missing field `name`");
    let error = read_fields::<Order>(Map::new()).unwrap_err();
    assert!(matches!(error, JsonError::Whole(_)), "{error:?}");
}
