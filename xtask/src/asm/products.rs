//! The table for carry-less products: how many instructions each kernel has, the same on all machines with one lane and with several.
//! A kernel with more of them was inlined twice, one with fewer has lost a product.
use super::rules::{Exactly, Rule};
use super::{AARCH64, X86_64};

/// What GNU's and LLVM's disassemblers call PCLMULQDQ and VPCLMULQDQ.
const CLMUL: &str = "pclmulqdq|pclmullqlqdq|pclmulhqlqdq|pclmullqhqdq|pclmulhqhqdq|\
                     vpclmulqdq|vpclmullqlqdq|vpclmulhqlqdq|vpclmullqhqdq|vpclmulhqhqdq";
const PMULL: &str = "pmull|pmull2";
/// GF2P8AFFINEQB.
const AFFINE: &str = "gf2p8affineqb|vgf2p8affineqb";

/// `number: words of the symbol` for each.
macro_rules! products {
    ($target:ident, $mnemonics:ident, $($number:literal: $($word:literal)+;)+) => {
        &[$(Rule {
            target: $target,
            name: &["carryless_gf2::", $($word),+],
            exactly: &[Exactly { mnemonics: $mnemonics, whole: $number, loops: &[] }],
            // Most at 1024 bits by three products of 512, whose sums do not fit into 16 registers.
            stack: 225,
            copies: 0,
            panics: 31,
        }),+]
    };
}

/// Words of the symbol, for what adds and moves, or has its products in a loop.
macro_rules! others {
    ($target:ident, $($word:literal)+) => {
        &[$(Rule {
            target: $target,
            name: &["carryless_gf2::", $word],
            exactly: &[],
            stack: 140,
            copies: 2,
            panics: 17,
        }),+]
    };
}

/// On all machines: kernels of 64 to 512 bits, by the methods at 512, 256 and 128 bits, and a level of KaratRec above.
macro_rules! kernels {
    ($target:ident, $mnemonics:ident) => {
        products! { $target, $mnemonics,
            1: "kernel::Word>";
            4: "leaf::Products<" "Mul<false, false, false>, 1, 2>";
            3: "leaf::Products<" "Mul<false, false, true>, 1, 2>";
            16: "leaf::Products<" "Mul<false, false, false>, 2, 4>";
            12: "leaf::Products<" "Mul<false, false, true>, 2, 4>";
            12: "leaf::Products<" "Mul<false, true, false>, 2, 4>";
            9: "leaf::Products<" "Mul<false, true, true>, 2, 4>";
            18: "leaf::Products<" "Mul<true, true, true>, 3, 6>";
            64: "leaf::Products<" "Mul<false, false, false>, 4, 8>";
            48: "leaf::Products<" "Mul<true, false, false>, 4, 8>";
            36: "leaf::Products<" "Mul<true, false, true>, 4, 8>";
            36: "leaf::Products<" "Mul<true, true, false>, 4, 8>";
            27: "leaf::Products<" "Mul<true, true, true>, 4, 8>";
            54: "leaf::Products<" "Karat<" ", 3>, 6, 12>";
            81: "leaf::Products<" "Karat<" ", 4>, 8, 16>";
            1: "fixed::Product<1, 2>";
            3: "fixed::Product<2, 4>";
            6: "fixed::Product<3, 6>";
            14: "fixed::Product<5, 10>";
            18: "fixed::Product<6, 12>";
            23: "fixed::Product<7, 14>";
            38: "fixed::Product<9, 18>";
            42: "fixed::Product<10, 20>";
        }
    };
}

/// Where machines have different code: those with several lanes.
const LANES: &[Rule] = products! { X86_64, CLMUL,
    9: "::Pclmul " "fixed::Product<4, 8>";
    9: "::PclmulAvx2 " "fixed::Product<4, 8>";
    9: "::PclmulAvx512Vl " "fixed::Product<4, 8>";
    6: "::VpclmulYmm " "fixed::Product<4, 8>";
    27: "::Pclmul " "fixed::Product<8, 16>";
    27: "::PclmulAvx2 " "fixed::Product<8, 16>";
    27: "::PclmulAvx512Vl " "fixed::Product<8, 16>";
    15: "::VpclmulYmm " "fixed::Product<8, 16>";
    12: "::VpclmulZmm " "fixed::Product<8, 16>";
    6: "::VpclmulYmm " "single::Alone<" "Rows, 2, 4>";
    15: "::VpclmulYmm " "single::Alone<" "Rows, 2>, 4, 8>";
    42: "::VpclmulYmm " "single::Alone<" "Rows, 2>, 4>, 8, 16>";
    42: "::VpclmulYmm " "single::Alone<" ", 8>, 16, 32>";
    36: "::VpclmulYmm " "single::Alone<" ", 3>, 6, 12>";
    36: "::VpclmulYmm " "single::Alone<" ", 6>, 12, 24>";
    12: "::VpclmulZmm " "single::Alone<" "Rows, 4, 8>";
    36: "::VpclmulZmm " "single::Alone<" "Rows, 4>, 8, 16>";
    108: "::VpclmulZmm " "single::Alone<" "Rows, 4>, 8>, 16, 32>";
};

/// Products and squares in fields: as many carry-less products as a square has words, or as the product of operands of that length has; nothing else
/// but the reduction, which has W + 1 of them for pentanomials and otherwise none. In slices they stand in the loop.
macro_rules! fields {
    ($target:ident, $mnemonics:ident; $($field:literal: $product:literal, $square:literal;)+) => {
        &[$(
            field($target, &["One<", $field, "operations::Product>"], &[exactly($mnemonics, $product, &[])]),
            field($target, &["One<", $field, "operations::Square>"], &[exactly($mnemonics, $square, &[])]),
            field($target, &["One<", $field, "operations::SquareRoot>"], &[]),
        )+]
    };
}

/// The same on several lanes.
macro_rules! slices {
    ($($field:literal: $product:literal;)+) => {
        &[$(field(X86_64, &["Many<", $field, "operations::Product>"], &[exactly(CLMUL, $product, &[$product])]),)+]
    };
}

/// Panics: operands that are shorter than an element, the first of which is read from one of two places.
const fn field(target: &'static str, name: &'static [&'static str], exactly: &'static [Exactly]) -> Rule {
    Rule { target, name, exactly, stack: 150, copies: 0, panics: 14 }
}

const fn exactly(mnemonics: &'static str, whole: usize, loops: &'static [usize]) -> Exactly {
    Exactly { mnemonics, whole, loops }
}

macro_rules! all_fields {
    ($target:ident, $mnemonics:ident) => {
        fields! { $target, $mnemonics;
            "::Gf127,": 3, 2;
            "::Gf163,": 10, 7;
            "::Gf193,": 9, 4;
            "::Gf233,": 9, 4;
            "::Gf251,": 14, 9;
            "::Gf283,": 20, 11;
            "::Gf409,": 23, 7;
            "::Gf571,": 48, 19;
        }
    };
}

const SLICES: &[Rule] = slices! {
    "::Gf127,": 3;
    "::Gf163,": 10;
    "::Gf193,": 9;
    "::Gf233,": 9;
    "::Gf251,": 14;
    "::Gf283,": 20;
    "::Gf409,": 23;
    "::Gf571,": 48;
};

/// Squares by bit matrices on machines with GFNI: two products for each block, in the loop over groups of lanes and in that over single elements.
macro_rules! squares_by_matrices {
    ($($field:literal: $affine:literal;)+) => {
        &[$(field(X86_64, &["Gfni ", "affine::Squares<", $field], &[exactly(AFFINE, 2 * $affine, &[$affine, $affine])]),)+]
    };
}

const SQUARES_BY_MATRICES: &[Rule] = squares_by_matrices! {
    "::Gf127>": 2;
    "::Gf163>": 4;
    "::Gf193>": 4;
    "::Gf233>": 4;
    "::Gf251>": 4;
    "::Gf283>": 6;
    "::Gf409>": 8;
    "::Gf571>": 10;
};

/// Linear maps, whole ones and powers of two by a part in each lane: the matrices of a byte of each part, for all of the image. They stand in the loop over a word, or several
/// times one after the other.
const MAPS: &[Rule] = &[
    field(X86_64, &["::VpclmulYmmGfni ", "map::Apply<", ", true>"], &[exactly(AFFINE, 32, &[8, 8])]),
    field(X86_64, &["::VpclmulZmmGfni ", "map::Apply<", ", true>"], &[exactly(AFFINE, 32, &[4])]),
    field(X86_64, &["::VpclmulYmmGfni ", "map::Apply<", ", false>"], &[exactly(AFFINE, 64, &[8, 8])]),
    field(X86_64, &["::VpclmulZmmGfni ", "map::Apply<", ", false>"], &[exactly(AFFINE, 32, &[4, 4])]),
];

/// The same kernels on all machines.
const fn with_matrices(target: &'static str, kernel: &'static [&'static str]) -> Rule {
    Rule { target, name: kernel, exactly: &[], stack: 150, copies: 0, panics: 12 }
}

/// Along a long operand: products in a loop, and more values than registers. Copies are of parts of blocks, where a machine has no
/// masked load.
const fn rows(target: &'static str, copies: usize) -> Rule {
    Rule { target, name: &["carryless_gf2::", "row::Row<"], exactly: &[], stack: 400, copies, panics: 31 }
}

/// Products and remainders modulo a sparse f given at run time. Copies are of parts of blocks, as above.
const fn modular(target: &'static str, copies: usize) -> Rule {
    Rule {
        target,
        name: &["carryless_gf2::", "modular::kernel::Kernel<"],
        exactly: &[],
        stack: 200,
        copies,
        panics: 4,
    }
}

/// Sums of powers: with bit matrices a batch of exponents, their bytes and matrices are cleared on the stack. Copies are of the exponents and of the part of the output that
/// fills no vector.
const fn exponents(target: &'static str, stack: usize, copies: usize) -> Rule {
    Rule {
        target,
        name: &["carryless_gf2::", "sparse::FromExponents>"],
        exactly: &[],
        stack,
        copies,
        panics: 17,
    }
}

macro_rules! other_kernels {
    ($target:ident) => {
        others! { $target,
            "::passes::" "toom::Evaluate>" "toom::Interpolate<" "butterfly::Level<" "algebra::words::" "square::Square>"
            "modulus::Reduce>" "interleaved::" "cyclic::Fold<"
        }
    };
}

/// Products in fields of up to 32 bits, which copy what fills no group.
const SMALL: &[Rule] = &[small(X86_64, 24, 1), small(AARCH64, 40, 3)];

const fn small(target: &'static str, stack: usize, copies: usize) -> Rule {
    Rule { target, name: &["carryless_gf2::", "small::Products>"], exactly: &[], stack, copies, panics: 8 }
}

/// All of them.
pub(crate) const RULES: &[&[Rule]] = &[
    SMALL,
    kernels!(X86_64, CLMUL),
    LANES,
    all_fields!(X86_64, CLMUL),
    all_fields!(AARCH64, PMULL),
    SLICES,
    SQUARES_BY_MATRICES,
    MAPS,
    &[with_matrices(X86_64, &["affine::Squares<"]), with_matrices(X86_64, &["map::Apply<"])],
    &[with_matrices(AARCH64, &["affine::Squares<"]), with_matrices(AARCH64, &["map::Apply<"])],
    &[rows(X86_64, 2), rows(AARCH64, 11), modular(X86_64, 0), modular(AARCH64, 10)],
    &[exponents(X86_64, 163, 7), exponents(AARCH64, 140, 2)],
    other_kernels!(X86_64),
    kernels!(AARCH64, PMULL),
    products! { AARCH64, PMULL,
        9: "fixed::Product<4, 8>";
        27: "fixed::Product<8, 16>";
    },
    other_kernels!(AARCH64),
];
