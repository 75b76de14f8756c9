//! What is to be printed, before any printer is known: rows of text, codes and pictures.
//!
//! Stored as JSON, so that a report printed again years later has the same rows.

use serde::{Deserialize, Serialize};

pub use crate::typeset::Align;

/// Rows from top to bottom.
pub type Document = Vec<Row>;

/// How text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Style {
    /// Twice as wide.
    #[serde(skip_serializing_if = "is_off")]
    pub wide: bool,
    /// Twice as tall.
    #[serde(skip_serializing_if = "is_off")]
    pub tall: bool,
    /// Emphasised.
    #[serde(skip_serializing_if = "is_off")]
    pub bold: bool,
    /// In the small font.
    #[serde(skip_serializing_if = "is_off")]
    pub small: bool,
}

/// One row; it takes as many lines as its text needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "row", rename_all = "snake_case", deny_unknown_fields)]
pub enum Row {
    /// Running text.
    Text {
        /// What it says.
        text: String,
        /// Where it stands.
        #[serde(default)]
        align: Align,
        /// How it looks.
        #[serde(default)]
        style: Style,
        /// Whether it states an amount; its figures are printed right, or the row is refused.
        #[serde(default, skip_serializing_if = "is_off")]
        money: bool,
    },
    /// A text at the left, which wraps, and one at the right, which does not.
    Columns {
        /// At the left edge.
        left: String,
        /// At the right edge.
        right: String,
        /// How both look.
        #[serde(default)]
        style: Style,
        /// Whether the right text is an amount; it is printed whole and right, or the row is refused.
        #[serde(default, skip_serializing_if = "is_off")]
        money: bool,
    },
    /// A line across the paper.
    Rule,
    /// Large text in the middle, such as the mark of a copy.
    Banner {
        /// What it says.
        text: String,
    },
    /// A QR code.
    Qr {
        /// Its content.
        content: String,
    },
    /// A bar code with its content below it.
    Barcode {
        /// Its content, printable ASCII.
        content: String,
    },
    /// A stored picture.
    Logo {
        /// Its name.
        name: String,
    },
    /// Blank lines.
    Feed {
        /// How many.
        lines: u8,
    },
}

impl Row {
    /// A row of text at the left.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into(), align: Align::Left, style: Style::default(), money: false }
    }

    /// A row of text in the middle.
    #[must_use]
    pub fn centered(text: impl Into<String>, style: Style) -> Self {
        Self::Text { text: text.into(), align: Align::Center, style, money: false }
    }

    /// Two texts at both edges, of which one states an amount.
    #[must_use]
    pub fn amount(left: impl Into<String>, right: impl Into<String>, style: Style) -> Self {
        Self::Columns { left: left.into(), right: right.into(), style, money: true }
    }

    /// Two texts at both edges.
    #[must_use]
    pub fn columns(left: impl Into<String>, right: impl Into<String>) -> Self {
        let style = Style::default();
        Self::Columns { left: left.into(), right: right.into(), style, money: false }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
fn is_off(flag: &bool) -> bool {
    !flag
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive_json_and_leave_defaults_out() {
        let document: Document = vec![
            Row::amount("Total", "4,50 €", Style { tall: true, ..Style::default() }),
            Row::text("Merci"),
            Row::Rule,
            Row::Feed { lines: 2 },
        ];
        let json = serde_json::to_string(&document).unwrap();
        assert!(
            json.contains(r#"{"row":"text","text":"Merci","align":"left","style":{}}"#),
            "{json}"
        );
        assert_eq!(serde_json::from_str::<Document>(&json).unwrap(), document);
    }
}
