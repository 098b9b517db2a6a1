//! The table for AArch64, as in `table`.
use super::AARCH64;
use super::rules::{Exactly, Rule};

/// One line a kernel.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        target: AARCH64,
        name: &["::Neon ", "horner::Horner<", "::field1271::"],
        exactly: &[
            Exactly {
                mnemonics: "umull|umull2|umlal|umlal2",
                whole: 925,
                loops: &[25, 25, 25, 25, 25, 50, 75, 100, 125, 125, 125, 125, 150, 200],
            },
            Exactly { mnemonics: "mul", whole: 8, loops: &[] },
        ],
        stack: 945,
        copies: 5,
        panics: 4,
    },
    Rule {
        target: AARCH64,
        name: &["::Neon ", "horner::Horner<", "::field1305::"],
        exactly: &[
            Exactly {
                mnemonics: "umull|umull2|umlal|umlal2",
                whole: 625,
                loops: &[25, 25, 50, 50, 75, 100, 200],
            },
            Exactly { mnemonics: "mul", whole: 55, loops: &[4, 8] },
        ],
        stack: 453,
        copies: 1,
        panics: 4,
    },
    Rule {
        target: AARCH64,
        name: &["::Neon ", "dec::DecBrw<", "::field1271::"],
        exactly: &[
            Exactly { mnemonics: "umull|umull2|umlal|umlal2", whole: 725, loops: &[25, 25, 25, 75] },
            Exactly { mnemonics: "mul", whole: 35, loops: &[1, 3, 6, 7] },
        ],
        stack: 738,
        copies: 5,
        panics: 69,
    },
    Rule {
        target: AARCH64,
        name: &["::Neon ", "dec::DecBrw<", "::field1305::"],
        exactly: &[
            Exactly { mnemonics: "umull|umull2|umlal|umlal2", whole: 725, loops: &[25, 25, 25, 75] },
            Exactly { mnemonics: "mul", whole: 160, loops: &[1, 4, 6, 12, 19, 20] },
        ],
        stack: 670,
        copies: 6,
        panics: 78,
    },
    Rule {
        target: AARCH64,
        name: &["::Neon ", "::HornerInFourLimbs>"],
        exactly: &[
            Exactly {
                mnemonics: "umull|umull2|umlal|umlal2",
                whole: 656,
                loops: &[16, 16, 16, 16, 16, 32, 48, 64, 128, 128, 128, 128, 128, 160],
            },
            Exactly { mnemonics: "mul", whole: 12, loops: &[] },
        ],
        stack: 812,
        copies: 5,
        panics: 4,
    },
    Rule {
        target: AARCH64,
        name: &["::Neon ", "::DecBrwInFourLimbs>"],
        exactly: &[
            Exactly { mnemonics: "umull|umull2|umlal|umlal2", whole: 464, loops: &[16, 16, 16, 48] },
            Exactly { mnemonics: "mul", whole: 35, loops: &[1, 3, 6, 7] },
        ],
        stack: 632,
        copies: 5,
        panics: 68,
    },
    Rule {
        target: AARCH64,
        name: &["::Neon ", "batch::Batch>"],
        exactly: &[Exactly { mnemonics: "umull|umull2|umlal|umlal2", whole: 40, loops: &[40] }],
        stack: 44,
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
            Exactly { mnemonics: "umull|umull2|umlal|umlal2", whole: 110, loops: &[25] },
            Exactly { mnemonics: "mul", whole: 19, loops: &[] },
        ],
        stack: 20,
        copies: 0,
        panics: 0,
    },
];
