//! The figures that paper 001 prints.
use crate::data::{lines, number};

/// Data file with the paper's tables, which explains its format at the top.
const TEXT: &str = include_str!("../../data/paper001.txt");

/// Whether the powers of the key are part of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Powers {
    /// A call computes the powers of the key on the fly.
    Fly,
    /// The powers of the key are computed before the timing.
    Ready,
}

impl Powers {
    /// Both settings, in the order of the tables.
    pub const ALL: [Powers; 2] = [Powers::Fly, Powers::Ready];

    /// The setting in the paper's words.
    pub fn name(self) -> &'static str {
        match self {
            Powers::Fly => "key powers computed on the fly",
            Powers::Ready => "key powers pre-computed",
        }
    }
}

/// A line of a table. Figures stay text, so that they are shown with the digits that the paper prints.
#[derive(Clone, Debug)]
pub struct Line {
    /// The hash function, as the paper writes it.
    pub function: &'static str,
    /// The instructions of the paper's code: `maax` for 64-bit words, or `avx2`.
    pub code: &'static str,
    /// `g = 4`, the blocks that share a reduction, or `t = 5`, for leaves of 2^t - 1 blocks.
    pub parameter: &'static str,
    /// The settings that it is for: one, or both if the paper has one figure because there is no power to compute.
    pub powers: &'static [Powers],
    /// Cycles per byte as printed, in the order of the table's numbers of blocks.
    pub figures: Vec<&'static str>,
}

impl Line {
    /// The cells that name it in tables: function, author, code and parameter.
    pub(super) fn names(&self) -> [&str; 4] {
        [self.function, "paper", self.code, self.parameter]
    }

    /// The figure at index `at` of the table's numbers of blocks, in cycles per byte.
    ///
    /// # Panics
    /// If the table has no such index.
    pub fn value(&self, at: usize) -> f64 {
        number(self.figures[at])
    }
}

/// A table of the paper, for some numbers of blocks.
#[derive(Clone, Debug)]
pub struct Table {
    /// The table in the paper's numbering: `table 5`.
    pub name: &'static str,
    /// Numbers of blocks of 16 bytes in a message, one for each column.
    pub blocks: Vec<usize>,
    /// The lines of all functions, in the paper's order.
    pub lines: Vec<Line>,
}

/// All figures of the paper.
#[derive(Clone, Debug)]
pub struct Paper {
    /// The CPU whose cycles these are, in the paper's words.
    pub cpu: &'static str,
    /// Tables 5 to 10, and the figures in the text of section 6.
    pub tables: Vec<Table>,
}

impl Paper {
    /// Reads the tables, which are part of the program.
    ///
    /// # Panics
    /// If the data file is malformed, which a build that passed its tests excludes.
    pub fn read() -> Paper {
        let mut paper = Paper { cpu: "", tables: vec![] };
        for fields in lines(TEXT) {
            match fields[..] {
                ["cpu", cpu] => paper.cpu = cpu,
                [name, "blocks", blocks] => {
                    let blocks = blocks.split(' ').map(number).collect();
                    paper.tables.push(Table { name, blocks, lines: vec![] });
                }
                [function, code, parameter, powers, figures] => {
                    let (powers, figures) = (powers_of(powers), figures.split(' ').collect::<Vec<_>>());
                    let table = paper.tables.last_mut().expect("a line stands in a table");
                    assert_eq!(figures.len(), table.blocks.len(), "{fields:?}");
                    table.lines.push(Line { function, code, parameter, powers, figures });
                }
                _ => panic!("{fields:?} is no line of a table"),
            }
        }
        paper
    }

    /// The numbers of blocks of all tables, ascending.
    pub fn blocks(&self) -> Vec<usize> {
        self.tables.iter().flat_map(|table| table.blocks.iter().copied()).collect()
    }

    /// The figure of a line for a number of blocks, from the table that has it; `None` if none has.
    pub fn figure(&self, function: &str, parameter: &str, powers: Powers, blocks: usize) -> Option<f64> {
        self.tables.iter().find_map(|table| {
            let at = table.blocks.iter().position(|&b| b == blocks)?;
            let line = table.lines.iter().find(|line| {
                (line.function, line.parameter) == (function, parameter)
                    && line.code == code_of(function)
                    && line.powers.contains(&powers)
            })?;
            Some(line.value(at))
        })
    }
}

/// The code that the paper recommends for a function: vectors, unless it has none.
fn code_of(function: &str) -> &'static str {
    if function == "BRWHash1305" { "maax" } else { "avx2" }
}

fn powers_of(name: &str) -> &'static [Powers] {
    match name {
        "fly" => &[Powers::Fly],
        "ready" => &[Powers::Ready],
        "both" => &Powers::ALL,
        _ => panic!("'{name}' is no state of the powers"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paper() -> Paper {
        Paper::read()
    }

    #[test]
    fn no_cell_is_missing() {
        let paper = paper();
        let all: Vec<usize> =
            (1..=32).chain((50..=500).step_by(50)).chain((1000..=5000).step_by(500)).collect();
        assert_eq!(paper.blocks(), [&all[..], &[32768]].concat());
        let lines: Vec<(&str, usize)> = paper.tables.iter().map(|t| (t.name, t.lines.len())).collect();
        // 5 + 4 settings of polyHash, 4 + 4 of the others; two figures each but for g = 1 in words.
        let full = 2 * 17 - 1;
        let want =
            [("table 5", full), ("table 6", full), ("table 7", full), ("table 8", full), ("table 9", full)];
        assert_eq!(lines[..5], want);
        assert_eq!(lines[5..], [("table 10", 4), ("section 6", 4)]);
        assert!(paper.cpu.contains("i7-1185G7"));
    }

    /// Short messages take whole numbers of cycles, which a wrong digit would not.
    #[test]
    fn short_messages_take_whole_cycles() {
        for table in &paper().tables[..1] {
            for line in &table.lines {
                for (at, &blocks) in table.blocks.iter().enumerate().filter(|(_, blocks)| **blocks <= 6) {
                    let figure = line.value(at);
                    let bytes = 16.0 * blocks as f64;
                    let nearest = (figure * bytes).round() / bytes;
                    // Half a unit of the second digit, and a margin for fractions that binary cannot
                    // represent.
                    assert!((nearest - figure).abs() <= 0.005 + 1e-9, "{line:?}: {figure} at {blocks}");
                }
            }
        }
    }

    #[test]
    fn powers_on_the_fly_never_take_less() {
        let paper = paper();
        for table in &paper.tables {
            for [ready, fly] in
                table.lines.iter().filter(|line| line.powers.len() == 1).collect::<Vec<_>>().as_chunks().0
            {
                // The data file has the line with powers ready first, then the line on the fly.
                assert_eq!((ready.powers, fly.powers), (&[Powers::Ready][..], &[Powers::Fly][..]));
                assert_eq!(
                    (ready.function, ready.code, ready.parameter),
                    (fly.function, fly.code, fly.parameter)
                );
                assert!((0..table.blocks.len()).all(|at| ready.value(at) <= fly.value(at)), "{fly:?}");
            }
        }
    }

    /// Per cent of polyHash's time with g = 4 that 4-decBRWHash with t = 5 saves.
    fn gain(paper: &Paper, powers: Powers, blocks: usize) -> f64 {
        let figure =
            |function, parameter| paper.figure(function, parameter, powers, blocks).expect("in the tables");
        100.0 * (1.0 - figure("4-decBRWHash1305", "t = 5") / figure("polyHash1305", "g = 4"))
    }

    /// The tables agree with section 6: from how many blocks on 4-decBRWHash is faster, and by about how many per cent.
    #[test]
    fn the_tables_say_what_the_text_says() {
        use Powers::{Fly, Ready};
        let paper = paper();
        // From the longest message down: an exception among short messages does not count.
        let faster =
            |powers| paper.blocks().into_iter().rev().take_while(|&b| gain(&paper, powers, b) >= 0.0).last();
        assert_eq!((faster(Fly), faster(Ready)), (Some(16), Some(150)));
        let says = |powers, blocks: std::ops::RangeInclusive<usize>, least: f64, most: f64| {
            for b in paper.blocks().into_iter().filter(|b| blocks.contains(b)) {
                let gain = gain(&paper, powers, b);
                assert!((least - 1.5..most + 1.5).contains(&gain), "{gain} at {b} blocks, {powers:?}");
            }
        };
        // It says this of 50 to 500 blocks; but at 100 and 150, Table 9 has 6 and 5 %, and for all g and t
        // alike.
        says(Fly, 50..=50, 10.0, 17.0);
        says(Fly, 200..=500, 10.0, 17.0);
        says(Ready, 200..=500, 4.0, 16.0);
        says(Fly, 1000..=5000, 18.0, 20.0);
        says(Ready, 1000..=5000, 18.0, 21.0);
        says(Fly, 32768..=32768, 23.0, 23.0);
        says(Ready, 32768..=32768, 23.0, 23.0);
    }
}
