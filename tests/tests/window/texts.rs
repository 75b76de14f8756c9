//! The texts of the window, so that a journey names what it looks for as the pages do.

use serde_json::Value;

const EN: &str = include_str!("../../../ui/messages/en.json");
const ZH: &str = include_str!("../../../ui/messages/zh-CN.json");

/// An English text by its name.
pub fn text(name: &str) -> String {
    of(EN, name)
}

/// A Chinese text by its name.
pub fn chinese(name: &str) -> String {
    of(ZH, name)
}

/// An English text with what stands in place of `{what}`.
pub fn text_with(name: &str, what: &str, value: impl ToString) -> String {
    text(name).replace(&format!("{{{what}}}"), &value.to_string())
}

fn of(texts: &str, name: &str) -> String {
    let texts: Value = serde_json::from_str(texts).unwrap();
    texts[name].as_str().unwrap_or_else(|| panic!("there is no text {name}")).to_owned()
}
