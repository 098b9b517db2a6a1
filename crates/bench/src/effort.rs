//! How much of a table is measured, and for how long: options that the commands for tables share.
use anyhow::{Result, ensure};
use clap::Arg;

/// How much is measured.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Effort {
    /// A moment for each, and few lengths where there are many
    #[arg(long)]
    pub quick: bool,
    /// Seconds for each thing measured
    #[arg(long, value_name = "N")]
    pub seconds: Option<f64>,
}

/// How long a command measures each thing, unless `--seconds` says it.
pub(crate) struct Seconds {
    /// What each is.
    pub(crate) each: &'static str,
    /// Seconds for one.
    pub(crate) full: f64,
    /// Seconds for each figure with `--quick`.
    pub(crate) quick: f64,
}

impl Seconds {
    /// The option `--seconds`, with what it means for this command.
    pub(crate) fn help(&self, seconds: Arg) -> Arg {
        let Seconds { each, full, quick } = self;
        seconds.help(format!("Seconds for each {each} [default: {full}; with --quick {quick}]"))
    }

    /// Seconds for each.
    ///
    /// # Errors
    /// If they are not positive.
    pub(crate) fn of(&self, effort: Effort) -> Result<f64> {
        let default = if effort.quick { self.quick } else { self.full };
        positive(effort.seconds.unwrap_or(default))
    }
}

/// Refuses to measure for no time.
pub(crate) fn positive(seconds: f64) -> Result<f64> {
    ensure!(seconds > 0.0 && seconds.is_finite(), "seconds must be positive");
    Ok(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_those_asked_for() {
        let seconds = Seconds { each: "length", full: 0.5, quick: 0.1 };
        let of = |quick, asked| seconds.of(Effort { quick, seconds: asked }).ok();
        assert_eq!([of(false, None), of(true, None), of(true, Some(2.0))], [0.5, 0.1, 2.0].map(Some));
        assert_eq!([0.0, -1.0, f64::NAN, f64::INFINITY].map(|n| of(false, Some(n))), [None; 4]);
    }
}
