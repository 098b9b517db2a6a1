//! The weights of the streams: the powers of tau that their values meet at the end.
use super::ready::Ready;
use crate::block_rows::block_of_lane;
use crate::field::{Field, LaneField};

/// Length of the arrays of squares: messages of up to 2^57 rows (more than 2^64 bits) need tau^(2^j) with j up to 58.
pub(crate) const MOST: usize = 60;

/// Masks by lane, for N lanes and K streams: K is N, or N / 2 with two runs of rows.
struct Masks<const N: usize, const K: usize>;

/// Lanes that keep an element, and the number in the other lanes.
struct Mask {
    kept: [u64; 8],
    others: [u64; 8],
}

impl<const N: usize, const K: usize> Masks<N, K> {
    /// Entry i keeps D^(2^i) in the lanes of the streams whose exponent has bit i, and has 1 in the others. The
    /// last one that is used has 0 in the lanes of a second run, which repeat the values of the first.
    const OF_BIT: [Mask; 3] = {
        let mut masks = [const { Mask { kept: [0; 8], others: [0; 8] } }; 3];
        let mut lane = 0;
        while lane < N {
            let (block, mut bit) = (block_of_lane(N, lane), 0);
            while 1 << bit < K {
                // Stream b is followed by K - 1 - b streams and has the weight D^(K - 1 - b).
                if block < K && (K - 1 - block) >> bit & 1 == 1 {
                    masks[bit].kept[lane] = u64::MAX;
                } else if block < K || 2 << bit < K {
                    masks[bit].others[lane] = 1;
                }
                bit += 1;
            }
            lane += 1;
        }
        masks
    };
}

/// The weights tau^2 D^(k-1) .. tau^2 D, tau^2 in the lanes of k streams of n rows, lg = floor(lg n), and zero in
/// those of a second run: lg k products in sequence. Uses the weights of `ready` if it has them.
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
    let masks: &[Mask; 3] = match (F::N, k) {
        (2, 1) => &Masks::<2, 1>::OF_BIT,
        (2, 2) => &Masks::<2, 2>::OF_BIT,
        (4, 4) => &Masks::<4, 4>::OF_BIT,
        (4, 2) => &Masks::<4, 2>::OF_BIT,
        (8, 8) => &Masks::<8, 8>::OF_BIT,
        (8, 4) => &Masks::<8, 4>::OF_BIT,
        _ => unreachable!("streams fill the lanes, or half of them"),
    };
    let (mut all, mut power, mut bit) = (tau_squared, d, 0);
    while 1 << bit < k {
        // D itself serves bit 0; every further bit takes a square.
        if bit > 0 {
            power = f.carry(f.square(power));
        }
        let factor = f.mixed(power, &masks[bit].kept, &masks[bit].others);
        all = f.carry(f.mul(all, &f.key(factor)));
        bit += 1;
    }
    // One stream in two runs has no factor whose mask would clear the lanes of the second run.
    if F::N > 1 && k == 1 { f.mixed(all, &[u64::MAX, 0, 0, 0, 0, 0, 0, 0], &[0; 8]) } else { all }
}

/// L tau, the length in bits times tau. A length is one word, so it is an element without a reduction.
#[inline(always)]
pub(crate) fn length<F: LaneField>(tau: F::Element, bits: u64) -> F::Limbs {
    F::from_loose(F::Element::loose_product(F::Element::from_word(bits).loose(), tau.loose()))
}
