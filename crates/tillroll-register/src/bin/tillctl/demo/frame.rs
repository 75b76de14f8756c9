//! Paper in a frame, shortened where it is long.

use unicode_width::UnicodeWidthStr as _;

/// Longer paper is shortened.
const LINES_MOST: usize = 60;
/// What is shown of it at either end.
const SHOWN: usize = 14;

/// The paper's text between two edges, as wide as its widest line.
pub(super) fn framed(paper: &str, full: bool) -> String {
    let lines: Vec<&str> = paper.trim_matches('\n').lines().map(str::trim_end).collect();
    let shown =
        if full { lines.iter().map(ToString::to_string).collect() } else { shortened(&lines) };
    let width = shown.iter().map(|line| line.width()).max().unwrap_or(0);
    let edge = "─".repeat(width + 2);
    let mut framed = format!("┌{edge}┐\n");
    for line in &shown {
        let space = " ".repeat(width - line.width());
        framed.push_str(&format!("│ {line}{space} │\n"));
    }
    framed + "└" + &edge + "┘"
}

fn shortened(lines: &[&str]) -> Vec<String> {
    let hidden = lines.len().saturating_sub(2 * SHOWN);
    let owned = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
    if lines.len() <= LINES_MOST {
        return owned(lines);
    }
    let between = format!("... {hidden} lines ...");
    [owned(&lines[..SHOWN]), vec![between], owned(&lines[lines.len() - SHOWN..])].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_stand_under_each_other_beside_double_width_characters() {
        let expected = "┌────────┐\n│ 牛肉面 │\n│ tea    │\n└────────┘";
        assert_eq!(framed("\n牛肉面\ntea  \n\n", false), expected);
    }

    #[test]
    fn long_paper_is_shortened_and_says_by_how_much() {
        let paper: String = (0..400).map(|nth| format!("line {nth}\n")).collect();
        let short = framed(&paper, false);
        assert!(short.contains("... 372 lines ..."), "{short}");
        assert!(short.contains("line 399"));
        assert_eq!(framed(&paper, true).lines().count(), 402);
    }
}
