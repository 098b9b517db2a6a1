//! Options that the commands for tables share: how many figures are measured, and for how long.
use anyhow::{Result, ensure};
use clap::Arg;

/// How many figures are measured, and for how many seconds each.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Effort {
    /// A moment for each, and few lengths where there are many
    #[arg(long)]
    pub quick: bool,
    /// Seconds for each thing measured
    #[arg(long, value_name = "N")]
    pub seconds: Option<f64>,
}

/// The default of `--seconds` of a command.
pub(crate) struct Seconds {
    /// The thing measured for that long, for the help text: `set`, `curve`.
    pub(crate) each: &'static str,
    /// Seconds for each thing without `--quick`.
    pub(crate) full: f64,
    /// Seconds for each thing with `--quick`.
    pub(crate) quick: f64,
}

impl Seconds {
    /// Gives the option `--seconds` the help text of this command.
    pub(crate) fn help(&self, seconds: Arg) -> Arg {
        let Seconds { each, full, quick } = self;
        // The default depends on the command, so clap cannot print it by itself.
        seconds.help(format!("Seconds for each {each} [default: {full}; with --quick {quick}]"))
    }

    /// Seconds for each thing: those asked for, or the default.
    ///
    /// # Errors
    /// If the seconds asked for are not positive and finite.
    pub(crate) fn of(&self, effort: Effort) -> Result<f64> {
        let default = if effort.quick { self.quick } else { self.full };
        positive(effort.seconds.unwrap_or(default))
    }
}

/// The seconds, if they are positive and finite; an error otherwise.
pub(crate) fn positive(seconds: f64) -> Result<f64> {
    // A comparison with NaN is false, so NaN is refused as well.
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
