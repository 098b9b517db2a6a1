//! The table. `cargo xtask asm --table` prints it as it would have to be for the code at hand; a count that changed is a
//! change of the code or of the compiler, to be understood before it is written down.
use super::rules::{Exactly, Rule};
use super::{AARCH64, X86_64};

/// The compiler that the counts are of; another one is held to "no calls" only.
pub(crate) const COMPILER: &str = "rustc 1.95.";

/// One line a kernel.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        target: X86_64,
        name: &["::call_ifma ", "horner::Horner>"],
        exactly: &[Exactly {
            mnemonics: "vpmadd52luq|vpmadd52huq",
            whole: 459,
            loops: &[19, 19, 19, 19, 37, 55, 73],
        }],
        stack: 411,
        copies: 4,
        panics: 5,
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
        stack: 695,
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
        stack: 664,
        copies: 4,
        panics: 5,
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
        stack: 651,
        copies: 4,
        panics: 5,
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
    Rule {
        target: AARCH64,
        name: &["::Neon ", "batch::Batch>"],
        exactly: &[Exactly { mnemonics: "umull|umull2|umlal|umlal2", whole: 40, loops: &[40] }],
        stack: 44,
        copies: 0,
        panics: 5,
    },
    Rule {
        target: AARCH64,
        name: &["::Neon ", "horner::Horner>"],
        exactly: &[
            Exactly {
                mnemonics: "umull|umull2|umlal|umlal2",
                whole: 550,
                loops: &[25, 25, 25, 25, 50, 75, 100],
            },
            Exactly { mnemonics: "mul", whole: 72, loops: &[] },
        ],
        stack: 148,
        copies: 0,
        panics: 4,
    },
    Rule {
        target: AARCH64,
        name: &["::Neon ", "window::Window>"],
        exactly: &[
            Exactly { mnemonics: "umull|umull2|umlal|umlal2", whole: 91, loops: &[10, 15, 25] },
            Exactly { mnemonics: "mul", whole: 4, loops: &[] },
        ],
        stack: 6,
        copies: 0,
        panics: 2,
    },
    Rule {
        target: AARCH64,
        name: &["::Neon ", "window::Prepare>"],
        exactly: &[
            Exactly { mnemonics: "umull|umull2|umlal|umlal2", whole: 55, loops: &[34] },
            Exactly { mnemonics: "mul", whole: 30, loops: &[10] },
        ],
        stack: 41,
        copies: 0,
        panics: 0,
    },
];
