//! The tables of a document: each stands between two comments, the first of which names the part of a
//! bench that measured it. What stands around them is written by hand.
//!
//! ```text
//! <!-- measured: register/printing -->
//! | | first byte p50 us |
//! <!-- end of measured -->
//! ```

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};

use super::{Sheet, summary, where_and_when};

const BEGIN: &str = "<!-- measured: ";
const CLOSE: &str = " -->";
const END: &str = "<!-- end of measured -->";
/// The name of the table of all judged figures.
const SUMMARY: &str = "summary";

/// A document with new tables.
#[derive(Debug, PartialEq, Eq)]
pub struct Filled {
    /// Its text.
    pub text: String,
    /// Names of tables that nothing measured; they stand as they stood.
    pub left: Vec<String>,
}

/// Puts into a document what was measured.
///
/// # Errors
/// A table that does not end.
pub fn fill(document: &str, sheets: &[Sheet]) -> Result<Filled> {
    let measured = by_name(sheets);
    let (mut text, mut left, mut rest) = (String::new(), Vec::new(), document);
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (name, after) = after.split_once(CLOSE).context("a name that does not end")?;
        let (old, after) = after.split_once(END).with_context(|| format!("{name} does not end"))?;
        let new = measured.get(name).map(|told| format!("\n\n{told}\n\n"));
        if new.is_none() {
            left.push(name.to_owned());
        }
        text += &[before, BEGIN, name, CLOSE, new.as_deref().unwrap_or(old), END].concat();
        rest = after;
    }
    Ok(Filled { text: text + rest, left })
}

fn by_name(sheets: &[Sheet]) -> BTreeMap<String, String> {
    let tables = sheets.iter().map(|sheet| (sheet.name(), sheet.findings.told()));
    let mut measured: BTreeMap<String, String> = tables.collect();
    let all = format!("{}\n\n{}", where_and_when(sheets), summary(sheets));
    measured.insert(SUMMARY.to_owned(), all);
    measured
}

#[cfg(test)]
mod tests {
    use super::{Filled, fill};
    use crate::figures::{Bar, Findings, Sheet, Table};

    fn measured() -> Sheet {
        let table = Table::new("", ["", "us"]).row(["ours".to_owned(), "7".to_owned()]);
        let bars = [Bar::at_most("p99, us", 5.0, 7.0)];
        Sheet::of("register", "printing", Findings::default().table(table).bars(bars))
    }

    #[test]
    fn tables_are_replaced_and_what_stands_around_them_stays() {
        let document = "Before.\n<!-- measured: register/printing -->\nold\n<!-- end of measured -->\nAfter.\n";
        let Filled { text, left } = fill(document, &[measured()]).unwrap();
        assert_eq!(
            text,
            "Before.\n<!-- measured: register/printing -->\n\n| | us |\n| --- | ---: |\n| ours | 7 |\n\n<!-- end of measured -->\nAfter.\n"
        );
        assert!(left.is_empty(), "{left:?}");
        assert_eq!(fill(&text, &[measured()]).unwrap().text, text, "a second time changes nothing");
    }

    #[test]
    fn what_nothing_measured_stands_as_it_stood_and_is_named() {
        let document = "<!-- measured: window/load -->\nold\n<!-- end of measured -->";
        let Filled { text, left } = fill(document, &[measured()]).unwrap();
        assert_eq!((text.as_str(), left), (document, vec!["window/load".to_owned()]));
    }

    #[test]
    fn summary_shows_a_missed_bar() {
        let document = "<!-- measured: summary --><!-- end of measured -->";
        let text = fill(document, &[measured()]).unwrap().text;
        assert!(text.contains("| p99, us | at most 5 |  | 7 | **no** |"), "{text}");
    }

    #[test]
    fn table_that_does_not_end_is_refused() {
        let refused = fill("<!-- measured: window/load -->\nAll the rest.", &[]).unwrap_err();
        assert_eq!(refused.to_string(), "window/load does not end");
    }
}
