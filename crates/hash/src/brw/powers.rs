//! The powers of tau that an evaluation needs, as products in words. They are made before the loop over the message
//! and after it, so that no scalar code competes with the loop for registers.
use super::ready::{Ready, weights};
use crate::field::{Field, LaneField};

/// Length of the arrays of squares: messages of up to 2^57 rows (more than 2^64 bits) need tau^(2^j) with j up to
/// 58.
pub(crate) const MOST: usize = 60;

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
        // One product for each message: a length is one word, so it is an element without a reduction.
        let length = F::Element::loose_product(F::Element::from_word(bits).loose(), tau.loose());
        Ends { weights: limbs, length: F::from_loose(length) }
    }
}
