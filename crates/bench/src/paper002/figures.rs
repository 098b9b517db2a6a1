//! The figures that paper 002 prints.
use crate::data::{lines, number};

/// The end of the name of a table that counts retired instructions.
const INSTRUCTIONS: &str = ", instructions";

/// Data file with the paper's tables, which explains its format at the top.
const TEXT: &str = include_str!("../../data/paper002.txt");

/// A line of a table. Figures stay text, so that they are shown with the digits that the paper prints.
#[derive(Clone, Debug)]
pub struct Line {
    /// Length of each operand in bits.
    pub bits: usize,
    /// The methods from the top down to KaratRec, such as `Toom3<512>(Karat5)`.
    pub construction: &'static str,
    /// Cycles for a product, column by column; `-` if there is none, `?` if it cannot be read.
    pub figures: Vec<&'static str>,
}

/// A table of the paper, for some lengths of operands.
#[derive(Clone, Debug)]
pub struct Table {
    /// The table in the paper's numbering: `table 5`.
    pub name: &'static str,
    /// The code that each column is of: gf2x, the AVX2 code, kernels with AVX-512.
    pub columns: Vec<&'static str>,
    /// The lines in the paper's order.
    pub lines: Vec<Line>,
}

/// All figures of the paper.
#[derive(Clone, Debug)]
pub struct Paper {
    /// The CPU whose cycles these are, in the paper's words.
    pub cpu: &'static str,
    /// Cycles of products: tables 4, 5, 6, 8, 9, 10 and 14.
    pub tables: Vec<Table>,
    /// Counts of retired instructions, in the form of tables 4 and 14.
    pub instructions: Vec<Table>,
}

impl Paper {
    /// Reads the tables, which are part of the program.
    ///
    /// # Panics
    /// If the data file is malformed, which a build that passed its tests excludes.
    pub fn read() -> Paper {
        let mut paper = Paper { cpu: "", tables: vec![], instructions: vec![] };
        for fields in lines(TEXT) {
            match fields[..] {
                ["cpu", cpu] => paper.cpu = cpu,
                // A line of two fields begins a table. That of the CPU has been matched above.
                [name, columns] => {
                    paper.tables.push(Table { name, columns: columns.split(' ').collect(), lines: vec![] });
                }
                [bits, construction, figures] => {
                    let table = paper.tables.last_mut().expect("a line stands in a table");
                    let (bits, figures) = (number(bits), figures.split(' ').collect::<Vec<_>>());
                    assert_eq!(figures.len(), table.columns.len(), "{fields:?}");
                    table.lines.push(Line { bits, construction, figures });
                }
                _ => panic!("{fields:?} is no line of a table"),
            }
        }
        // Counts are not cycles, so no search for a figure may come across them.
        let counts = |table: &mut Table| table.name.ends_with(INSTRUCTIONS);
        paper.instructions = paper.tables.extract_if(.., counts).collect();
        paper
    }

    /// Retired instructions of a line's code in a column; `None` if the paper does not count them.
    pub fn instructions(&self, table: &Table, line: &Line, column: &str) -> Option<f64> {
        let counts = self
            .instructions
            .iter()
            .find(|counts| counts.name.strip_suffix(INSTRUCTIONS).is_some_and(|of| of == table.name))?;
        counts.figure(counts.lines.iter().find(|counted| counted.bits == line.bits)?, column)
    }

    /// gf2x's cycles for operands of `bits` bits, from the first table that has them; `None` if none has.
    pub fn gf2x(&self, bits: usize) -> Option<f64> {
        let of = |table: &Table| {
            let line = table.lines.iter().find(|line| line.bits == bits)?;
            table.figure(line, "gf2x")
        };
        self.tables.iter().find_map(of)
    }

    /// The lines of all tables, but not those of instruction counts.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.tables.iter().flat_map(|table| &table.lines)
    }
}

impl Table {
    /// The figure of a line in a column; `None` if there is none, or it cannot be read.
    pub fn figure(&self, line: &Line, column: &str) -> Option<f64> {
        let at = self.columns.iter().position(|name| *name == column)?;
        line.figures[at].parse().ok()
    }

    /// The least figure of a line, not counting gf2x's. `None` if one cannot be read, because it might be the least.
    pub fn best(&self, line: &Line) -> Option<f64> {
        if line.figures.contains(&"?") {
            return None;
        }
        let own = self.columns.iter().filter(|column| **column != "gf2x");
        own.filter_map(|column| self.figure(line, column)).min_by(f64::total_cmp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn no_line_is_missing() {
        let lines: Vec<(&str, usize)> =
            Paper::read().tables.iter().map(|table| (table.name, table.lines.len())).collect();
        let want = [
            ("table 4", 8),
            ("table 5", 13),
            ("table 6", 19),
            ("table 8", 10),
            ("table 9", 18),
            ("table 10", 6),
            ("table 14", 8),
        ];
        assert_eq!(lines, want);
        let counts = Paper::read().instructions;
        assert_eq!(
            counts.iter().map(|table| (table.columns.len(), table.lines.len())).collect::<Vec<_>>(),
            [(5, 8), (6, 8)]
        );
    }

    /// Tables 4 and 14 repeat each other's columns of gf2x and of the AVX2 code, in cycles and in
    /// instructions. From line to line every column grows as three products of half the size do. No code
    /// retires more than five instructions a cycle.
    #[test]
    fn tables_4_and_14_agree() {
        let paper = Paper::read();
        let table = |name| paper.tables.iter().find(|table| table.name == name).expect("it is there");
        let (four, fourteen) = (table("table 4"), table("table 14"));
        for (a, b) in four.lines.iter().zip(&fourteen.lines) {
            for column in ["gf2x", "avx2"] {
                assert_eq!(four.figure(a, column), fourteen.figure(b, column), "{a:?}");
                let counts = |table, line| paper.instructions(table, line, column);
                assert!(counts(four, a).is_some() && counts(four, a) == counts(fourteen, b), "{a:?}");
            }
        }
        for table in [four, fourteen] {
            for column in &table.columns {
                for line in &table.lines {
                    let (cycles, count) =
                        (table.figure(line, column), paper.instructions(table, line, column));
                    let each = count.expect("counted") / cycles.expect("timed");
                    assert!((1.2..5.0).contains(&each), "{column} {line:?}: {each}");
                }
                for lines in table.lines.windows(2) {
                    let growth =
                        |figure: &dyn Fn(&Line) -> Option<f64>| Some(figure(&lines[1])? / figure(&lines[0])?);
                    let cycles = growth(&|line| table.figure(line, column));
                    let counts = growth(&|line| paper.instructions(table, line, column));
                    for growth in [cycles, counts] {
                        assert!(
                            (2.7..3.5).contains(&growth.expect("there")),
                            "{column} {lines:?}: {growth:?}"
                        );
                    }
                }
            }
        }
    }

    /// Only `-`, `?` and numbers, and no more holes than are known.
    #[test]
    fn figures_are_numbers() {
        let paper = Paper::read();
        let figures = || paper.lines().flat_map(|line| &line.figures);
        let count = |what| figures().filter(|figure| **figure == what).count();
        assert_eq!((count("?"), count("-")), (6, 13));
        assert!(figures().all(|figure| ["-", "?"].contains(figure) || figure.parse::<u32>().is_ok()));
    }

    /// Tables with AVX-512 repeat each other's figures cycle by cycle, which a wrong digit would not.
    #[test]
    fn tables_agree() {
        let paper = Paper::read();
        let mut known = BTreeMap::new();
        let mut repeated = 0;
        for table in &paper.tables {
            for line in &table.lines {
                if let Some(figure) = table.figure(line, "avx512") {
                    let before = known.insert((line.bits, line.construction), figure);
                    // A construction has one figure, which several tables may print.
                    assert!(before.is_none_or(|before| before == figure), "{line:?}");
                    repeated += usize::from(before.is_some());
                }
            }
        }
        assert_eq!(repeated, 17);
    }

    /// Cycles grow as in Karatsuba's method, and AVX-512 takes two thirds of the cycles of AVX2.
    #[test]
    fn figures_are_plausible() {
        for table in &Paper::read().tables {
            for line in &table.lines {
                // 1.585 is log2 3, the exponent of Karatsuba's method.
                let per_bit = |figure: f64| figure / (line.bits as f64).powf(1.585);
                let best = table.best(line).map(per_bit);
                assert!(best.is_none_or(|best| (0.0021..0.0050).contains(&best)), "{best:?} {line:?}");
                if let (Some(avx2), Some(avx512)) = (table.figure(line, "avx2"), table.figure(line, "avx512"))
                {
                    assert!((0.6..0.72).contains(&(avx512 / avx2)), "{line:?}");
                }
            }
        }
    }
}
