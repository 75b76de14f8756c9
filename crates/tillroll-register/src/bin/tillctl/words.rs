//! Words that depend on a number.

/// `1 refund`, `2 refunds`.
pub fn counted(count: i64, word: &str) -> String {
    if count == 1 { format!("{count} {word}") } else { format!("{count} {word}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(1, "refund"), "1 refund");
        assert_eq!(counted(0, "refund"), "0 refunds");
    }
}
