//! Order statistics, and the rule that rejects a sample.
use crate::clock::Probe;
use serde::{Deserialize, Serialize};

/// The greatest factor by which the two probes around a sample may differ. If they differ by more, the core's
/// clock moved while the sample ran.
pub const STEADY: f64 = 1.012;

/// The greatest [`Probe::crowding`] of an undisturbed sample. More means that another hardware
/// thread was using the core.
pub const CALM: f64 = 1.06;

/// Whether no other hardware thread used the core during a probe.
pub fn is_calm(probe: &Probe) -> bool {
    probe.crowding <= CALM
}

/// One timed sample between two probes.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The state of the core before the timed calls.
    pub before: Probe,
    /// Time stamp ticks of all timed calls of the sample.
    pub ticks: u64,
    /// The state of the core after the timed calls.
    pub after: Probe,
}

impl Sample {
    /// Whether the core's clock stood still, within [`STEADY`], and no other thread used the core, within [`CALM`].
    pub fn is_undisturbed(&self) -> bool {
        let (before, after) = (self.before.ticks, self.after.ticks);
        let (low, high) = (before.min(after) as f64, before.max(after) as f64);
        // Two probes of 0 ticks would be equal, and `cycles` divides by their sum.
        low > 0.0 && high <= STEADY * low && is_calm(&self.before) && is_calm(&self.after)
    }

    /// Core cycles of the timed calls, if a probe takes `probe_cycles`. The two probes' ticks are averaged.
    pub fn cycles(&self, probe_cycles: f64) -> f64 {
        // The mean of both probes is the number of ticks that `probe_cycles` cycles took around the sample.
        self.ticks as f64 * probe_cycles * 2.0 / (self.before.ticks + self.after.ticks) as f64
    }
}

/// Order statistics of many samples, in the unit of the samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The least median of any batch: the figure that tables and assertions use.
    pub min: f64,
    /// Median of all samples of all batches.
    pub median: f64,
    /// Lower quartile of all samples of all batches.
    pub q1: f64,
    /// Upper quartile of all samples of all batches.
    pub q3: f64,
}

impl Spread {
    /// The spread of samples that came in batches; `None` if there is no sample at all.
    pub fn of(batches: &[Vec<f64>]) -> Option<Spread> {
        let mut all: Vec<f64> = batches.concat();
        if all.is_empty() {
            return None;
        }
        all.sort_by(f64::total_cmp);
        // Disturbances only add time, so the least median is the nearest to the undisturbed time.
        let min = batches.iter().filter_map(|batch| median(batch)).fold(f64::INFINITY, f64::min);
        Some(Spread { min, median: quantile(&all, 0.5), q1: quantile(&all, 0.25), q3: quantile(&all, 0.75) })
    }

    /// The same spread in another unit: every figure divided by `divisor`.
    pub fn per(self, divisor: f64) -> Spread {
        Spread {
            min: self.min / divisor,
            median: self.median / divisor,
            q1: self.q1 / divisor,
            q3: self.q3 / divisor,
        }
    }
}

/// The median of values in any order; `None` if there are none.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    (!sorted.is_empty()).then(|| quantile(&sorted, 0.5))
}

/// The quantile `at`, from 0 to 1, of sorted values, interpolated linearly between neighbours.
fn quantile(sorted: &[f64], at: f64) -> f64 {
    // The first value is the quantile 0, the last one the quantile 1.
    let place = at * (sorted.len() - 1) as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * (place - low as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_and_least_median() {
        let spread = Spread::of(&[vec![5.0, 1.0, 9.0], vec![4.0, 2.0], vec![]]).unwrap();
        assert_eq!(spread, Spread { min: 3.0, median: 4.0, q1: 2.0, q3: 5.0 });
        assert_eq!(spread.per(2.0).min, 1.5);
        assert_eq!(Spread::of(&[vec![]]), None);
        assert_eq!(median(&[2.0, 1.0, 4.0, 3.0]), Some(2.5));
    }

    fn sample(before: (u64, f64), ticks: u64, after: (u64, f64)) -> Sample {
        let probe = |(ticks, crowding)| Probe { ticks, crowding };
        Sample { before: probe(before), ticks, after: probe(after) }
    }

    #[test]
    fn a_moving_clock_rejects_the_sample() {
        let steady = |before, after| sample((before, 1.0), 1, (after, 1.0)).is_undisturbed();
        assert!(steady(1000, 1000) && steady(1000, 1012) && steady(1012, 1000));
        assert!(!steady(1000, 1013) && !steady(1013, 1000) && !steady(0, 0));
    }

    #[test]
    fn a_shared_core_rejects_the_sample() {
        let calm = |before, after| sample((1000, before), 1, (1000, after)).is_undisturbed();
        assert!(calm(1.0, 1.0) && calm(1.06, 0.9));
        assert!(!calm(1.07, 1.0) && !calm(1.0, 1.07));
    }

    #[test]
    fn ticks_become_cycles_by_the_probes() {
        // A probe of 600 cycles took 500 ticks on average: the core ran at 1.2 times the counter.
        assert_eq!(sample((499, 1.0), 1000, (501, 1.0)).cycles(600.0), 1200.0);
    }
}
