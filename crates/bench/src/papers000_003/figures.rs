//! The figures that papers 000 and 003 print.
use crate::data::{lines, number};
use std::ops::RangeInclusive;

/// Data files with the papers' figures, of paper 000 and of paper 003. Each file explains its format at the top.
const TEXTS: [&str; 2] = [include_str!("../../data/paper000.txt"), include_str!("../../data/paper003.txt")];

/// A CPU and a compiler with which a paper measured.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Short name in heads of tables: `skylake, gcc`.
    pub name: &'static str,
    /// CPU and compiler in the paper's own words.
    pub what: &'static str,
}

/// A line of a table. Figures stay text, so that they are shown with the digits that the paper prints.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Length of the message in bytes.
    pub length: usize,
    /// Cycles per byte of Goll and Gueron's code.
    pub original: &'static str,
    /// Cycles per byte of the paper's balanced code.
    pub modified: &'static str,
    /// Per cent of `original` that `modified` saves, as printed; an [`Erratum`] may correct it.
    pub speed_up: &'static str,
}

/// The part of a table that was measured in one setting.
#[derive(Clone, Debug)]
pub struct Table {
    /// The table in the paper's numbering: `table 4`. Tables of one name are printed side by side.
    pub name: &'static str,
    /// The [`Setting::name`] of its CPU and compiler.
    pub setting: &'static str,
    /// One line for each length, in ascending order.
    pub lines: Vec<Line>,
}

/// Speed-ups over all lengths in a range, in one setting.
#[derive(Clone, Debug)]
pub struct Range {
    /// The table or section that prints them: `section 5.2`.
    pub place: &'static str,
    /// The [`Setting::name`] of its CPU and compiler.
    pub setting: &'static str,
    /// First and last length in bytes, both inside the range.
    pub lengths: RangeInclusive<usize>,
    /// The greatest and the average speed-up in per cent, as printed.
    pub figures: [&'static str; 2],
}

/// Per cent of all lengths where the new code is faster, as fast, and slower, in one setting.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// The table or section that prints them: `section 5`.
    pub place: &'static str,
    /// The [`Setting::name`] of its CPU and compiler.
    pub setting: &'static str,
    /// Per cent of lengths where the new code is faster, as fast, and slower, with the digits that the paper prints.
    pub figures: [&'static str; 3],
}

/// A printed speed-up that contradicts the cycles beside it.
#[derive(Clone, Copy, Debug)]
pub struct Erratum {
    /// The [`Setting::name`] of its CPU and compiler.
    pub setting: &'static str,
    /// Length of the message in bytes.
    pub length: usize,
    /// The speed-up in per cent that follows from the printed cycles.
    pub speed_up: &'static str,
}

/// All figures of paper 000 or of paper 003.
#[derive(Clone, Debug, Default)]
pub struct Paper {
    /// The number of the paper, `000` or `003`.
    pub number: &'static str,
    /// CPUs and compilers with which the paper measured.
    pub settings: Vec<Setting>,
    /// Its tables of single lengths, each for one setting.
    pub tables: Vec<Table>,
    /// Its speed-ups over ranges of lengths, from tables or sentences.
    pub ranges: Vec<Range>,
    /// Its shares of all lengths, from sentences.
    pub shares: Vec<Shares>,
    /// Speed-ups that contradict the cycles printed beside them.
    pub errata: Vec<Erratum>,
}

impl Paper {
    /// The figures of paper 000, the dissertation: Tables 1 and 2.
    pub fn of_000() -> Paper {
        Paper { number: "000", ..Paper::parse(TEXTS[0]) }
    }

    /// The figures of paper 003, the article: Tables 2 to 6.
    pub fn of_003() -> Paper {
        Paper { number: "003", ..Paper::parse(TEXTS[1]) }
    }

    /// Reads a data file. The file is part of the program, so a malformed line is a panic.
    fn parse(text: &'static str) -> Paper {
        let mut paper = Paper::default();
        for fields in lines(text) {
            match fields[..] {
                ["setting", name, what] => paper.settings.push(Setting { name, what }),
                ["table", name, setting] => paper.tables.push(Table { name, setting, lines: vec![] }),
                ["range", place, setting, figures] => {
                    let [from, to, most, average] = words(figures);
                    let (lengths, figures) = (number(from)..=number(to), [most, average]);
                    paper.ranges.push(Range { place, setting, lengths, figures });
                }
                ["shares", place, setting, figures] => {
                    paper.shares.push(Shares { place, setting, figures: words(figures) });
                }
                ["erratum", setting, figures] => {
                    let [length, speed_up] = words(figures);
                    paper.errata.push(Erratum { setting, length: number(length), speed_up });
                }
                // A line without separators belongs to the table above it.
                [figures] => {
                    let [length, original, modified, speed_up] = words(figures);
                    let table = paper.tables.last_mut().expect("a line stands in a table");
                    table.lines.push(Line { length: number(length), original, modified, speed_up });
                }
                _ => panic!("{fields:?} is no line of a paper"),
            }
        }
        paper
    }

    /// The lengths of its tables in bytes, ascending, each once.
    pub fn lengths(&self) -> Vec<usize> {
        let mut lengths: Vec<usize> =
            self.tables.iter().flat_map(|table| &table.lines).map(|line| line.length).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    /// The ranges of lengths of its speed-ups, ascending, each once.
    pub(super) fn spans(&self) -> Vec<&RangeInclusive<usize>> {
        let mut spans: Vec<_> = self.ranges.iter().map(|range| &range.lengths).collect();
        // Settings repeat the ranges. `dedup` removes neighbours only, so equal ranges must come together
        // first.
        spans.sort_by_key(|span| *span.start());
        spans.dedup();
        spans
    }

    /// The erratum of a line: the speed-up that its cycles give. `None` where the printed one is right.
    pub fn erratum(&self, setting: &str, length: usize) -> Option<&Erratum> {
        self.errata.iter().find(|erratum| (erratum.setting, erratum.length) == (setting, length))
    }
}

/// How much less `new` takes than `old`, in per cent of `old`; negative if it takes more.
pub fn speed_up(old: f64, new: f64) -> f64 {
    100.0 * (old - new) / old
}

/// The lengths of the papers' statistics in bytes: from 49 to 4000, without the multiples of 64. There are 3890.
pub fn all_lengths() -> impl Iterator<Item = usize> {
    // Four blocks begin with 49 bytes. At a multiple of 64 all rows of four blocks are full, and nothing is
    // left to balance.
    (49..=4000).filter(|length| length % 64 != 0)
}

fn words<const N: usize>(text: &'static str) -> [&'static str; N] {
    text.split(' ').collect::<Vec<_>>().try_into().expect("as many figures")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn papers() -> [Paper; 2] {
        [Paper::of_000(), Paper::of_003()]
    }

    #[test]
    fn no_line_is_missing() {
        let count = |paper: &Paper| paper.tables.iter().map(|table| table.lines.len()).collect::<Vec<_>>();
        let [dissertation, article] = papers();
        assert_eq!((count(&dissertation), count(&article)), (vec![70, 64], vec![12; 6]));
        assert_eq!((dissertation.ranges.len(), article.ranges.len()), (2 * 4, 2 * 3 * 3));
        assert_eq!((dissertation.shares.len(), article.shares.len()), (2, 3));
        let lengths = article.lengths();
        assert_eq!(lengths, [56, 80, 96, 112, 160, 224, 240, 496, 600, 800, 1000, 2000]);
        for table in dissertation.tables.iter().chain(&article.tables) {
            assert!(table.lines.is_sorted_by_key(|line| line.length), "{}", table.name);
        }
    }

    /// Every printed speed-up is that of the cycles beside it, to the last digit, rounded or cut; the errata are not.
    #[test]
    fn speed_ups_are_those_of_the_figures() {
        for paper in papers() {
            let mut errata = 0;
            for table in &paper.tables {
                assert!(paper.settings.iter().any(|setting| setting.name == table.setting));
                for line in &table.lines {
                    let right = speed_up(number(line.original), number(line.modified));
                    let off = (right - number::<f64>(line.speed_up)).abs();
                    match paper.erratum(table.setting, line.length) {
                        None => assert!(off < 0.01, "{line:?} gives {right}"),
                        Some(erratum) => {
                            errata += 1;
                            assert!(off > 0.02, "{line:?} gives {right}");
                            assert!((right - number::<f64>(erratum.speed_up)).abs() < 0.0051, "{erratum:?}");
                        }
                    }
                }
            }
            // An erratum without a line would correct nothing.
            assert_eq!(errata, paper.errata.len(), "{}", paper.number);
        }
    }

    /// The figure printed for a range is at least that of every line of the tables in the range. The greatest
    /// speed-up of paper 000 is the line of an erratum.
    #[test]
    fn ranges_are_not_below_their_lines() {
        for paper in papers() {
            for range in &paper.ranges {
                let of_setting = paper.tables.iter().filter(|table| table.setting == range.setting);
                for line in of_setting.flat_map(|table| &table.lines) {
                    if range.lengths.contains(&line.length) {
                        let most: f64 = number(range.figures[0]);
                        assert!(number::<f64>(line.speed_up) <= most, "{range:?} {line:?}");
                    }
                }
            }
        }
        let [dissertation, _] = papers();
        // Index 27 is the length 118. Its speed-up, the greatest that the paper states, is the erratum below.
        let claimed = dissertation.ranges[0].figures[0];
        assert_eq!(claimed, dissertation.tables[0].lines[27].speed_up);
        assert_eq!(dissertation.erratum("skylake, gcc", 118).map(|e| e.speed_up), Some("20.34"));
    }

    /// Paper 003's shares are whole numbers of its 3890 lengths, cut after two digits.
    #[test]
    fn shares_are_of_all_lengths() {
        let all = all_lengths().count();
        assert_eq!(all, 3890);
        let counts = [[3885, 3, 2], [3482, 244, 164], [3877, 7, 6]];
        for (shares, counts) in Paper::of_003().shares.iter().zip(counts) {
            assert_eq!(counts.iter().sum::<usize>(), all);
            for (figure, count) in shares.figures.iter().zip(counts) {
                let per_cent = 100.0 * count as f64 / all as f64;
                assert!((0.0..0.01).contains(&(per_cent - number::<f64>(figure))), "{shares:?}");
            }
        }
        for shares in Paper::of_000().shares {
            let sum: f64 = shares.figures.iter().map(|figure| number::<f64>(figure)).sum();
            assert!((sum - 100.0).abs() < 0.005, "{shares:?}");
        }
    }
}
