//! The weights of the streams: the powers of tau that their values meet at the end.
use super::ready::Ready;
use crate::field::{Field, LaneField};

/// Length of the arrays of squares: messages of up to 2^57 rows (more than 2^64 bits) need tau^(2^j) with j up to 58.
pub(crate) const MAX_POWERS: usize = 60;

/// Masks by lane, for N lanes.
struct Masks<const N: usize>;

/// Lanes that keep an element, and the number in the other lanes.
struct Mask {
    kept: [u64; 8],
    others: [u64; 8],
}

impl<const N: usize> Masks<N> {
    /// Keeps the even lanes, and puts a number into the others.
    const fn even(others: u64) -> Mask {
        let (mut mask, mut lane) = (Mask { kept: [0; 8], others: [0; 8] }, 0);
        while lane < N {
            if lane % 2 == 0 {
                mask.kept[lane] = u64::MAX;
            } else {
                mask.others[lane] = others;
            }
            lane += 1;
        }
        mask
    }

    const EVEN_OR_0: Mask = Self::even(0);
    const EVEN_OR_1: Mask = Self::even(1);

    /// Entry j keeps the even lanes, and of the odd lanes those whose exponent has bit j; the others have 1. The
    /// exponent of lane 2i + 1 is N / 2 - 1 - i.
    const OF_BIT: [Mask; 2] = {
        let (mut masks, mut bit) = ([Self::EVEN_OR_1, Self::EVEN_OR_1], 0);
        while bit < 2 {
            let mut lane = 1;
            while lane < N {
                if (N / 2 - 1 - lane / 2) >> bit & 1 == 1 {
                    masks[bit].kept[lane] = u64::MAX;
                    masks[bit].others[lane] = 0;
                }
                lane += 2;
            }
            bit += 1;
        }
        masks
    };
}

/// The weights tau^2 D^(k-1) .. tau^2 D, tau^2 in the lanes of k streams of n rows, lg = floor(lg n), and zero in
/// those of a second run: lg k products in sequence. Uses the weights of `ready` if it has them.
///
/// Lanes 2i and 2i + 1 have blocks i and i + N/2 of a row ([`block_of_lane`](crate::base::block_rows::block_of_lane)), and so for
/// k = N weights whose quotient is D^(N/2). Each product squares the power of D in the even lanes while it multiplies the
/// weights in the odd lanes:
///
/// ```text
/// lanes 2i, 2i + 1     D, tau^2  ->  D^2, tau^2 D^(e mod 2)  ->  ..  ->  D^(N/2), tau^2 D^e      e = N/2 - 1 - i
/// k = N                tau^2 D^(N/2 + e), tau^2 D^e              by a last product
/// k = N/2              tau^2 D^e, 0
/// ```
#[inline(always)]
pub(crate) fn weights<F: LaneField>(
    f: F,
    ready: Option<&Ready<F::Element>>,
    [tau_squared, d]: [F::Fe; 2],
    (lg, k): (usize, usize),
) -> F::Fe {
    if let Some(ready) = ready.and_then(|ready| ready.weights(lg, k)) {
        let mut limbs = [F::limbs(F::Element::from_word(0)); 8];
        for (limbs, weight) in limbs[..k].iter_mut().zip(ready) {
            *limbs = F::from_loose(*weight);
        }
        return f.arrange(&limbs);
    }
    let (of_bit, even_or_0, even_or_1) = match (F::N, k) {
        (2, 1 | 2) => (&Masks::<2>::OF_BIT, &Masks::<2>::EVEN_OR_0, &Masks::<2>::EVEN_OR_1),
        (4, 2 | 4) => (&Masks::<4>::OF_BIT, &Masks::<4>::EVEN_OR_0, &Masks::<4>::EVEN_OR_1),
        (8, 4 | 8) => (&Masks::<8>::OF_BIT, &Masks::<8>::EVEN_OR_0, &Masks::<8>::EVEN_OR_1),
        _ => unreachable!("streams fill the lanes, or half of them"),
    };
    let (mut all, mut power, mut bit) = (f.alternate(d, tau_squared), d, 0);
    while 2 << bit < F::N {
        // Except in the first round, the even lanes of `all` hold the power of D that is due.
        if bit > 0 {
            power = f.evens(all);
        }
        let factor = f.mixed(power, &of_bit[bit].kept, &of_bit[bit].others);
        all = f.carry(f.mul_soon(all, &f.key(factor)));
        bit += 1;
    }
    let odds = f.odds(all);
    if k < F::N {
        return f.mixed(odds, &even_or_0.kept, &even_or_0.others);
    }
    f.carry(f.mul_soon(odds, &f.key(f.mixed(all, &even_or_1.kept, &even_or_1.others))))
}

/// L tau, the length in bits times tau. A length is one word, so it is an element without a reduction.
#[inline(always)]
pub(crate) fn length<F: LaneField>(tau: F::Element, bits: u64) -> F::Limbs {
    F::from_loose(F::Element::loose_product(F::Element::from_word(bits).loose(), tau.loose()))
}
