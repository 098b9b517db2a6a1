//! The table. `cargo xtask asm --table` prints it as it would have to be for the code at hand; a count that changed is a
//! change of the code or of the compiler, to be understood before it is written down.
use super::X86_64;
use super::rules::{Exactly, Rule};

/// The compiler that the counts are of; another one is held to "no calls" only.
pub(crate) const COMPILER: &str = "rustc 1.95.";

/// One line a kernel.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        target: X86_64,
        name: &["::Avx2>", "packed::Packed>"],
        exactly: &[Exactly {
            mnemonics: "vpmuludq",
            whole: 517,
            loops: &[5, 5, 5, 25, 25, 26, 26, 51, 51, 57, 76],
        }],
        stack: 1059,
        copies: 9,
        panics: 24,
    },
    Rule {
        target: X86_64,
        name: &["::Avx512>", "packed::Packed>"],
        exactly: &[Exactly {
            mnemonics: "vpmuludq",
            whole: 499,
            loops: &[5, 5, 5, 7, 25, 25, 26, 26, 51, 51],
        }],
        stack: 910,
        copies: 6,
        panics: 22,
    },
    Rule {
        target: X86_64,
        name: &["::Avx512Ifma>", "packed::Packed>"],
        exactly: &[
            Exactly { mnemonics: "vpmuludq", whole: 499, loops: &[5, 5, 5, 7, 25, 25, 26, 26, 51, 51] },
            Exactly { mnemonics: "vpmadd52luq|vpmadd52huq", whole: 3, loops: &[] },
        ],
        stack: 906,
        copies: 6,
        panics: 22,
    },
    Rule {
        target: X86_64,
        name: &["::Avx2 ", "batch::Batch>"],
        exactly: &[Exactly { mnemonics: "vpmuludq", whole: 40, loops: &[40] }],
        stack: 99,
        copies: 0,
        panics: 10,
    },
    Rule {
        target: X86_64,
        name: &["::Avx2 ", "horner::Horner>"],
        exactly: &[Exactly { mnemonics: "vpmuludq", whole: 550, loops: &[25, 25, 25, 25, 50, 75, 100] }],
        stack: 696,
        copies: 4,
        panics: 6,
    },
    Rule {
        target: X86_64,
        name: &["::Avx2 ", "window::Window>"],
        exactly: &[Exactly { mnemonics: "vpmuludq", whole: 107, loops: &[10, 15, 25] }],
        stack: 79,
        copies: 1,
        panics: 4,
    },
    Rule {
        target: X86_64,
        name: &["::Avx2 ", "window::Prepare>"],
        exactly: &[Exactly { mnemonics: "vpmuludq", whole: 58, loops: &[38] }],
        stack: 168,
        copies: 0,
        panics: 0,
    },
    Rule {
        target: X86_64,
        name: &["::Avx512 ", "batch::Batch>"],
        exactly: &[Exactly { mnemonics: "vpmuludq", whole: 40, loops: &[40] }],
        stack: 157,
        copies: 0,
        panics: 18,
    },
    Rule {
        target: X86_64,
        name: &["::Avx512 ", "horner::Horner>"],
        exactly: &[Exactly { mnemonics: "vpmuludq", whole: 640, loops: &[25, 25, 25, 25, 50, 75, 100] }],
        stack: 658,
        copies: 4,
        panics: 6,
    },
    Rule {
        target: X86_64,
        name: &["::Avx512 ", "window::Window>"],
        exactly: &[Exactly { mnemonics: "vpmuludq", whole: 107, loops: &[10, 15, 25] }],
        stack: 44,
        copies: 1,
        panics: 4,
    },
    Rule {
        target: X86_64,
        name: &["::Avx512 ", "window::Prepare>"],
        exactly: &[Exactly { mnemonics: "vpmuludq", whole: 58, loops: &[38] }],
        stack: 177,
        copies: 0,
        panics: 0,
    },
    Rule {
        target: X86_64,
        name: &["::Avx512Ifma ", "batch::Batch>"],
        exactly: &[Exactly { mnemonics: "vpmuludq", whole: 40, loops: &[40] }],
        stack: 157,
        copies: 0,
        panics: 18,
    },
    Rule {
        target: X86_64,
        name: &["::Avx512Ifma ", "horner::Horner>"],
        exactly: &[
            Exactly { mnemonics: "vpmuludq", whole: 640, loops: &[25, 25, 25, 25, 50, 75, 100] },
            Exactly { mnemonics: "vpmadd52luq|vpmadd52huq", whole: 12, loops: &[1, 1, 1, 1, 1, 1, 1] },
        ],
        stack: 652,
        copies: 4,
        panics: 6,
    },
    Rule {
        target: X86_64,
        name: &["::Avx512Ifma ", "window::Window>"],
        exactly: &[
            Exactly { mnemonics: "vpmuludq", whole: 107, loops: &[10, 15, 25] },
            Exactly { mnemonics: "vpmadd52luq|vpmadd52huq", whole: 2, loops: &[1] },
        ],
        stack: 44,
        copies: 1,
        panics: 4,
    },
    Rule {
        target: X86_64,
        name: &["::Avx512Ifma ", "window::Prepare>"],
        exactly: &[
            Exactly { mnemonics: "vpmuludq", whole: 58, loops: &[38] },
            Exactly { mnemonics: "vpmadd52luq|vpmadd52huq", whole: 7, loops: &[4] },
        ],
        stack: 181,
        copies: 0,
        panics: 0,
    },
];
