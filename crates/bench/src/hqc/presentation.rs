//! Titles and plots for the KEM, and the table of the parts of its operations.
use super::case::{Operation, Set};
use super::plans;
use crate::algebra::{Figures, Measured, OURS, Operation as _, Paper, Statement};
use crate::report::digits;
use crate::table::Table;

use Operation::{
    Compare, Decaps, DecapsExpanded, DecapsHashes, Decode, Encaps, EncapsExpanded, EncapsHashes, Encode,
    ErrorSupport, KeySupport, Keygen, KeygenHashes, Prepare, Product, ReedMuller,
};

impl Paper for Set {
    const TITLE: &'static str = "HQC in profile NR";
    const NOTES: &'static str =
        "Keys are made of a seed; encapsulation and decapsulation take keys of bytes, or expanded ones.";
    const STATEMENTS: &'static [Statement<Set>] = &[];
    const SOURCE: &'static str = "HQC";
    const AXIS: &'static str = "degree of the ring";
    const PLOTS: &'static [(&'static str, &'static [Operation])] = &[
        ("key generation", &[Keygen]),
        ("encapsulation", &[Encaps, EncapsExpanded]),
        ("decapsulation", &[Decaps, DecapsExpanded]),
    ];

    fn line(&self, _: &str, _: Operation) -> Option<&'static str> {
        Some("")
    }

    fn sections(measured: &Measured<Set>) -> Vec<Table> {
        let parts = measured.all.iter().map(parts);
        [expanded(measured)].into_iter().chain(parts).chain(plans::tables(measured)).collect()
    }
}

/// The table of cycles with expanded keys, over cycles with keys in bytes.
fn expanded(measured: &Measured<Set>) -> Table {
    let caption = "Expanded keys, of the time with keys of bytes";
    let mut table = Table::new(caption, "lr", ["set", "encaps", "decaps"]);
    for of in &measured.all {
        let ratios = [(EncapsExpanded, Encaps), (DecapsExpanded, Decaps)];
        table.row([of.structure.name], ratios.map(|(above, below)| of.ratio(above, below).map(digits)));
    }
    table
}

/// An operation of the KEM, its parts, and how many times it computes each.
struct Whole {
    operation: Operation,
    parts: &'static [(Operation, f64)],
}

// Key generation samples x and y, encryption r1, r2 and e. Decapsulation encrypts again, to compare.
const WHOLES: [Whole; 3] = [
    Whole {
        operation: Keygen,
        parts: &[(KeygenHashes, 1.0), (KeySupport, 2.0), (Prepare, 1.0), (Product, 1.0)],
    },
    Whole {
        operation: Encaps,
        parts: &[(EncapsHashes, 1.0), (ErrorSupport, 3.0), (Prepare, 1.0), (Product, 2.0), (Encode, 1.0)],
    },
    Whole {
        operation: Decaps,
        parts: &[
            (DecapsHashes, 1.0),
            (KeySupport, 1.0),
            (ErrorSupport, 3.0),
            (Prepare, 2.0),
            (Product, 3.0),
            (Encode, 1.0),
            (Decode, 1.0),
            (Compare, 1.0),
        ],
    },
];

/// Rows of the table of parts. Each row is the sum of the parts that it names.
const ROWS: [(&str, &[Operation]); 6] = [
    ("hashes", &[KeygenHashes, EncapsHashes, DecapsHashes]),
    ("products", &[Prepare, Product]),
    ("ring elements of positions", &[KeySupport, ErrorSupport]),
    ("encoding", &[Encode]),
    ("decoding", &[Decode]),
    ("comparison", &[Compare]),
];

impl Whole {
    /// Cycles of those parts of the operation that are in `among`, each times its count; `None`
    /// if one was not measured.
    fn cycles(&self, of: &Figures<Set>, among: &[Operation]) -> Option<f64> {
        let parts = self.parts.iter().filter(|(part, _)| among.contains(part));
        parts.map(|(part, times)| Some(times * of.cycles(OURS, *part)?)).sum()
    }
}

/// The table of the operations of a set in parts, which are measured one by one. The rest of an operation
/// cannot be called by itself.
fn parts(of: &Figures<Set>) -> Table {
    let columns = ["part"].into_iter().chain(WHOLES.iter().map(|whole| whole.operation.name()));
    let mut table = Table::new(format!("Parts of {}", of.structure.name), "lr", columns).with_note(
        "Cycles, and per cent of the operation. The rest is what cannot be called by itself: samplers, copies, wiping.",
    );
    let mut row = |name: &str, cycles: &dyn Fn(&Whole, f64) -> Option<f64>| {
        let cell = |whole: &Whole| {
            // Parts are shown for our best backend alone, on which all of them are measured.
            let total = of.cycles(OURS, whole.operation)?;
            // A sum over no parts is 0: the operation has nothing of this row.
            let part = cycles(whole, total).filter(|part| *part != 0.0)?;
            Some(format!("{} ({:.0} %)", digits(part), 100.0 * part / total))
        };
        table.row([name], WHOLES.each_ref().map(cell));
    };
    ROWS.iter().for_each(|(name, among)| row(name, &|whole, _| whole.cycles(of, among)));
    let all: Vec<Operation> = ROWS.iter().flat_map(|(_, among)| among.iter().copied()).collect();
    // The row is not in `ROWS`, because its cycles are already in those of the decoding.
    row("of the decoding, Reed-Muller", &|whole, _| {
        of.cycles(OURS, ReedMuller).filter(|_| whole.operation == Decaps)
    });
    row("rest", &|whole, total| Some(total - whole.cycles(of, &all)?));
    table
}
