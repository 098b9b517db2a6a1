//! Message lengths as a user writes them: `16`, `1k`, `512KiB`, `1..4096`, `128..4096+128`.
use anyhow::{Context, Result, bail, ensure};

/// The lengths at which hashes and MACs are measured if the command line names none.
pub const DEFAULT: &str = "16,32,64,128,256,512,1024,1500,4096,16384,65536,524288";

/// A set of lengths, for selecting among those that were measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection(Vec<Part>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    first: usize,
    last: usize,
    step: usize,
}

impl Selection {
    /// Parses parts separated by commas; a range `A..B` has both ends in it, `A..` has no end.
    ///
    /// # Errors
    /// If a part is not a length or a range, or is empty.
    pub fn parse(text: &str) -> Result<Selection> {
        let parts: Result<_> = text.split(',').map(|part| part_of(part.trim())).collect();
        Ok(Selection(parts.with_context(|| format!("lengths '{text}'"))?))
    }

    /// Whether `length`, in bytes, is in one of the parts.
    pub fn contains(&self, length: usize) -> bool {
        self.0
            .iter()
            .any(|p| (p.first..=p.last).contains(&length) && (length - p.first).is_multiple_of(p.step))
    }
}

/// The lengths that `text` lists, in its order, each once.
///
/// # Errors
/// If a part is not a length of at least 1 or a finite range of such.
pub fn list(text: &str) -> Result<Vec<usize>> {
    let mut lengths = Vec::new();
    for part in Selection::parse(text)?.0 {
        // `A..` is stored with the end usize::MAX.
        ensure!(part.last < usize::MAX, "lengths '{text}': a range to be measured needs an end");
        ensure!(part.first > 0, "lengths '{text}': cycles per byte of no bytes");
        lengths.extend((part.first..=part.last).step_by(part.step));
    }
    Ok(once(lengths))
}

/// The same lengths in the same order, without repetitions.
pub fn once(mut lengths: Vec<usize>) -> Vec<usize> {
    // `dedup` would need sorted lengths, but the order that the user gave is kept.
    let mut seen = std::collections::HashSet::new();
    lengths.retain(|&length| seen.insert(length));
    lengths
}

fn part_of(text: &str) -> Result<Part> {
    let Some((first, rest)) = text.split_once("..") else {
        let length = one(text)?;
        return Ok(Part { first: length, last: length, step: 1 });
    };
    let (last, step) = rest.split_once('+').unwrap_or((rest, "1"));
    let (first, step) = (one(first)?, one(step)?);
    // `1..300..+128` is also accepted, hence the trimmed dots.
    let last = if last.is_empty() { usize::MAX } else { one(last.trim_end_matches(".."))? };
    ensure!(first <= last && step > 0, "the range '{text}' is empty");
    Ok(Part { first, last, step })
}

/// Parses one length in bytes; `k`/`KiB` and `M`/`MiB` are powers of 1024.
fn one(text: &str) -> Result<usize> {
    // The unit is what follows the last digit, so `1x2` fails to parse as a number.
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match &text[digits.len()..] {
        "" | "B" => 1,
        "k" | "K" | "KiB" => 1 << 10,
        "M" | "MiB" => 1 << 20,
        _ => bail!("'{text}' is not a length: write 16, 1k, 512KiB or 1..4096"),
    };
    let count: usize = digits.parse().with_context(|| format!("'{text}' is not a length"))?;
    count.checked_mul(unit).with_context(|| format!("'{text}' is too long"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_ranges_and_steps() {
        assert_eq!(list("16, 1k,2KiB,1M,16").unwrap(), [16, 1024, 2048, 1 << 20]);
        assert_eq!(list("3..6").unwrap(), [3, 4, 5, 6]);
        assert_eq!(list("128..512+128").unwrap(), [128, 256, 384, 512]);
        assert_eq!(list("1..300..+128").unwrap(), [1, 129, 257]);
        assert_eq!(list(DEFAULT).unwrap().len(), 12);
    }

    #[test]
    fn bad_lengths_are_errors() {
        for text in
            ["", "x", "1q", "5..4", "4..", "0", "1..9+0", "99999999999999999999", "99999999999999M", "k"]
        {
            assert!(list(text).is_err(), "{text}");
        }
    }

    #[test]
    fn selection() {
        let some = Selection::parse("16,512..1500,4k..").unwrap();
        assert!(some.contains(16) && some.contains(512) && some.contains(1500) && some.contains(1 << 30));
        assert!(!some.contains(17) && !some.contains(511) && !some.contains(1501) && !some.contains(4095));
    }
}
