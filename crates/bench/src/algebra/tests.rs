use super::*;
use crate::subject::OneByOne;

/// Measures for a moment. The tables must have these parts, and every form must have all rows.
pub(crate) fn assert_shown<S: Paper>(candidates: Vec<Candidate<S>>, parts: &[&str]) {
    let mut measured = measure(candidates, 0.05).expect("it is right");
    // A busy machine marks figures with a tilde; the tables are tested here, not the machine.
    measured.all.iter_mut().flat_map(|of| &mut of.rows).for_each(|(_, row)| row.disturbed = false);
    let forms = in_forms(&measured);
    let text = forms.text();
    assert_eq!(text.contains("### What the paper claims\n"), !S::STATEMENTS.is_empty(), "{text}");
    for part in parts.iter().chain(&["### carryless\n"]) {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("NaN"), "{text}");
    let rows = measured.rows().count();
    assert!(rows >= measured.all.len());
    assert_eq!(forms.jsonl.lines().count(), rows);
    // The first line has the names of the columns.
    assert_eq!(forms.csv.lines().count(), rows + 1);
    assert!(forms.svg().contains(S::AXIS));
}

/// Integers modulo 2^m, of which only the first byte counts: the structure of the tests.
struct Ring(usize);

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Copy,
    Twice,
}

impl Operation for Step {
    const NAMES: &'static [(Step, &'static str)] = &[(Step::Copy, "copy"), (Step::Twice, "twice")];
    const PAIRS: &'static [(Step, Step)] = &[(Step::Copy, Step::Copy), (Step::Twice, Step::Copy)];

    fn count(self) -> usize {
        if self == Step::Copy { 1 } else { 2 }
    }
}

impl Structure for Ring {
    type Operation = Step;
    const KIND: &'static str = "ring";

    fn name(&self) -> &str {
        if self.0 == 8 { "eight" } else { "many" }
    }

    fn degree(&self) -> usize {
        self.0
    }

    fn message(&self) -> usize {
        16
    }

    fn expected(&self, _: Step, input: &Input) -> Tag {
        [input.message(0)[0]; 16]
    }
}

impl Paper for Ring {
    const TITLE: &'static str = "Rings";
    const NOTES: &'static str = "No latency.";
    const STATEMENTS: &'static [Statement<Ring>] =
        &[Statement::Ratio("a half", "0.5", Step::Twice, Step::Copy)];
    const PLOTS: &'static [(&'static str, &'static [Step])] = &[("copies", &[Step::Copy]), ("none", &[])];

    fn line(&self, library: &str, _: Step) -> Option<&'static str> {
        match (self.0 == 8, library == OURS) {
            (true, _) => Some(""),
            (false, true) => Some(", long"),
            (false, false) => None,
        }
    }
}

fn ring(m: usize) -> Candidate<Ring> {
    // Both operations copy a byte, so that the reference of the ring needs no arithmetic.
    let copy = || OneByOne(|_: &_, message: &[u8], tag: &mut Tag| *tag = [message[0]; 16]);
    let of = |library, operation| subject(library, operation, "any", copy());
    let subjects = [of(OURS, Step::Copy), of(OURS, Step::Twice), of("peer/fast", Step::Copy)];
    Candidate { structure: Ring(m), subjects: subjects.into() }
}

#[test]
fn figures_are_for_a_result_and_ratios_of_pairs() {
    let all = vec![ring(8), ring(9)];
    assert_shown(
        all,
        &[
            "Rings: ",
            "\nNo latency.\n",
            "### peer/fast\n\n| ring | copy |\n|---|---:|\n| eight | ",
            "### Cycles of peer/fast over those of carryless\n\n| ring | copy | twice |\n|---|---:|---:|\n| eight | ",
            "| a half | 0.5 | 0.",
        ],
    );
}

#[test]
fn results_of_a_call_divide_its_cycles() {
    let measured = measure(vec![ring(8)], 0.05).expect("it is right");
    let of = &measured.all[0];
    let row = of.row(OURS, Step::Twice).expect("it was measured");
    assert_eq!(of.cycles(OURS, Step::Twice), Some(row.figure() * 16.0 / 2.0));
    assert_eq!(measured.libraries(), [OURS, "peer/fast"]);
    let (ours, peer) = (of.cycles(OURS, Step::Copy), of.cycles("peer/fast", Step::Copy));
    let saved = of.saved(Step::Copy).expect("both were measured");
    assert!((saved - 100.0 * (1.0 - ours.expect("measured") / peer.expect("measured"))).abs() < 1e-9);
    assert_eq!(of.saved(Step::Twice), None);
}

#[test]
fn kinds_have_lines_of_their_own() {
    let measured = measure(vec![ring(8), ring(9), ring(10)], 0.05).expect("it is right");
    let plot = crate::report::sheet(&plots::plots(&measured));
    // Ours has one line for degree 8 and one for the others. `line` refuses the peer's points beyond degree
    // 8.
    assert_eq!(plot.matches("<polyline").count(), 3, "{plot}");
    for (name, degrees) in [("copy", &[8][..]), ("copy, long", &[9, 10]), ("peer/fast/copy", &[8])] {
        for degree in 8..11 {
            let point = format!("<title>{name}, degree of the field {degree}: ");
            assert_eq!(plot.contains(&point), degrees.contains(&degree), "{point}");
        }
    }
    assert!(!plot.contains("Paper 004, none"), "{plot}");
}

#[test]
fn what_is_asked_for_is_chosen() {
    let chosen = |wanted: &[usize]| {
        let mut all = vec![ring(8), ring(9), ring(9)];
        choose(&mut all, wanted, |ring| ring.0)
            .map(|()| all.iter().map(|of| of.structure.0).collect::<Vec<_>>())
    };
    assert_eq!(chosen(&[]).expect("all"), [8, 9, 9]);
    assert_eq!(chosen(&[9]).expect("it is there"), [9, 9]);
    assert_eq!(chosen(&[8, 7]).expect_err("it is not there").to_string(), "no ring 7 in this build");
}

#[test]
fn a_wrong_result_is_not_timed() {
    let mut all = vec![ring(8), ring(9)];
    let wrong = OneByOne(|_: &_, message: &[u8], tag: &mut Tag| *tag = [message[1]; 16]);
    all[1].subjects.push(subject(OURS, Step::Twice, "any", wrong));
    let error = measure(all, 0.01).err().expect("it is noticed");
    assert_eq!(
        format!("{error:#}"),
        "nothing was timed: many: carryless/twice is not what the reference has"
    );
}

#[test]
fn a_wrong_peer_is_left_out() {
    let mut all = vec![ring(8), ring(9)];
    let wrong = || OneByOne(|_: &_, message: &[u8], tag: &mut Tag| *tag = [message[1]; 16]);
    all[1].subjects.push(subject("liar", Step::Twice, "any", wrong()));
    let measured = measure(all, 0.01).expect("ours are right");
    assert_eq!(measured.libraries(), [OURS, "peer/fast"]);
    let text = in_forms(&measured).text();
    assert!(text.contains("\n\nleft out: many: liar/twice is not what the reference has\n"), "{text}");
}
