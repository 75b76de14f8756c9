//! Figures and the bars they must reach, judged in the run that measured them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A figure and its bar. As a rule it is a ratio to what stands beside it in the same run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    figure: String,
    must: Must,
    bar: f64,
    /// What is wanted beyond the bar.
    aim: Option<f64>,
    /// Nothing when nothing could be measured.
    here: Option<f64>,
    ours: String,
    peer: String,
    limit: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Must {
    AtLeast,
    AtMost,
}

impl Bar {
    /// A figure that must not be lower.
    pub fn at_least(figure: impl Into<String>, bar: f64, here: f64) -> Self {
        Self::new(figure.into(), Must::AtLeast, bar, here)
    }

    /// A figure that must not be higher.
    pub fn at_most(figure: impl Into<String>, bar: f64, here: f64) -> Self {
        Self::new(figure.into(), Must::AtMost, bar, here)
    }

    fn new(figure: String, must: Must, bar: f64, here: f64) -> Self {
        let here = Some(here).filter(|here| here.is_finite());
        let (ours, peer, limit) = Default::default();
        Self { figure, must, bar, aim: None, here, ours, peer, limit }
    }

    /// Under what condition the figure holds.
    #[must_use]
    pub fn under(self, condition: &str) -> Self {
        Self { figure: format!("{condition}: {}", self.figure), ..self }
    }

    /// What is wanted beyond the bar.
    #[must_use]
    pub fn aim(self, aim: f64) -> Self {
        Self { aim: Some(aim), ..self }
    }

    /// What was measured, with its unit, where the figure is a ratio.
    #[must_use]
    pub fn ours(self, ours: impl Into<String>) -> Self {
        Self { ours: ours.into(), ..self }
    }

    /// Who else does the work, and what it came to in the same run.
    #[must_use]
    pub fn peer(self, peer: impl Into<String>) -> Self {
        Self { peer: peer.into(), ..self }
    }

    /// What the machine allows at most, in the same run.
    #[must_use]
    pub fn limit(self, limit: impl Into<String>) -> Self {
        Self { limit: limit.into(), ..self }
    }

    /// Whether the bar is reached; what was not measured reaches none.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.here.is_some_and(|here| match self.must {
            Must::AtLeast => here >= self.bar,
            Must::AtMost => here <= self.bar,
        })
    }

    /// The heads of a table of bars.
    pub(super) const HEADS: [&str; 8] =
        ["figure", "bar", "aim", "here", "holds", "ours", "peer", "limit"];

    /// As a row of that table.
    pub(super) fn row(&self) -> [String; 8] {
        let must = match self.must {
            Must::AtLeast => "at least",
            Must::AtMost => "at most",
        };
        [
            self.figure.clone(),
            format!("{must} {}", self.bar),
            self.aim.map(|aim| aim.to_string()).unwrap_or_default(),
            self.here.map_or_else(|| "not measured".to_owned(), |here| rounded(here).to_string()),
            if self.holds() { "yes" } else { "**no**" }.to_owned(),
            self.ours.clone(),
            self.peer.clone(),
            self.limit.clone(),
        ]
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} |", self.row().join(" | "))
    }
}

/// Three digits that count, for people.
fn rounded(figure: f64) -> f64 {
    let decimals = if figure.abs() >= 100.0 {
        1.0
    } else if figure.abs() >= 10.0 {
        10.0
    } else {
        100.0
    };
    (figure * decimals).round() / decimals
}

#[cfg(test)]
mod tests {
    use super::Bar;

    #[test]
    fn bar_is_judged_by_what_was_measured_not_by_what_is_shown() {
        assert!(Bar::at_least("rate", 10.0, 10.0).holds());
        assert!(!Bar::at_least("rate", 10.0, 9.999).holds());
        assert!(!Bar::at_most("p99", 4.0, 4.001).holds());
    }

    #[test]
    fn missed_bar_and_missing_figure_are_shown() {
        let missed = Bar::at_most("p99, ms", 4.0, 5.25).aim(1.0).ours("5.2 ms").peer("Redis 2 ms");
        let shown = "| p99, ms | at most 4 | 1 | 5.25 | **no** | 5.2 ms | Redis 2 ms |  |";
        assert_eq!(missed.to_string(), shown);
        let none = Bar::at_least("times faster than CUPS", 10.0, f64::NAN);
        assert!(!none.holds());
        assert!(none.to_string().contains("| not measured | **no** |"), "{none}");
    }
}
