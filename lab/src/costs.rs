//! Reads tables that `carryless-lab tune` has printed.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) mod fuzzing;

use std::path::Path;

use anyhow::{Context as _, Result, bail, ensure};
use carryless_cli::base::{escape_path, read_file};
use carryless_gf2::poly::{Costs, MeasuredChain, MeasuredTransform};

/// Largest file in bytes. A table has a line of some 40 bytes for each of a few hundred constructions.
const MAX_BYTES: u64 = 1 << 20;

/// Words of the longest chain: operands of 2^26 bits, the limit of `explain`. Shorter chains may need as much scratch.
const MAX_WORDS: usize = 1 << 20;

/// A table of costs that owns its lines.
pub(crate) struct Table {
    chains: Vec<MeasuredChain>,
    transforms: Vec<MeasuredTransform>,
}

impl Table {
    /// Reads a file and checks the table in it.
    pub(crate) fn read(path: &Path) -> Result<Table> {
        let name = escape_path(path);
        let text = read_file(path, MAX_BYTES).with_context(|| format!("cannot read {name}"))?;
        Table::parse(&text).with_context(|| format!("{name} is not a table of `carryless-lab tune`"))
    }

    fn parse(text: &str) -> Result<Table> {
        let mut table = Table { chains: Vec::new(), transforms: Vec::new() };
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            // `tune` prints comments between the lines, and users add their own.
            if !line.is_empty() && !line.starts_with('#') {
                table.add(line).with_context(|| format!("line {}: {line:?}", number + 1))?;
            }
        }
        // Checked once, so that users of the table need no error for it.
        ensure!(
            table.costs().is_some(),
            "there must be four transforms, and chains from short to long, the longest of 24 words or more, none as fast as a longer one"
        );
        Ok(table)
    }

    /// Parses a line: `chain(words, tooms, x, odd, karats, leaf, picoseconds)` or `transform(point, level)`.
    fn add(&mut self, line: &str) -> Result<()> {
        let (kind, rest) = line.split_once('(').context("neither chain(...) nor transform(...)")?;
        // All numbers are parsed as 64 bits first. `try_into` then refuses those that a field cannot hold.
        let numbers = rest.strip_suffix(')').context("no closing parenthesis")?.split(',');
        let numbers: Vec<u64> =
            numbers.map(|number| number.trim().parse().context("not a number")).collect::<Result<_>>()?;
        match (kind, numbers.as_slice()) {
            ("transform", &[point, level]) => self.transforms.push(MeasuredTransform { point, level }),
            ("chain", &[words, tooms, x, odd, karats, leaf, time]) => {
                let chain = MeasuredChain::new(
                    tooms.try_into()?,
                    x.try_into()?,
                    odd.try_into()?,
                    karats.try_into()?,
                    leaf.try_into()?,
                    time,
                );
                let chain =
                    // The number of words follows from the other numbers, so a line that contradicts itself
                    // is refused.
                    chain.filter(|chain| chain.words() as u64 == words && chain.words() <= MAX_WORDS);
                self.chains.push(chain.context("there is no such chain")?);
            }
            _ => bail!("neither chain(...) nor transform(...)"),
        }
        Ok(())
    }

    /// Returns the table in the form that plans use. `None` if its lines are not in order.
    pub(crate) fn costs(&self) -> Option<Costs<'_>> {
        Costs::new(&self.chains, self.transforms.as_slice().try_into().ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRANSFORMS: &str = "transform(1, 2)\ntransform(3, 4)\ntransform(5, 6)\ntransform(7, 8)\n";

    #[test]
    fn a_table_is_read_and_others_are_refused() {
        let good = format!(
            "# a comment\n\n{TRANSFORMS}chain(16, 0, 0, 1, 1, 8, 80)\nchain(32, 0, 0, 1, 2, 8, 250)\n"
        );
        assert!(Table::parse(&good).is_ok());
        // 884,732 words are within the limit of 2^20. The chain of 2,654,192 words below is not.
        assert!(Table::parse(&good.replace("chain(32, 0, 0, 1, 2,", "chain(884732, 1, 64, 9, 12,")).is_ok());
        for (broken, why) in [
            (good.replace("chain(32", "chain(33"), "a wrong size"),
            (good.replace("250", "80"), "a shorter chain as slow"),
            (good.replace("transform(1, 2)\n", ""), "three transforms"),
            (good.replace("transform", "transfer"), "another word"),
            (good.replace("250)", "250"), "no parenthesis"),
            (good.replace("250", "-1"), "a negative time"),
            (good.replace("chain(32, 0, 0, 1, 2,", "chain(2654192, 2, 64, 9, 12,"), "too long a chain"),
            (good.replace("250", "99999999999999999999999"), "no 64 bits"),
            (TRANSFORMS.into(), "no chains"),
            (String::new(), "nothing"),
        ] {
            assert!(Table::parse(&broken).is_err(), "{why}");
        }
    }
}
