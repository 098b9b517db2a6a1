//! The axes of plots: the position in the picture of a value.

/// How values are spread along an axis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    Logarithmic,
    Linear,
}

/// An axis: the values at its ends, and the pixels where it begins and ends.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    scale: Scale,
    from: f64,
    to: f64,
    begin: f64,
    end: f64,
}

impl Axis {
    /// An axis from pixel `begin` to pixel `end` that shows all values, with some room around them.
    pub(super) fn around(scale: Scale, values: impl Iterator<Item = f64>, begin: f64, end: f64) -> Axis {
        // The greatest value starts at 0, so that a linear axis shows 0 even if all figures are negative.
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
        let (from, to) = match scale {
            Scale::Logarithmic => (low / 1.15, high * 1.15),
            Scale::Linear => {
                // Equal values must not make an axis of no length.
                let room = (high - low).max(1.0) / 20.0;
                (low - room, high + room)
            }
        };
        Axis { scale, from, to, begin, end }
    }

    /// The pixel of a value.
    pub(super) fn place(&self, value: f64) -> f64 {
        let part = match self.scale {
            Scale::Logarithmic => (value / self.from).ln() / (self.to / self.from).ln(),
            Scale::Linear => (value - self.from) / (self.to - self.from),
        };
        self.begin + (self.end - self.begin) * part
    }

    fn shows(&self, value: f64) -> bool {
        (self.from..=self.to).contains(&value)
    }

    /// At most `most` values that get a line in the grid. A logarithmic axis takes them from those given, a
    /// linear one from the multiples of a round step.
    pub(super) fn ticks(&self, logarithmic: impl Iterator<Item = f64>, most: usize) -> Vec<f64> {
        let all: Vec<f64> = match self.scale {
            Scale::Logarithmic => logarithmic.filter(|&value| self.shows(value)).collect(),
            Scale::Linear => {
                // Half a power of ten, of which 2 to 20 multiples lie on the axis.
                let step = 10f64.powf((self.to - self.from).log10().floor()) / 2.0;
                let first = (self.from / step).ceil() as i64;
                // Multiples instead of sums, which would collect rounding errors.
                (first..).map(|i| i as f64 * step).take_while(|&value| value <= self.to).collect()
            }
        };
        let every = all.len().div_ceil(most).max(1);
        all.into_iter().step_by(every).collect()
    }
}
