//! Speed-ups over many lengths, summed up as in the papers.
use super::figures::speed_up;
use std::ops::RangeInclusive;

/// The figures of two evaluations at the same length, in cycles per byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) length: usize,
    pub(super) old: f64,
    pub(super) new: f64,
    /// Whether the machine was too busy for undisturbed samples of either.
    pub(super) disturbed: bool,
}

impl Pair {
    pub(super) fn speed_up(&self) -> f64 {
        speed_up(self.old, self.new)
    }
}

/// The greatest and the average speed-up in per cent; `None` if no pair's length is in the range.
pub(super) fn most_and_average(pairs: &[Pair], lengths: &RangeInclusive<usize>) -> Option<[f64; 2]> {
    let all: Vec<f64> =
        pairs.iter().filter(|pair| lengths.contains(&pair.length)).map(Pair::speed_up).collect();
    Some([all.iter().copied().reduce(f64::max)?, average(&all)?])
}

/// The arithmetic mean; `None` of no values.
pub(super) fn average(all: &[f64]) -> Option<f64> {
    if all.is_empty() { None } else { Some(all.iter().sum::<f64>() / all.len() as f64) }
}

/// Per cent of the lengths where the new evaluation is faster, as fast, and slower. Cycles per byte are
/// compared at two digits after the point, as the papers print them.
pub(super) fn shares(pairs: &[Pair]) -> [f64; 3] {
    // The papers' order: faster, as fast, slower.
    let mut counts = [0; 3];
    for pair in pairs {
        let printed = |figure: f64| (100.0 * figure).round() as u64;
        counts[match printed(pair.new).cmp(&printed(pair.old)) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        }] += 1;
    }
    counts.map(|count| 100.0 * f64::from(count) / pairs.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_the_papers() {
        let all = [(50, 4.0, 3.0), (100, 2.0, 2.2), (2000, 1.0, 0.998), (3000, 1.0, 0.5)];
        let pairs = all.map(|(length, old, new)| Pair { length, old, new, disturbed: false });
        let [most, average] = most_and_average(&pairs, &(49..=1000)).expect("two lengths");
        assert!((most - 25.0).abs() < 1e-9 && (average - 7.5).abs() < 1e-9, "{most} {average}");
        assert_eq!(most_and_average(&pairs, &(4001..=5000)), None);
        assert_eq!(shares(&pairs), [50.0, 25.0, 25.0]);
    }
}
