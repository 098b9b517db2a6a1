//! The powers of tau that an evaluation needs, as products in words. They are made before the loop over the message
//! and after it, so that no scalar code competes with the loop for registers.
use super::ready::Ready;
use crate::field::{Field, InWords, in_words};
use crate::lane_field::LaneField;

/// Length of the arrays of squares: messages of up to 2^57 rows (more than 2^64 bits) need tau^(2^j) with j up to
/// 58.
pub(crate) const MOST: usize = 60;

/// Writes tau^(2^j) to `powers[j]` for every j, copying the first ones from `known`. Returns tau^2 and tau^(2^lg_d)
/// before they are cut. One square, 6 multiplications or 4, for each new power, in sequence.
#[inline(always)]
pub(crate) fn squares<F: LaneField>(
    tau: F::Element,
    known: &[<F::Element as Field>::Loose],
    powers: &mut [F::Limbs],
    lg_d: usize,
) -> [<F::Element as Field>::Loose; 2] {
    let mut last = tau.loose();
    let mut wanted = [last; 2];
    for (j, limbs) in powers.iter_mut().enumerate() {
        last = match known.get(j) {
            Some(known) => *known,
            None if j == 0 => last,
            None => F::Element::loose_square(last),
        };
        *limbs = F::from_loose(last);
        if j == 1 {
            wanted[0] = last;
        }
        if j == lg_d {
            wanted[1] = last;
        }
    }
    wanted
}

/// [`squares`] for one lane, in the words that also take blocks. The chain is longer than in limbs, but takes fewer
/// instructions, because nothing is cut.
#[inline(always)]
pub(crate) fn squares_in_words<E: Field>(tau: E, known: &[E::Loose], powers: &mut [InWords<E>]) {
    // A square in words is carried, so its limbs stay small over any length of the chain.
    let (w, mut last) = (E::WORDS, in_words(tau));
    for (j, power) in powers.iter_mut().enumerate() {
        last = match known.get(j) {
            Some(known) => <E::Words as LaneField>::from_loose(*known),
            None if j == 0 => last,
            None => w.carry(w.square(last)),
        };
        *power = last;
    }
}

/// The last multipliers of the streams, and the term of the length.
pub(crate) struct Ends<F: LaneField> {
    /// The weights tau^2 D^(k-1) .. tau^2 D, tau^2 for the lanes of k streams. Zero for those of a second run.
    pub(crate) weights: [F::Limbs; 8],
    /// L tau, the length in bits times tau.
    pub(crate) length: F::Limbs,
}

impl<F: LaneField> Ends<F> {
    /// Computes both for k streams of n rows, lg = floor(lg n), and a message of `bits` bits. Uses the weights of
    /// `ready` if it has them.
    #[inline(always)]
    pub(crate) fn new(
        tau: F::Element,
        ready: Option<&Ready<F::Element>>,
        [tau_squared, d]: [<F::Element as Field>::Loose; 2],
        (lg, k): (usize, usize),
        bits: u64,
    ) -> Ends<F> {
        let mut limbs = [F::limbs(F::Element::from_word(0)); 8];
        // Only the first k limbs are set. With two runs the odd lanes repeat the value of the even ones and keep
        // weight zero.
        if let Some(ready) = ready.and_then(|ready| ready.weights(lg, k)) {
            for (limbs, weight) in limbs[..k].iter_mut().zip(ready) {
                *limbs = F::from_loose(*weight);
            }
        } else {
            let made = weights::<F::Element>(tau_squared, d, k);
            for (limbs, weight) in limbs[..k].iter_mut().zip(&made) {
                *limbs = F::from_loose(*weight);
            }
        }
        let length = F::Element::loose_product(F::Element::from_word(bits).loose(), tau.loose());
        Ends { weights: limbs, length: F::from_loose(length) }
    }
}

/// The weights tau^2 D^(k-1) .. tau^2 D, tau^2 for k = 1, 2, 4 or 8: k - 1 products and lg k - 1 squares, lg k
/// products in sequence. Entries from k on are unspecified.
#[inline(always)]
pub(crate) fn weights<E: Field>(tau_squared: E::Loose, d: E::Loose, k: usize) -> [E::Loose; 8] {
    let mut all = [tau_squared; 8];
    if k >= 2 {
        all[0] = E::loose_product(all[1], d);
    }
    if k >= 4 {
        // Doubling: the weights of 2^i streams times D^(2^i) are those of the 2^i streams before them.
        let step = E::loose_square(d);
        [all[2], all[3]] = [all[0], all[1]];
        [all[0], all[1]] = [E::loose_product(all[2], step), E::loose_product(all[3], step)];
        if k >= 8 {
            let step = E::loose_square(step);
            [all[4], all[5], all[6], all[7]] = [all[0], all[1], all[2], all[3]];
            for weight in &mut all[..4] {
                *weight = E::loose_product(*weight, step);
            }
        }
    }
    all
}
