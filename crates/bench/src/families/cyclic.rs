//! Products modulo X^n - 1, for every n. Lengths are whole bytes, so there is a family for each remainder of
//! n modulo 8.
use super::F2X;
use crate::f2x::{self, Operation};
use crate::family::Family;
use crate::ours;
use anyhow::{Result, bail, ensure};

/// Index of the family with HQC's n, which has 3 bits fewer than its bytes.
pub(super) const HQC: usize = 3;

macro_rules! cyclic {
    ($name:literal, $fewer:literal) => {
        Family {
            name: $name,
            // Only the family of HQC is in `--help`, so its n stands for all of them.
            about: "products modulo X^n - 1, n = 8 length - 3, or the n of --n",
            reference: |key, message| f2x::reference(Operation::MulModXn1($fewer), key, message),
            ours: |mode| ours::f2x(Operation::MulModXn1($fewer)).subjects(mode),
            lengths: f2x::CYCLIC_LENGTHS,
            operation: Some(Operation::MulModXn1($fewer)),
            ..F2X
        }
    };
}

/// The families of n = 8 length - i, at index i.
pub(super) static FAMILIES: [Family; 8] = [
    cyclic!("f2x-mod-xn-1-of-8l", 0),
    cyclic!("f2x-mod-xn-1-of-8l-1", 1),
    cyclic!("f2x-mod-xn-1-of-8l-2", 2),
    cyclic!("f2x-mod-xn-1", 3),
    cyclic!("f2x-mod-xn-1-of-8l-4", 4),
    cyclic!("f2x-mod-xn-1-of-8l-5", 5),
    cyclic!("f2x-mod-xn-1-of-8l-6", 6),
    cyclic!("f2x-mod-xn-1-of-8l-7", 7),
];

/// The family of these n, and their lengths in bytes.
///
/// # Errors
/// If there are none, an n is zero, or two leave different remainders modulo 8.
pub fn of_n(all: &[usize]) -> Result<(&'static Family, Vec<usize>)> {
    let Some(first) = all.first() else { bail!("no n is named") };
    // The bits by which n falls short of whole bytes are the index of its family.
    let fewer = |n: usize| 8 * n.div_ceil(8) - n;
    for n in all {
        ensure!(*n > 0, "n is at least 1");
        ensure!(
            // A family has one remainder, and one command measures one family.
            fewer(*n) == fewer(*first),
            "{n} and {first} leave different remainders modulo 8: one command each"
        );
    }
    Ok((&FAMILIES[fewer(*first)], all.iter().map(|n| n.div_ceil(8)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::Mode;
    use crate::verify::verify;

    /// The result is right for every remainder, those of HQC and of BIKE among them, and n is the
    /// one that was asked for.
    #[test]
    fn every_n() {
        for n in [1, 2, 63, 64, 65, 126, 127, 128, 12323, 24659, 40973, 17669, 35851, 57637] {
            let (family, lengths) = of_n(&[n]).expect("one n");
            let operation = family.operation.expect("a product");
            assert_eq!(operation.bits(lengths[0]), n);
            let subjects = family.ours(Mode::OneShot);
            verify(family.reference, &subjects.iter().collect::<Vec<_>>(), &lengths, 1).expect(family.name);
        }
    }

    #[test]
    fn n_of_one_command_leave_one_remainder() {
        assert_eq!(of_n(&[12323, 24659]).expect("both leave 3").1, [1541, 3083]);
        let error = of_n(&[12323, 40973]).expect_err("3 and 5").to_string();
        assert!(error.contains("different remainders"), "{error}");
        assert!(of_n(&[]).is_err() && of_n(&[0]).is_err());
    }
}
