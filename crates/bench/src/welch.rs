//! Welch's t-test between the times of two classes of calls.
//!
//! It follows "Dude, is my code constant time?" (Reparaz, Balasch, Verbauwhede): the test is repeated for all
//! times and for those below some percentiles, because the longest times are interrupts.
//! The driver `ctime`, a workspace of its own, compiles this file too.

/// Parts of the times that are compared: all of them, then the shortest. The last two are for hosts whose
/// other guests slow down more than half of the calls.
pub const CROPS: [f64; 6] = [1.0, 0.99, 0.95, 0.8, 0.5, 0.3];

/// The time of each call in ticks or cycles, and whether it is of the second class.
pub type Times = Vec<(f64, bool)>;

/// The difference between the two classes. Both numbers are positive if the second class takes longer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// Welch's t: the difference of the means over its standard error; 0 if nothing can be compared.
    pub t: f64,
    /// The difference of the means, in the unit of the times.
    pub ticks: f64,
}

/// The difference for each of [`CROPS`], in their order.
pub type Round = [Difference; CROPS.len()];

/// The differences between the two classes of these times, for each of [`CROPS`].
pub fn welch(mut times: Times) -> Round {
    // Sorted once, so that every crop is a prefix.
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    CROPS.map(|crop| {
        // Times equal to the limit all count, in whatever order they were sorted.
        let limit = times[((times.len() - 1) as f64 * crop) as usize].0;
        difference(&times[..times.partition_point(|time| time.0 <= limit)], times.len())
    })
}

/// The difference between the classes in `times`, a part of `whole` times. It is zero if either class has
/// less than a 20th of `whole`: then the classes differ so much that t without the crop is great.
fn difference(times: &[(f64, bool)], whole: usize) -> Difference {
    let [first, second] =
        [false, true].map(|class| moments(times.iter().filter(|time| time.1 == class).map(|time| time.0)));
    // A variance needs two values.
    if first.count.min(second.count) < 2.0_f64.max(whole as f64 / 20.0) {
        return Difference::default();
    }
    let ticks = second.mean - first.mean;
    // Classes that are constant and equal would give 0 / 0. If they are constant and different, t is
    // infinite.
    let t = if ticks == 0.0 { 0.0 } else { ticks / (first.variance + second.variance).sqrt() };
    Difference { t, ticks }
}

/// The number of values, their mean, and the variance of the mean.
struct Moments {
    count: f64,
    mean: f64,
    variance: f64,
}

fn moments(times: impl Iterator<Item = f64> + Clone) -> Moments {
    let count = times.clone().count() as f64;
    let mean = times.clone().sum::<f64>() / count;
    let squares: f64 = times.map(|x| (x - mean).powi(2)).sum();
    Moments { count, mean, variance: squares / (count - 1.0) / count }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(first: &[f64], second: &[f64]) -> Times {
        let of = |times: &[f64], class| times.iter().map(move |&time| (time, class)).collect::<Vec<_>>();
        [of(first, false), of(second, true)].concat()
    }

    #[test]
    fn t_is_that_of_the_textbook() {
        // Means 2.5 and 5; variances of the means 5/12 and 5/3.
        let t = (5.0 - 2.5) / (5.0_f64 / 12.0 + 5.0 / 3.0).sqrt();
        let found = welch(times(&[1.0, 2.0, 3.0, 4.0], &[2.0, 4.0, 6.0, 8.0]));
        assert!((found[0].t - t).abs() < 1e-12 && found[0].ticks == 2.5, "{found:?}");
        assert_eq!(welch(times(&[3.0; 4], &[3.0; 4])), [Difference::default(); CROPS.len()]);
        // Without the longest times both classes are 1, 2, 3.
        assert_eq!(welch(times(&[1.0, 2.0, 3.0, 90.0], &[1.0, 2.0, 3.0, 70.0]))[3].t, 0.0);
    }

    #[test]
    fn classes_that_do_not_overlap_have_one_sign() {
        // The lower half has times of one class only, from which nothing follows.
        let found = welch(times(&[1.0; 100], &[2.0; 100]));
        assert_eq!(found[0].t, f64::INFINITY);
        assert_eq!(found[4].t, 0.0);
    }
}
