//! tau^(2^j), made when the message is long enough to ask for them.
use crate::field::{Loose, loose, square};
use crate::lane_field::LaneField;

/// Messages of up to 2^57 rows (more than 2^64 bits) ask for tau^(2^j) with j up to 58.
pub(crate) const MOST: usize = 60;

/// The squares of tau so far, as a machine's lanes take them.
pub(crate) struct Squares<'a, F: LaneField> {
    /// tau^(2^j) for j < `known`.
    pub(crate) limbs: &'a mut [F::Limbs],
    known: usize,
    /// The last known one, and the next ones if a prepared key has them.
    last: Loose<F::Element>,
    ready: &'a [Loose<F::Element>],
}

impl<'a, F: LaneField> Squares<'a, F> {
    /// tau = tau^(2^0). `ready` are the first squares, from tau on, or none.
    #[inline(always)]
    pub(crate) fn new(
        tau: F::Element,
        ready: &'a [Loose<F::Element>],
        limbs: &'a mut [F::Limbs],
    ) -> Squares<'a, F> {
        let last = loose(tau);
        limbs[0] = F::from_loose(last);
        Squares { limbs, known: 1, last, ready }
    }

    /// All that will be asked for.
    #[cfg(all(test, not(carryless_without_proofs)))]
    pub(crate) fn given(limbs: &'a mut [F::Limbs]) -> Squares<'a, F> {
        use crate::field::Field;
        Squares { known: limbs.len(), limbs, last: loose(F::Element::from_word(0)), ready: &[] }
    }

    /// tau^(2^j), with all before it. The squarings depend on each other, so they are best made shortly before their use,
    /// in the shadow of products that do not wait for them.
    #[inline(always)]
    pub(crate) fn reach(&mut self, j: usize) -> Loose<F::Element> {
        if self.known <= j {
            self.extend(j);
        }
        self.last
    }

    /// Not inlined: scalar code that would take the registers of the vector code around it.
    #[inline(never)]
    fn extend(&mut self, j: usize) {
        while self.known <= j {
            self.last = match self.ready.get(self.known) {
                Some(ready) => *ready,
                None => square::<F::Element>(self.last),
            };
            self.limbs[self.known] = F::from_loose(self.last);
            self.known += 1;
        }
    }
}
