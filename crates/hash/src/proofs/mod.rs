//! Proofs for all inputs, run as tests: book/src/proofs.md says what they show and assume.
//!
//! `bounds_*` run the kernels on sets of words (`Interval`): nothing overflows, and the limbs stay below the numbers
//! that the kernels' documentation gives (bounds.md beside this file). `values_*` run them on polynomials (`Algebra`):
//! the value is the specified one. `formal_*` run algorithms over `LaneField` without limbs. `planted` breaks each
//! kernel and sees the proof fail. `freeze` has border values. `counts` asserts the numbers of operations, `paper001`
//! the tables of that paper; `counts_page` writes counts.md.
//!
//! # The window and the packed layout
//!
//! These two are written over backends, not over `LaneField`. Three facts together give the hash:
//!
//! 1. The kernel equals the formula of `spec`, in which every limb of every power has its own name
//!    (`equals_its_formula` of `packed`, `values_window` and `values_horner`), for messages of a few rows.
//! 2. The keys are the powers that the formula names. The set-up makes products of powers whose exponents add up
//!    (`keys_are_the_named_powers`), `prepare` goes from tau^e to tau^(e+N) (`next_powers`). The first powers are
//!    polynomials in tau of a degree at most 8 that agree with tau^e for 22 values of tau (`powers`), so they are tau^e.
//! 3. With x^e for `power(e)` the formula is h x^l + C_1 x^l + ... + C_l x, for all lengths up to 130 blocks
//!    (`the_formulas_are_the_hash`).
//!
//! # Longer messages
//!
//! A longer message is more passes of loops, each proved from any state: a group of rows (`any_number_of_rows`), a
//! window (`any_number_of_windows`), a group of BRW with any number of entries (`any_number_of_groups`). Horner's rule
//! shows that the passes add up to the hash. For BRW it is the invariant of Algorithm 1: entry j of the stack is the
//! value of the subtree that bit j of the number of groups stands for.
//!
//! # The last reduction
//!
//! `freeze` computes q = floor((w + 5) / 2^130) and returns w + 5 q mod 2^130. w is below 2p:
//!
//! - radix 2^44: packing is exact, and the bounds of the limbs add up to less than 2p (`assert_below_2p`);
//! - `pack26`: w = h - p c with the one carry c = floor(h / 2^130) < 2^37, so w < 2^130 + 5 2^37;
//! - radix 2^64: the last operation adds 5 c to a number below 2^130, c < 2^62.
//!
//! So q is 0 or 1, and 1 exactly if w >= p. If q = 1, w + 5 is between 2^130 and 2^131, and dropping 2^130 leaves
//! w - p. `freeze_changes_the_residue_by_multiples_of_five_only` shows that nothing else happens to the value. That q is
//! this quotient is proved for the batch (`the_digest_is_the_residue`) and read off the source for `freeze`. Over
//! 2^127 - 1 the same holds for 1 in place of 5; w < 2p because w1 is below 2^63 + 2^40 (`words1271`).
mod batch;
mod bounds_lanes;
mod bounds_window;
mod bounds_words;
mod brw;
mod counts;
mod counts1271;
mod counts_long;
mod counts_page;
mod formal;
mod formal_brw;
mod formal_horner;
mod freeze;
mod long;
mod packed;
mod paper001;
mod planted;
mod powers;
mod radix;
mod spec;
mod values_horner;
mod values_lanes;
mod values_window;
mod values_words;
mod words1271;
mod words1305;
mod words_composed;

use carryless_lanes::{AlgebraArena, Ifma, Poly, Range, Term, Wide};
use carryless_reference::{BigUint, P1305};
use radix::R26;
use std::format;
use std::vec::Vec;

/// The greatest number of `k` bits.
const fn ones(k: u32) -> u64 {
    (1 << k) - 1
}

/// The largest upper word that kernels accept; what they return is below 2p, and so at most [`TOP_OUT`].
const TOP_IN: u64 = 7;
const TOP_OUT: u64 = 4;

/// Limbs of an element in radix 2^26, as `limbs26` cuts them.
const CUT26: [u64; 5] = [ones(26), ones(26), ones(26), ones(26), ones(27)];

/// Limbs of an element in radix 2^44, as `limbs44` cuts them.
const CUT44: [u64; 3] = [ones(44), ones(44), ones(43)];

/// Joins `step` to `start` until nothing changes: what then holds, holds after any number of steps.
fn fixpoint<T: Join>(start: T, step: impl Fn(T) -> T) -> T {
    let mut now = start;
    // Sets only grow. Bounds that a carry keeps settle after a few rounds; others must fail here, and not run for
    // ever.
    for _ in 0..40 {
        // Joined, not replaced: the result holds the start as well, so it also holds after no step.
        let next = join(now.clone(), step(now.clone()));
        if next.same(&now) {
            return now;
        }
        now = next;
    }
    panic!("no fixpoint");
}

/// Values of the `Interval` backend.
trait Join: Clone {
    /// Sets that hold those of both.
    fn join(self, other: Self) -> Self;
    /// True if both have the same sets, so that a fixpoint is reached.
    fn same(&self, other: &Self) -> bool;
}

/// [`Join::join`], also where a type has a method of that name.
fn join<T: Join>(a: T, b: T) -> T {
    a.join(b)
}

impl Join for Range {
    fn join(self, other: Self) -> Self {
        Range::join(self, other)
    }
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl<T: Join, const K: usize> Join for [T; K] {
    fn join(self, other: Self) -> Self {
        let mut other = other.into_iter();
        self.map(|set| join(set, other.next().expect("as many")))
    }
    fn same(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(a, b)| a.same(b))
    }
}

impl<T: Join> Join for Vec<T> {
    fn join(self, other: Self) -> Self {
        assert_eq!(self.len(), other.len());
        self.into_iter().zip(other).map(|(a, b)| join(a, b)).collect()
    }
    fn same(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.same(b))
    }
}

impl Join for Wide {
    fn join(self, other: Self) -> Self {
        // Lower bounds are given up. The set only becomes larger, so a proof stays one.
        Wide::upto(self.bounds().1.max(other.bounds().1))
    }
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

/// The greatest values of the sets.
fn tops<const K: usize>(a: [Range; K]) -> [u64; K] {
    a.map(|range| range.hi())
}

/// Upper bounds of the limbs, over all lanes.
fn lane_tops<const N: usize>(a: [[Range; N]; 5]) -> [u64; 5] {
    a.map(|limb| limb.map(|range| range.hi()).into_iter().max().unwrap())
}

/// The sets from 0 to each of `tops`.
fn upto<const K: usize>(tops: [u64; K]) -> [Range; K] {
    tops.map(Range::upto)
}

/// The greatest number with such limbs is below 2p: what `freeze` asks for.
#[track_caller]
fn assert_below_2p<const K: usize>(tops: [u64; K], radix: u32) {
    // Limbs may exceed the radix, so they are added by weight and not joined.
    let most = tops.iter().rev().fold(BigUint::ZERO, |sum, &top| (sum << radix) + top);
    assert!(most < P1305.p() * 2u8, "{tops:x?}");
}

/// Words that stand for limbs `name.0`, `name.1`, .. of at most `tops`.
fn symbols<const K: usize>(arena: &AlgebraArena, name: &str, tops: [u64; K]) -> [u64; K] {
    core::array::from_fn(|i| arena.symbol(&format!("{name}.{i}"), tops[i]))
}

/// The same as scalar words of the backend.
fn terms<const K: usize>(arena: &AlgebraArena, name: &str, tops: [u64; K]) -> [Term; K] {
    symbols(arena, name, tops).map(|word| arena.term_of(word))
}

/// The number that scalar words stand for.
fn value<const K: usize>(arena: &AlgebraArena, words: [Term; K], radix: u32) -> Poly {
    arena.value(&words.map(|term| arena.word_of(term)), radix)
}

/// An element of radix 2^26 in every lane, with limbs `name lane.limb`; and their values.
fn lanes_of<S: Ifma>(
    arena: &AlgebraArena,
    s: S,
    name: &str,
    tops: [u64; 5],
) -> (radix::Fe<R26, S>, [Poly; 8]) {
    radix::lanes_of::<R26, S>(arena, s, name, tops)
}

/// The elements in the lanes.
fn values_of<S: Ifma>(arena: &AlgebraArena, s: S, h: radix::Fe<R26, S>) -> [Poly; 8] {
    radix::values_of::<R26, S>(arena, s, h)
}

/// The message blocks as the specification has them: two words of `name` each, and 2^128.
fn message(arena: &AlgebraArena, name: &str, bytes: &mut [u8]) -> Vec<Poly> {
    let words = arena.fill(name, bytes);
    words
        .chunks_exact(2)
        .map(|w| Poly::from_limbs(&[w[0].clone(), w[1].clone(), Poly::constant(1)], 64))
        .collect()
}

/// Panics with the terms that differ modulo p = 2^130 - 5.
#[track_caller]
fn assert_same(got: &Poly, want: &Poly) {
    if let Err(difference) = same(got, want) {
        panic!("{difference}");
    }
}

fn same(got: &Poly, want: &Poly) -> Result<(), carryless_lanes::Difference> {
    got.equal_modulo(want, 130, 5)
}

/// Runs `super::$f::<Radix, N>` for the radices of the 52-bit multiply-add, with the eight and four
/// lanes that it comes with.
macro_rules! for_multiply_add {
    ($f:ident) => {
        #[test]
        fn in_radix44_of_eight_lanes() {
            super::$f::<R44, 8>();
        }
        #[test]
        fn in_radix44_of_four_lanes() {
            super::$f::<R44, 4>();
        }
        #[test]
        fn in_radix43_of_eight_lanes() {
            super::$f::<R43, 8>();
        }
        #[test]
        fn in_radix43_of_four_lanes() {
            super::$f::<R43, 4>();
        }
    };
}
use for_multiply_add;

/// Runs `$f::<Radix, N>` for each radix: those of every backend with all numbers of lanes, those of the 52-bit multiply-add
/// with the eight and four lanes that it comes with, and the researchers' with four.
macro_rules! for_radices {
    ($($name:ident = $f:ident;)*) => { $(
        mod $name {
            use crate::proofs::{for_lanes, for_multiply_add, radix::{R26, R26Of1271, R32, R43, R44}};
            fn radix26<const N: usize>() {
                super::$f::<R26, N>();
            }
            fn radix26_of_1271<const N: usize>() {
                super::$f::<R26Of1271, N>();
            }
            for_lanes! {
                in_radix26 = radix26;
                in_radix26_of_1271 = radix26_of_1271;
            }
            for_multiply_add!($f);
            #[test]
            fn in_radix32_of_four_lanes() {
                super::$f::<R32, 4>();
            }
        }
    )* };
}
use for_radices;

/// Runs `$f::<N>` for each number of lanes.
macro_rules! for_lanes {
    ($($(#[$doc:meta])* $name:ident = $f:ident;)*) => { $(
        mod $name {
            #[test]
            fn two_lanes() {
                super::$f::<2>();
            }
            #[test]
            fn four_lanes() {
                super::$f::<4>();
            }
            #[test]
            fn eight_lanes() {
                super::$f::<8>();
            }
        }
    )* };
}
use for_lanes;
