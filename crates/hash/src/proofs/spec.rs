//! What the kernels claim to compute, as polynomials in named powers, and that this is the hash.
//!
//! `power(e)` is what stands for tau^e. With names of their own for the powers, the kernels must equal these
//! formulas; with x^e the formulas must equal h x^l + C_1 x^l + ... + C_l x.
use crate::choose::plan::MAX_LAMBDA;
use crate::eval::horner::GROUPS;
use crate::eval::p1305::window::rows;
use carryless_lanes::Poly;
use std::vec;
use std::vec::Vec;
use std::{format, iter};

/// The formula of `horner.rs`, lane by lane: block j of a row is in column j.
pub(super) fn horner(n: usize, g: usize, h: &Poly, blocks: &[Poly], power: impl Fn(usize) -> Poly) -> Poly {
    let (mut a, rows) = in_rows(n, h, blocks);
    let Some((last, middle)) = rows.split_last() else { panic!("more than one row") };
    let (lead, groups) = middle.split_at(middle.len() % g);
    for rows in lead.chunks_exact(1).chain(groups.chunks_exact(g)) {
        advance(&mut a, rows, &power);
    }
    // The last row comes without a product by gamma: the powers of the row before it are N higher.
    let mut sum = Poly::default();
    for j in 0..n {
        sum = sum + &a[j] * &power(2 * n - j) + &last[j] * &power(n - j);
    }
    sum
}

/// The formula of `packed_rows::balanced`, lane by lane.
pub(super) fn packed(
    n: usize,
    lambda: usize,
    h: &Poly,
    blocks: &[Poly],
    power: impl Fn(usize) -> Poly,
) -> Poly {
    let (mut t, rows) = in_rows(n, h, blocks);
    rows.chunks(lambda).for_each(|rows| advance(&mut t, rows, &power));
    t.iter().enumerate().fold(Poly::default(), |sum, (j, t)| sum + t * &power(n - j))
}

/// The formula of `packed_rows::with_tail`, of a message of which the last block is whole or not: whole rows, then parts of
/// n/2, n/4, .. 1 whole blocks, then the short one.
pub(super) fn goll_gueron(
    n: usize,
    lambda: usize,
    h: &Poly,
    (blocks, short): (&[Poly], bool),
    power: impl Fn(usize) -> Poly,
) -> Poly {
    let whole = blocks.len() - usize::from(short);
    let (rows, mut rest) = blocks.split_at(whole - whole % n);
    let mut p = if rows.is_empty() { h.clone() } else { packed(n, lambda, h, rows, &power) };
    // The parts are the binary digits of the number of blocks that whole rows leave.
    for part in [n / 2, n / 4, n / 8].into_iter().filter(|&part| part > 0 && (whole % n) & part > 0) {
        let (blocks, after) = rest.split_at(part);
        p = hash(&p, blocks, &power);
        rest = after;
    }
    if short { hash(&p, rest, &power) } else { p }
}

/// Zero blocks in front of the first row, to whose first block h is added; and the other rows.
fn in_rows<'a>(n: usize, h: &Poly, blocks: &'a [Poly]) -> (Vec<Poly>, Vec<&'a [Poly]>) {
    // 1 to n, not 0 to n - 1: the first row has a block, to which h is added.
    let first = (blocks.len() - 1) % n + 1;
    let (head, rest) = blocks.split_at(first);
    let mut a = vec![Poly::default(); n - first];
    a.extend_from_slice(head);
    a[n - first] = &a[n - first] + h;
    (a, rest.chunks_exact(n).collect())
}

/// `a gamma^g + R_1 gamma^(g-1) + ... + R_g` for g rows.
fn advance(a: &mut [Poly], rows: &[&[Poly]], power: impl Fn(usize) -> Poly) {
    let n = a.len();
    for (j, a) in a.iter_mut().enumerate() {
        let mut sum = &*a * &power(n * rows.len());
        for (above, row) in rows.iter().rev().enumerate() {
            // `power` has no name for tau^0: the last row has no factor.
            sum = sum + if above == 0 { row[j].clone() } else { &row[j] * &power(n * above) };
        }
        *a = sum;
    }
}

/// The formula at the head of `window.rs`, evaluated on polynomials.
pub(super) fn window(n: usize, h: &Poly, blocks: &[Poly], power: impl Fn(usize) -> Poly) -> Poly {
    let whole = rows(n) * n / 2;
    let (first, later) = blocks.split_at((blocks.len() - 1) % whole + 1);
    let mut a = h * &power(first.len()) + horner_free(first, &power);
    for window in later.chunks_exact(whole) {
        a = a * power(whole) + horner_free(window, &power);
    }
    a
}

/// C_1 tau^l + ... + C_l tau.
fn horner_free(blocks: &[Poly], power: impl Fn(usize) -> Poly) -> Poly {
    let terms = blocks.iter().rev().enumerate();
    terms.fold(Poly::default(), |sum, (i, block)| sum + block * &power(i + 1))
}

fn hash(h: &Poly, blocks: &[Poly], power: impl Fn(usize) -> Poly) -> Poly {
    h * &power(blocks.len()) + horner_free(blocks, &power)
}

fn x_to(e: usize) -> Poly {
    iter::repeat_n(Poly::symbol("x"), e).fold(Poly::constant(1), |product, x| product * x)
}

fn names(prefix: &str, count: usize) -> Vec<Poly> {
    (0..count).map(|i| Poly::symbol(&format!("{prefix}{i}"))).collect()
}

#[test]
fn the_formulas_are_the_hash() {
    let h = Poly::symbol("h");
    let powers: Vec<Poly> = (0..140).map(x_to).collect();
    let power = |e: usize| powers[e].clone();
    for n in [2, 4, 8] {
        // Horner's kernels serve two rows and more.
        for l in n + 1..=8 * n {
            let blocks = names("C", l);
            for g in GROUPS {
                assert_eq!(
                    horner(n, g, &h, &blocks, power),
                    hash(&h, &blocks, power),
                    "{n} lanes, {l} blocks, g = {g}"
                );
            }
        }
        for l in 1..=8 * n {
            let blocks = names("C", l);
            let want = hash(&h, &blocks, power);
            for lambda in 1..=MAX_LAMBDA {
                let what = format!("{n} lanes, {l} blocks, lambda = {lambda}");
                assert_eq!(packed(n, lambda, &h, &blocks, power), want, "{what}");
                for short in [false, true] {
                    assert_eq!(goll_gueron(n, lambda, &h, (&blocks, short), power), want, "{what}, {short}");
                }
            }
        }
        for l in n..=130 {
            let blocks = names("C", l);
            assert_eq!(window(n, &h, &blocks, power), hash(&h, &blocks, power), "{n} lanes, {l} blocks");
        }
    }
}

#[test]
fn a_wrong_exponent_is_noticed() {
    let (h, blocks) = (Poly::symbol("h"), names("C", 9));
    let wrong = |e: usize| x_to(if e == 5 { 6 } else { e });
    assert_ne!(horner(4, 1, &h, &blocks, wrong), hash(&h, &blocks, x_to));
    let wrong = |e: usize| x_to(if e == 4 { 6 } else { e });
    assert_ne!(packed(4, 2, &h, &blocks, wrong), hash(&h, &blocks, x_to));
    let wrong = |e: usize| x_to(if e == 1 { 2 } else { e });
    assert_ne!(goll_gueron(4, 2, &h, (&blocks, true), wrong), hash(&h, &blocks, x_to));
}
