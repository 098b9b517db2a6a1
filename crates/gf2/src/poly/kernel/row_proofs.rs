//! Basis proofs of the row kernels: monomials through every part of a row.
use super::proofs::monomial;
use crate::poly::fixed::KernelPtr;
use carryless_lanes::ClmulCpu;
use std::vec;
use std::vec::Vec;

/// Checks X^i X^j = X^(i + j): for all i and j on backends with the instruction; at the borders of words in software
/// and in builds without proofs.
fn holds_on_the_basis(cpu: ClmulCpu, short: usize, long: usize) {
    let row = KernelPtr::new(cpu, [short, long]).expect("a row");
    assert!(row.is_row());
    let all = !cfg!(carryless_without_proofs) && !cpu.name().starts_with("soft");
    let words = short + long;
    let basis: Vec<Vec<u64>> = (0..64 * words).map(|i| monomial(i, words)).collect();
    let mut out = vec![!0; words];
    for i in (0..64 * short).filter(|i| all || matches!(i % 64, 0 | 63)) {
        for j in (0..64 * long).filter(|j| all || matches!(j % 64, 0 | 1 | 62 | 63)) {
            assert!(row.mul(&basis[i][..short], &basis[j][..long], &mut out));
            assert_eq!(out, basis[i + j], "X^{i} X^{j}, {short} x {long} words on {}", cpu.name());
        }
    }
}

/// Three vectors of pieces less one word: whole vectors and a rest, so that every part of a row meets every other.
#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn rows_hold_on_monomials() {
    for cpu in ClmulCpu::available() {
        for short in 1..=10_usize {
            let vector = short.next_multiple_of(2) * cpu.lanes();
            holds_on_the_basis(cpu, short, 3 * vector - 1);
        }
    }
}

/// Rows take the short operand first or second. They refuse empty operands, and two unequal ones of more than ten words.
#[test]
fn rows_take_either_order() {
    for cpu in ClmulCpu::available() {
        let (mut first, mut second) = ([!0; 23], [!0; 23]);
        let (long, short) = ([0x9e37_79b9_7f4a_7c15; 18], [0xbf58_476d_1ce4_e5b9; 5]);
        assert!(KernelPtr::new(cpu, [18, 5]).expect("a row").mul(&long, &short, &mut first));
        assert!(KernelPtr::new(cpu, [5, 18]).expect("a row").mul(&short, &long, &mut second));
        assert_eq!(first, second, "{}", cpu.name());
        for sizes in [[11, 12], [11, 100], [0, 7], [7, 0], [97, 97]] {
            assert!(KernelPtr::new(cpu, sizes).is_none(), "{sizes:?}");
        }
    }
}
