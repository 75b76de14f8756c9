//! Whole units shared by weight: the method of the largest remainder.

/// Shares `amount` by weight; the parts add up to it. What rounding leaves goes, a unit each, to the parts
/// that were cut most, and among equals to the one that comes first. Weights that are all zero count as
/// equal.
///
/// Each part is its exact share, rounded down or up. So no part is larger than its weight where the amount
/// is not larger than their sum.
#[must_use]
pub fn apportion(amount: u64, weights: &[u64]) -> Vec<u64> {
    let whole: u128 = weights.iter().copied().map(u128::from).sum();
    if whole == 0 {
        return by_weight(amount, &vec![1; weights.len()], as_count(weights.len()));
    }
    by_weight(amount, weights, whole)
}

fn by_weight(amount: u64, weights: &[u64], whole: u128) -> Vec<u64> {
    let exact = |weight: &u64| u128::from(amount) * u128::from(*weight);
    // A weight is at most the whole, so a part is at most the amount.
    let down = |weight| u64::try_from(exact(weight) / whole).unwrap_or(amount);
    let mut parts: Vec<u64> = weights.iter().map(down).collect();
    let mut cut: Vec<usize> = (0..weights.len()).collect();
    cut.sort_by_key(|place| std::cmp::Reverse(exact(&weights[*place]) % whole));
    let left = amount.saturating_sub(parts.iter().sum());
    for place in cut.into_iter().take(usize::try_from(left).unwrap_or(usize::MAX)) {
        parts[place] += 1;
    }
    parts
}

fn as_count(parts: usize) -> u128 {
    u128::try_from(parts.max(1)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_rounding_leaves_goes_to_those_cut_most() {
        assert_eq!(apportion(100, &[1, 1, 1]), [34, 33, 33], "the first of equals");
        assert_eq!(apportion(10, &[335, 335, 330]), [4, 3, 3]);
        assert_eq!(apportion(1, &[9_500, 500]), [1, 0]);
        assert_eq!(apportion(7, &[0, 0]), [4, 3]);
        assert_eq!(apportion(7, &[]), [0; 0]);
        assert_eq!(apportion(u64::MAX, &[u64::MAX, 0]), [u64::MAX, 0]);
    }

    proptest! {
        #[test]
        fn parts_add_up_and_differ_from_their_exact_share_by_less_than_a_unit(
            amount: u64,
            weights in prop::collection::vec(any::<u32>().prop_map(u64::from), 1..12),
        ) {
            let parts = apportion(amount, &weights);
            prop_assert_eq!(parts.iter().map(|part| u128::from(*part)).sum::<u128>(), amount.into());
            let whole: u128 = weights.iter().map(|weight| u128::from(*weight)).sum();
            for (part, weight) in parts.iter().zip(&weights).filter(|_| whole > 0) {
                let (part, exact) =
                    (u128::from(*part) * whole, u128::from(amount) * u128::from(*weight));
                prop_assert!(part.abs_diff(exact) < whole);
            }
        }

        #[test]
        fn no_part_is_larger_than_its_weight_where_there_is_enough(
            weights in prop::collection::vec(0..1_000_u64, 1..9),
            percent in 0..=100_u64,
        ) {
            let amount = weights.iter().sum::<u64>() * percent / 100;
            for (part, weight) in apportion(amount, &weights).iter().zip(&weights) {
                prop_assert!(part <= weight);
            }
        }
    }
}
