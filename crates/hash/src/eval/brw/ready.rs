//! Precomputed powers of a key that serves many messages.
use crate::base::wipe::wipe;
use crate::field::Field;
use zeroize::Zeroize;

/// lg of the most rows for which all powers can be precomputed.
pub(crate) const MAX_LG: usize = 20;
/// The most streams whose weights are kept. For more streams they are computed for each message.
const STREAMS: usize = 4;

/// Squares of tau, and the weights of the streams for messages of 2^j to 2^(j+1) - 1 rows, for each j up to `lg`.
/// As secret as the key.
#[derive(Clone)]
pub(crate) struct Ready<E: Field> {
    /// tau^(2^j), for j up to lg + 1.
    squares: [E::Loose; MAX_LG + 2],
    /// For each j: tau^2 D^3, tau^2 D^2, tau^2 D, tau^2, where D = tau^(2^(j + 1)).
    weights: [[E::Loose; STREAMS]; MAX_LG + 1],
    /// The largest floor(lg n) for which powers are there.
    lg: usize,
}

impl<E: Field> Zeroize for Ready<E> {
    fn zeroize(&mut self) {
        wipe(&mut self.squares, E::LOOSE_ZERO);
        wipe(self.weights.as_flattened_mut(), E::LOOSE_ZERO);
        self.lg = 0;
    }
}

impl<E: Field> Ready<E> {
    /// Computes the powers for messages of fewer than 2^(lg + 1) rows; longer messages compute what is missing.
    /// About five products for each lg.
    pub(crate) fn new(tau: E, lg: usize) -> Ready<E> {
        let (tau, lg) = (tau.loose(), lg.min(MAX_LG));
        // Entries above `lg` stay tau. They are never read, and wiped like all others.
        let mut ready = Ready { squares: [tau; MAX_LG + 2], weights: [[tau; STREAMS]; MAX_LG + 1], lg };
        for j in 1..lg + 2 {
            ready.squares[j] = E::loose_square(ready.squares[j - 1]);
        }
        for j in 0..=lg {
            // D depends on floor(lg n) only, so one set of weights per bit length covers all messages.
            let all = weights::<E>(ready.squares[1], ready.squares[j + 1], STREAMS);
            ready.weights[j].copy_from_slice(&all[..STREAMS]);
        }
        ready
    }

    #[inline(always)]
    pub(crate) fn squares(&self) -> &[E::Loose] {
        &self.squares[..self.lg + 2]
    }

    /// The weights of `c` streams of n rows, lg = floor(lg n), if they were computed.
    pub(crate) fn weights(&self, lg: usize, c: usize) -> Option<&[E::Loose]> {
        // The weights descend to tau^2, so c streams take the last c of them.
        if lg > self.lg || c > STREAMS { None } else { Some(&self.weights[lg][STREAMS - c..]) }
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
