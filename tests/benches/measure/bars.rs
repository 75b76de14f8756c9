//! Bars: what a figure must reach, judged in the run that measured it.

/// A figure and its bar.
pub struct Bar {
    figure: &'static str,
    must: Must,
    here: f64,
}

enum Must {
    AtLeast(f64),
    AtMost(f64),
}

impl Bar {
    /// A figure that must not be lower.
    pub fn at_least(figure: &'static str, bar: f64, here: f64) -> Self {
        Self { figure, must: Must::AtLeast(bar), here }
    }

    /// A figure that must not be higher.
    pub fn at_most(figure: &'static str, bar: f64, here: f64) -> Self {
        Self { figure, must: Must::AtMost(bar), here }
    }

    fn print(&self) {
        let Self { figure, must, here } = self;
        let (word, bar, holds) = match must {
            Must::AtLeast(bar) => ("at least", bar, here >= bar),
            Must::AtMost(bar) => ("at most", bar, here <= bar),
        };
        let holds = if holds { "yes" } else { "no" };
        println!("| {figure} | {word} {bar} | {here:.2} | {holds} |");
    }
}

/// Prints bars, if there are any.
pub fn print(bars: &[Bar]) {
    if bars.is_empty() {
        return;
    }
    println!("\n| figure | bar | here | holds |\n| --- | --- | ---: | --- |");
    bars.iter().for_each(Bar::print);
}
