//! The paper's claims on its AVX-512 code and on Toom3, with the same figures here.
use super::Measured;
use super::figures::{Line, Paper};
use super::ratios::toom_to_karat;
use crate::claim::{Claim, Doubts, Verdict, savings, span};
use crate::report::Row;

/// Statements of the text: table, construction, and the percentage of cycles that it says AVX-512 saves.
const WIDE: [(&str, &str, &str); 4] = [
    ("table 4", "KaratRec", "29.5 to 39.1 %"),
    ("table 8", "Toom3(KaratRec)", "33.5 to 36.7 %"),
    ("table 8", "Toom3(Karat3)", "30.4 to 33.3 %"),
    ("table 8", "Toom3(Karat5)", "32.4 to 33.9 %, from 31.8 by its table"),
];

/// The lines of a construction in a table.
fn lines<'a>(paper: &'a Paper, table: &str, construction: &str) -> Vec<&'a Line> {
    let tables = paper.tables.iter().filter(|of| of.name == table);
    tables.flat_map(|table| &table.lines).filter(|line| line.construction == construction).collect()
}

/// The claims on AVX-512, on Toom3, and on the fastest kernel.
pub(super) fn claims(paper: &Paper, measured: &Measured) -> Vec<Claim> {
    let wide = WIDE.map(|(table, construction, says)| {
        let pairs =
            lines(paper, table, construction).into_iter().filter_map(|line| measured.wide_and_avx2(line));
        let what = format!("wide vectors save cycles over AVX2 with PCLMULQDQ: {construction}");
        claim(what, says, pairs.collect())
    });
    // Index 0 is AVX2 with PCLMULQDQ wherever the CPU has it, as in the paper's text.
    let toom = toom_to_karat(paper).filter_map(|(_, pair)| measured.toom_and_karat(pair, 0)).collect();
    let what = String::from("Toom3 saves cycles over Karatsuba's method of nearly the same size, AVX2");
    let says = "8 to 11.7 %, from 3.9 by its table";
    let fewest = quickest_512(measured);
    wide.into_iter().chain([claim(what, says, toom), fewest]).collect()
}

/// The claim that the first row of every pair takes fewer cycles than the second.
fn claim(what: String, paper: &str, pairs: Vec<[&Row; 2]>) -> Claim {
    let mut doubts = Doubts::default();
    pairs.iter().flatten().for_each(|row| doubts.add(row));
    let saved = savings(&pairs);
    Claim {
        what,
        paper: paper.into(),
        here: saved.map(|saved| span(saved.map(|saved| format!("{saved:.1}"))) + " %"),
        test: "it saves cycles at every size measured",
        verdict: Verdict::of(saved.map(|[least, _]| least > 0.0), doubts.text()),
    }
}

/// The claim of section 2.2.8 that karat_mult_1_512_SB is the fastest kernel of 512 bits at every size.
fn quickest_512(measured: &Measured) -> Claim {
    let (mut wins, mut sizes, mut doubts) = (0, 0, Doubts::default());
    // Kernels of 512 bits are measured on the best backend, as `kernels::backend` has it.
    let cpu = measured.backends.last().map_or("", |cpu| cpu.name());
    // These are the sizes of Table 14, 1024 to 131,072 bits.
    for bits in (10..=17).map(|lg| 1 << lg) {
        let rows = ["KaratMult1Sb512", "Mul512", "KaratMult1At512"]
            .map(|kernel| measured.row(bits, &format!("carryless/{cpu}/KaratRec({kernel})")));
        if let [Some(ours), Some(a), Some(b)] = rows {
            [ours, a, b].into_iter().for_each(|row| doubts.add(row));
            sizes += 1;
            wins += usize::from(ours.figure() < a.figure() && ours.figure() < b.figure());
        }
    }
    Claim {
        what: format!(
            "karat_mult_1_512_SB, 48 products, is the fastest kernel of 512 bits under KaratRec ({cpu})"
        ),
        paper: "at all 8 sizes".into(),
        here: (sizes > 0).then(|| format!("at {wins} of {sizes} sizes")),
        test: "it is the fastest at every size measured",
        verdict: Verdict::of((sizes > 0).then_some(wins == sizes), doubts.text()),
    }
}
