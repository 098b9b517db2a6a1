//! Assertions on the figures of a run. The command fails if one does not hold.
use crate::lengths::Selection;
use crate::report::{Report, Row, digits};
use crate::subject::matches;
use anyhow::{Context, Result, bail, ensure};

/// `SUBJECT <= 0.82 * SUBJECT @ LENGTHS`, compared at each measured length among LENGTHS.
///
/// The comparison is `<=` or `>=`. The factor may be left out. The right side may also be `best(PATTERN)`,
/// which is the least of all subjects that match, or a number of cycles per byte.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    left: String,
    at_most: bool,
    factor: f64,
    right: Right,
    lengths: Selection,
}

#[derive(Clone, Debug, PartialEq)]
enum Right {
    Subject(String),
    Best(String),
    Cycles,
}

/// `SUBJECT:STEP:FACTOR`: no length takes more than FACTOR times the cycles per call of the
/// next longer multiple of STEP.
#[derive(Clone, Debug, PartialEq)]
pub struct Smooth {
    subject: String,
    step: usize,
    factor: f64,
}

/// `SUBJECT:FACTOR`: no measured length takes more than FACTOR times the cycles per call of a longer one.
#[derive(Clone, Debug, PartialEq)]
pub struct Monotone {
    subject: String,
    factor: f64,
}

/// The result of an assertion.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Whether it holds at every length that it names.
    pub holds: bool,
    /// The lines that are printed: verdict and figures for each length, or for smoothness the worst lengths.
    pub text: String,
}

impl std::str::FromStr for Comparison {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Comparison> {
        parse(text)
            .with_context(|| format!("assertion '{text}' (write 'SUBJECT <= 0.82 * SUBJECT @ LENGTHS')"))
    }
}

fn parse(text: &str) -> Result<Comparison> {
    let (claim, lengths) = text.split_once('@').context("says not at which lengths")?;
    // A claim with neither sign counts as `>=` here, and the split below then reports that both are missing.
    let at_most = claim.contains("<=");
    let (left, right) = claim.split_once(if at_most { "<=" } else { ">=" }).context("has no <= or >=")?;
    let (factor, right) =
        right.split_once('*').map_or((None, right), |(factor, right)| (Some(factor), right));
    // With NaN no comparison would ever hold, and every figure would be at most infinity.
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0);
    let right = right.trim();
    let (factor, right) = match (factor, number(right)) {
        // A number alone is a bound in cycles per byte. With a `*` after it, it is a factor.
        (None, Some(cycles)) => (cycles, Right::Cycles),
        (Some(_), Some(_)) => bail!("has two numbers"),
        (factor, None) => {
            let factor = factor.map_or(Some(1.0), number).context("has no positive factor before the *")?;
            (factor, side(right)?)
        }
    };
    let left = name(left)?;
    Ok(Comparison { left, at_most, factor, right, lengths: Selection::parse(lengths.trim())? })
}

fn side(text: &str) -> Result<Right> {
    match text.strip_prefix("best(").and_then(|rest| rest.strip_suffix(')')) {
        Some(pattern) => Ok(Right::Best(name(pattern)?)),
        None => Ok(Right::Subject(name(text)?)),
    }
}

fn name(text: &str) -> Result<String> {
    let text = text.trim();
    // `#` is in the name of a subject that is measured twice, `*` in the pattern of `best`.
    let plain = |c: char| c.is_ascii_alphanumeric() || "/-_*#.".contains(c);
    ensure!(!text.is_empty() && text.chars().all(plain), "'{text}' is not the name of a subject");
    Ok(text.into())
}

impl Comparison {
    /// Compares at every measured length that the assertion names.
    ///
    /// # Errors
    /// If nothing was measured that the assertion speaks of: it must not hold by default.
    pub fn check(&self, report: &Report) -> Result<Outcome> {
        let lengths: Vec<usize> =
            report.lengths().into_iter().filter(|&n| self.lengths.contains(n)).collect();
        ensure!(!lengths.is_empty(), "none of the lengths of the assertion on {} was measured", self.left);
        let (mut holds, mut lines) = (true, Vec::new());
        for length in lengths {
            let left = find(report, &self.left, length)?.figure();
            let (right, whose) = self.right_at(report, length)?;
            // Both figures are of one length, so their ratio per byte is also the ratio per call.
            let ratio = left / right;
            let here = if self.at_most { ratio <= self.factor } else { ratio >= self.factor };
            holds &= here;
            let (verdict, sign) =
                (if here { "ok" } else { "FAILED" }, if self.at_most { "<=" } else { ">=" });
            let (left, right) = (digits(left), digits(right));
            let figures = match self.right {
                Right::Cycles => format!("{left} {sign} {}", digits(self.factor)),
                _ => format!("{left} / {right} = {ratio:.3} {sign} {} ({whose})", self.factor),
            };
            lines.push(format!("{verdict}: {} @ {length}: {figures}", self.left));
        }
        Ok(Outcome { holds, text: lines.join("\n") })
    }

    /// The right side in cycles per byte, and the subject that has it. A plain number counts as that factor
    /// of 1 cycle per byte.
    fn right_at<'a>(&'a self, report: &'a Report, length: usize) -> Result<(f64, &'a str)> {
        match &self.right {
            Right::Cycles => Ok((1.0, "")),
            Right::Subject(subject) => Ok((find(report, subject, length)?.figure(), subject)),
            Right::Best(pattern) => {
                let rows =
                    report.rows.iter().filter(|row| row.length == length && matches(pattern, &row.subject));
                let best = rows.min_by(|a, b| a.figure().total_cmp(&b.figure()));
                let best =
                    best.with_context(|| format!("nothing measured matches '{pattern}' at {length}"))?;
                Ok((best.figure(), &best.subject))
            }
        }
    }
}

fn find<'a>(report: &'a Report, subject: &str, length: usize) -> Result<&'a Row> {
    report.row(subject, length).with_context(|| format!("'{subject}' was not measured at {length}"))
}

impl std::str::FromStr for Smooth {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Smooth> {
        let parts: Vec<&str> = text.split(':').collect();
        let parsed = match parts[..] {
            [subject, step, factor] => Some((name(subject)?, step.parse().ok(), factor.parse().ok())),
            _ => None,
        };
        match parsed {
            Some((subject, Some(step), Some(factor))) if step > 0 && factor > 0.0 => {
                Ok(Smooth { subject, step, factor })
            }
            _ => bail!("smoothness '{text}' (write SUBJECT:128:1.05)"),
        }
    }
}

impl Smooth {
    /// The lengths to measure besides `lengths`: the next longer multiple of the step for each of them.
    pub fn longer(&self, lengths: &[usize]) -> Vec<usize> {
        lengths.iter().map(|&length| self.next_multiple(length)).collect()
    }

    fn next_multiple(&self, length: usize) -> usize {
        (length / self.step + 1) * self.step
    }

    /// Compares each measured length with the next longer multiple of the step. A multiple itself is compared
    /// if the next one was measured too.
    ///
    /// # Errors
    /// If a length was measured without the next longer multiple, or nothing can be compared.
    pub fn check(&self, report: &Report) -> Result<Outcome> {
        let mut ratios: Vec<(f64, usize, usize)> = Vec::new();
        for length in report.lengths() {
            let Some(here) = report.row(&self.subject, length) else { continue };
            let longer = self.next_multiple(length);
            match report.row(&self.subject, longer) {
                Some(there) => {
                    // Cycles per call: the two lengths differ, so figures per byte cannot be compared.
                    let cycles = |row: &Row| row.figure() * row.length as f64;
                    ratios.push((cycles(here) / cycles(there), length, longer));
                }
                // Only lengths that were asked for need a successor. This multiple may itself be such a
                // successor.
                None if length.is_multiple_of(self.step) => {}
                None => bail!("{length} bytes were measured, but not {longer}"),
            }
        }
        outcome(&format!("{} is smooth by {}", self.subject, self.step), ratios, self.factor)
            .with_context(|| format!("no pair of lengths of '{}' to compare", self.subject))
    }
}

impl std::str::FromStr for Monotone {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Monotone> {
        let parsed = text.split_once(':').map(|(subject, factor)| (name(subject), factor.parse().ok()));
        match parsed {
            Some((subject, Some(factor))) if factor > 0.0 => Ok(Monotone { subject: subject?, factor }),
            _ => bail!("monotony '{text}' (write SUBJECT:1.03)"),
        }
    }
}

impl Monotone {
    /// Compares each measured length with the cheapest longer one, by cycles per call.
    ///
    /// # Errors
    /// If fewer than two lengths of the subject were measured.
    pub fn check(&self, report: &Report) -> Result<Outcome> {
        // From the longest down, so that the cheapest of the longer ones is known.
        let (mut ratios, mut cheapest): (Vec<_>, Option<(f64, usize)>) = (Vec::new(), None);
        for length in report.lengths().into_iter().rev() {
            let Some(row) = report.row(&self.subject, length) else { continue };
            let cycles = row.figure() * row.length as f64;
            if let Some((least, longer)) = cheapest {
                ratios.push((cycles / least, length, longer));
            }
            if cheapest.is_none_or(|(least, _)| cycles < least) {
                cheapest = Some((cycles, length));
            }
        }
        outcome(&format!("{} is monotone", self.subject), ratios, self.factor)
            .with_context(|| format!("no two lengths of '{}' to compare", self.subject))
    }
}

/// The outcome of a claim on pairs of lengths, from the ratio of cycles per call, the length and the longer length of each
/// pair. `None` if there are no pairs.
fn outcome(claim: &str, mut ratios: Vec<(f64, usize, usize)>, factor: f64) -> Option<Outcome> {
    // The worst pairs come first, and those that fail are printed.
    ratios.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (worst, ..) = *ratios.first()?;
    let (failed, all) = (ratios.iter().filter(|(ratio, ..)| *ratio > factor).count(), ratios.len());
    let verdict = if failed == 0 { "ok" } else { "FAILED" };
    let mut text =
        format!("{verdict}: {claim} at {} of {all} lengths; worst {worst:.3} <= {factor}", all - failed);
    // A claim that holds still shows its worst pair, so that a reader sees the margin.
    for (ratio, length, longer) in ratios.iter().take(failed.max(1)) {
        text += &format!("\n  {length} takes {ratio:.3} of the cycles of {longer}");
    }
    Some(Outcome { holds: failed == 0, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::report;

    fn outcome(text: &str, figures: &[(&str, usize, f64)]) -> Result<Outcome> {
        text.parse::<Comparison>()?.check(&report(figures))
    }

    const FIGURES: [(&str, usize, f64); 6] = [
        ("carryless/avx2", 512, 0.8),
        ("openssl/avx2", 512, 1.0),
        ("openssl/scalar", 512, 0.9),
        ("carryless/avx2", 1500, 0.5),
        ("openssl/avx2", 1500, 0.6),
        ("openssl/scalar", 1500, 1.1),
    ];

    #[test]
    fn comparisons_hold_or_fail_at_the_border() {
        let holds = |text| outcome(text, &FIGURES).unwrap().holds;
        assert!(holds("carryless/avx2 <= 0.81 * openssl/avx2 @ 512"));
        assert!(!holds("carryless/avx2 <= 0.79 * openssl/avx2 @ 512"));
        assert!(!holds("carryless/avx2 <= 0.81 * openssl/avx2 @ 512..1500"));
        assert!(holds("carryless/avx2<=0.84*openssl/avx2@512,1500"));
        assert!(holds("carryless/avx2 <= openssl/avx2 @ 1.."));
        assert!(holds("openssl/avx2 >= 1.19 * carryless/avx2 @ 1k.."));
        assert!(!holds("openssl/avx2 >= 1.21 * carryless/avx2 @ 1k.."));
        assert!(holds("carryless/avx2 <= 0.5 @ 1500"));
        assert!(!holds("carryless/avx2 <= 0.49 @ 1500"));
    }

    #[test]
    fn best_of_a_pattern_is_taken_at_each_length() {
        let text = outcome("carryless/avx2 <= 0.9 * best(openssl/*) @ 1..", &FIGURES).unwrap();
        assert!(text.holds);
        assert!(text.text.contains("0.889 <= 0.9 (openssl/scalar)"), "{}", text.text);
        assert!(text.text.contains("0.833 <= 0.9 (openssl/avx2)"), "{}", text.text);
    }

    #[test]
    fn what_was_not_measured_does_not_hold() {
        for text in [
            "a <= b @ 512",
            "carryless/avx2 <= openssl/avx512 @ 512",
            "carryless/avx2 <= openssl/avx2 @ 600..900",
        ] {
            assert!(outcome(text, &FIGURES).is_err(), "{text}");
        }
        assert!(outcome("carryless/avx2 <= best(libsodium*) @ 512", &FIGURES).is_err());
    }

    #[test]
    fn nonsense_is_an_error() {
        let nonsense = [
            "",
            "a",
            "a <= b",
            "a @ 1",
            "a < b @ 1",
            "a <= -1 * b @ 1",
            "a <= x * b @ 1",
            "a <= 2 * 3 @ 1",
            "a <= b @ x",
            " <= b @ 1",
            "a b <= c @ 1",
            "a <= nan @ 1 2",
        ];
        for text in nonsense {
            assert!(text.parse::<Comparison>().is_err(), "{text}");
        }
        for text in ["a", "a:128", "a:0:1.05", "a:128:x", ":128:1.05", "a:128:1.05:2"] {
            assert!(text.parse::<Smooth>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_jagged_tail_is_found() {
        // Cycles per call: 130, 100, 200, 201 at 127, 128, 255, 256.
        let figures = [
            ("x", 127, 130.0 / 127.0),
            ("x", 128, 100.0 / 128.0),
            ("x", 255, 200.0 / 255.0),
            ("x", 256, 201.0 / 256.0),
        ];
        let check = |text: &str| text.parse::<Smooth>().unwrap().check(&report(&figures));
        let jagged = check("x:128:1.05").unwrap();
        assert!(!jagged.holds);
        assert!(jagged.text.contains("127 takes 1.300 of the cycles of 128"), "{}", jagged.text);
        assert!(jagged.text.contains("at 2 of 3 lengths"), "{}", jagged.text);
        assert!(check("x:128:1.31").unwrap().holds);
        assert!(check("x:512:1.05").is_err(), "512 was not measured");
        assert_eq!("x:128:1.05".parse::<Smooth>().unwrap().longer(&[1, 128, 300]), [128, 256, 384]);
        assert!(check("y:128:1.05").is_err());
    }
    #[test]
    fn a_length_dearer_than_a_longer_one_is_found() {
        // Cycles per call: 100, 140, 120, 119 at 64, 96, 128, 256.
        let figures = [
            ("x", 64, 100.0 / 64.0),
            ("x", 96, 140.0 / 96.0),
            ("x", 128, 120.0 / 128.0),
            ("x", 256, 119.0 / 256.0),
        ];
        let check = |text: &str| text.parse::<Monotone>().unwrap().check(&report(&figures));
        let found = check("x:1.03").unwrap();
        assert!(!found.holds);
        assert!(found.text.contains("96 takes 1.176 of the cycles of 256"), "{}", found.text);
        assert!(found.text.contains("at 2 of 3 lengths"), "{}", found.text);
        assert!(check("x:1.2").unwrap().holds);
        assert!(check("y:1.2").is_err(), "nothing to compare");
        for text in ["", "x", "x:", "x:0", "x:y", ":1.03"] {
            assert!(text.parse::<Monotone>().is_err(), "{text}");
        }
    }
}
