//! The claims of a paper, and whether they hold on this CPU.
use crate::report::Row;
use crate::table::Table;

/// A part of a computation may seem to take longer than the whole by this much, relative to the whole:
/// repeated runs differ by as much.
// The same subject differs by up to 1.7 % between two runs (crates/bench/PEERS.md).
const AGREEMENT: f64 = 0.03;

/// A claim of a paper, worded so that a figure can decide it.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The claim in words, the first column of the table.
    pub what: String,
    /// The paper's figure, in its own words; empty if it gives none.
    pub paper: String,
    /// The same figure on this CPU; `None` if it was not measured, or cannot be here.
    pub here: Option<String>,
    /// The test that decides the claim here. It is empty if there is no claim, but a figure to compare.
    pub test: &'static str,
    /// The result of the test on this CPU.
    pub verdict: Verdict,
}

impl Claim {
    /// A figure that is there to be compared with the paper's.
    pub(crate) fn figure(what: impl Into<String>, paper: &str, here: Option<String>) -> Claim {
        let verdict = if here.is_some() { Verdict::Figure } else { Verdict::NotMeasured };
        Claim { what: what.into(), paper: paper.into(), here, test: "", verdict }
    }
}

/// Whether a claim holds on this CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The figures pass the test.
    Holds,
    /// The figures do not pass the test.
    Fails,
    /// The figures cannot decide the claim, for the reason given.
    Undecided(String),
    /// There is no test: the figure is there to be compared with the paper's.
    Figure,
    /// The figures that the test needs were not measured, or cannot be on this CPU.
    NotMeasured,
}

impl Verdict {
    /// The verdict of a test. `holds` is its answer, `None` if nothing was measured; a doubt,
    /// in words, makes it undecided.
    pub fn of(holds: Option<bool>, doubt: Option<String>) -> Verdict {
        match (holds, doubt) {
            // Doubts come first: a disturbed figure can pass a test, or fail it, by chance.
            (_, Some(text)) => Verdict::Undecided(text),
            (None, None) => Verdict::NotMeasured,
            (Some(true), None) => Verdict::Holds,
            (Some(false), None) => Verdict::Fails,
        }
    }

    /// The text of the last column of the table of claims.
    pub fn text(&self) -> String {
        match self {
            Verdict::Holds => "yes".into(),
            Verdict::Fails => "no".into(),
            Verdict::Undecided(reason) => format!("undecided: {reason}"),
            Verdict::Figure => String::new(),
            Verdict::NotMeasured => "not measured".into(),
        }
    }
}

/// Doubts about the figures that a claim rests on. They are counted while the figures are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Doubts {
    figures: usize,
    disturbed: usize,
    inconsistent: usize,
}

impl Doubts {
    /// Counts a figure, and a doubt if it was disturbed.
    pub fn add(&mut self, row: &Row) {
        // Counted for the text of a doubt, which says how many of all figures it concerns.
        self.figures += 1;
        self.disturbed += usize::from(row.disturbed);
    }

    /// Counts a figure whose work is part of that of `whole`, and a doubt if it took longer by more than the tolerance.
    pub fn add_part(&mut self, part: &Row, whole: Option<&Row>) {
        self.add(part);
        let longer = whole.is_some_and(|whole| part.figure() > (1.0 + AGREEMENT) * whole.figure());
        self.inconsistent += usize::from(longer);
    }

    /// The doubts in words, for [`Verdict::of`]; `None` if there are none.
    pub fn text(&self) -> Option<String> {
        let all = self.figures;
        let part = |count: usize, word: &str| (count > 0).then(|| format!("{count} of {all} figures {word}"));
        let parts = [
            part(self.disturbed, "disturbed"),
            part(
                self.inconsistent,
                "inconsistent: with powers ready it took longer than with powers on the fly",
            ),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// The least and the greatest of some figures; `None` if there are none.
pub(crate) fn bounds(figures: impl IntoIterator<Item = f64>) -> Option<[f64; 2]> {
    figures.into_iter().fold(None, |bounds, figure| {
        let [least, most] = bounds.unwrap_or([figure; 2]);
        Some([least.min(figure), most.max(figure)])
    })
}

/// The least and the greatest saving, in per cent of the second row's cycles, of the first row of each pair.
pub(crate) fn savings(pairs: &[[&Row; 2]]) -> Option<[f64; 2]> {
    bounds(pairs.iter().map(|[new, old]| 100.0 * (1.0 - new.cycles() / old.cycles())))
}

/// Two bounds in words: one of them if they are the same text.
pub(crate) fn span([least, most]: [String; 2]) -> String {
    if least == most { least } else { format!("{least} to {most}") }
}

/// The table of the claims.
pub(crate) fn table(claims: &[Claim]) -> Table {
    let columns = ["claim", "paper", "here", "test", "holds here"];
    let mut table = Table::new("What the paper claims", "l", columns);
    for Claim { what, paper, here, test, verdict } in claims {
        let here = here.as_deref().unwrap_or_default();
        table.row([what, paper.as_str(), here, test], [verdict.text()]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::report;

    #[test]
    fn a_claim_that_was_not_measured_does_not_hold() {
        let claim = |here: Option<&str>, verdict| Claim {
            what: "it is faster".into(),
            paper: "23 %".into(),
            here: here.map(String::from),
            test: "above 0 %",
            verdict,
        };
        let all = [
            claim(Some("12 %"), Verdict::Holds),
            claim(Some("-1 %"), Verdict::Fails),
            claim(None, Verdict::NotMeasured),
        ];
        assert!(table(&all).markdown().ends_with(
            "| it is faster | 23 % | 12 % | above 0 % | yes |\n| it is faster | 23 % | -1 % | above 0 % | no |\n\
             | it is faster | 23 % |  | above 0 % | not measured |\n"
        ));
        assert_eq!(table(&[]).markdown(), "");
    }

    /// A case that a review found: 0.347 cycles per byte with prepared powers beside 0.236 for
    /// the whole call, neither disturbed.
    #[test]
    fn figures_in_doubt_decide_nothing() {
        let mut rows = report(&[("whole", 16, 0.236), ("part", 16, 0.347)]).rows;
        let verdict = |rows: &[Row], holds| {
            let mut doubts = Doubts::default();
            doubts.add(&rows[0]);
            doubts.add_part(&rows[1], Some(&rows[0]));
            Verdict::of(holds, doubts.text())
        };
        let inconsistent = verdict(&rows, Some(false)).text();
        assert!(inconsistent.starts_with("undecided: 1 of 2 figures inconsistent"), "{inconsistent}");
        rows[1].cycles_per_byte.min = 0.24;
        assert_eq!(verdict(&rows, Some(true)), Verdict::Holds);
        assert_eq!(verdict(&rows, Some(false)), Verdict::Fails);
        assert_eq!(verdict(&rows, None), Verdict::NotMeasured);
        rows[0].disturbed = true;
        assert_eq!(verdict(&rows, Some(true)), Verdict::Undecided("1 of 2 figures disturbed".into()));
    }
}
