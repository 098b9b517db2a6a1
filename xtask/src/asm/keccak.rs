//! The table for Keccak: a round has 29 rotations, 25 words of chi and, where an instruction adds three words, ten such sums. Twenty-four rounds are a loop,
//! without whose registers the state would be in memory.
use super::rules::{Exactly, Rule};
use super::{AARCH64, X86_64};

const fn keccak(
    target: &'static str,
    machine: &'static [&'static str],
    exactly: &'static [Exactly],
    stack: usize,
) -> Rule {
    Rule { target, name: machine, exactly, stack, copies: 0, panics: 2 }
}

/// So many in every round and none outside.
const fn in_rounds(mnemonics: &'static str, whole: usize, loops: &'static [usize]) -> Exactly {
    Exactly { mnemonics, whole, loops }
}

/// Rotations and logic of AVX-512: all of the state in registers.
const AVX512: &[Exactly] = &[in_rounds("vprolq", 29, &[29]), in_rounds("vpternlogq", 35, &[35])];
/// Two of the distances are whole bytes, which a shuffle moves.
const AVX2: &[Exactly] =
    &[in_rounds("vpandn", 25, &[25]), in_rounds("vpsrlq", 27, &[27]), in_rounds("vpshufb", 2, &[2])];

pub(crate) const RULES: &[Rule] = &[
    keccak(X86_64, &["::Pclmul ", "keccak::permutation::Permute>"], &[in_rounds("pandn", 25, &[25])], 110),
    keccak(X86_64, &["::PclmulAvx2 ", "keccak::permutation::Permute>"], AVX2, 100),
    keccak(X86_64, &["::VpclmulYmm ", "keccak::permutation::Permute>"], AVX2, 100),
    keccak(X86_64, &["::PclmulAvx512Vl ", "keccak::permutation::Permute>"], AVX512, 4),
    keccak(X86_64, &["::VpclmulZmm ", "keccak::permutation::Permute>"], AVX512, 4),
    keccak(AARCH64, &["::Pmull ", "keccak::permutation::Permute>"], &[in_rounds("bic", 25, &[25])], 60),
];
