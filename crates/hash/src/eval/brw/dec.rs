//! The kernel of c-decBRWHash, for a message in memory or for the next rows of a message in pieces.
use super::algorithm1::{Stack, finish};
use super::few_rows::{FEW_BITS, FewRows, GROUPS, NO_GROUP, ONE_GROUP};
use super::leaf::zero;
use super::pairs::absorb;
use super::powers::{MAX_POWERS, length, weights};
use super::ready::Ready;
use super::rows::{Rows, odd_offset, tail};
use super::saved_stack::SavedStack;
use crate::choose::FEW_ROWS;
use crate::field::{Field, LaneField};

/// The kernels in lanes. Each is a function of its own: in one function, LLVM spilled registers of all of them.
pub(crate) enum Size<'a, E: Field> {
    /// Up to fifteen rows.
    NoGroup(FewRows<'a, E, NO_GROUP>),
    /// 16 to 31 rows.
    OneGroup(FewRows<'a, E, ONE_GROUP>),
    /// 32 to [`FEW_ROWS`] rows.
    Groups(FewRows<'a, E, GROUPS>),
    Any(DecBrw<'a, E>),
}

/// Evaluates tau (tau (Q_1 D^(c-1) + ... + Q_c) + L) for a message that is not empty.
pub(crate) struct DecBrw<'a, E: Field> {
    /// The key tau, below 2p.
    pub(crate) tau: E,
    /// The precomputed powers of tau, if the key is prepared.
    pub(crate) ready: Option<&'a Ready<E>>,
    /// The message. Its last block is padded with zeros while it is loaded.
    pub(crate) msg: &'a [u8],
    /// The length in bits, the term L. It may be less than 8 bits per byte, and counts earlier pieces.
    pub(crate) bits: u64,
    /// Streams, at least 1; in lanes at most 16, and [`serves`] must hold.
    pub(crate) c: usize,
    /// t = 2 to 5: leaves have 2^t - 1 rows.
    pub(crate) t: usize,
    /// The rows of earlier pieces, for a message in pieces.
    pub(crate) saved: Option<SavedStack<'a, E>>,
}

/// True if c streams fill N lanes: c is a multiple of N, or two runs of rows go side by side.
pub(crate) fn serves(n: usize, c: usize) -> bool {
    c.is_multiple_of(n) || n == 2 * c
}

impl<'a, E: Field> DecBrw<'a, E> {
    /// Evaluates in 64-bit words, one stream after the other.
    #[inline(never)]
    pub(crate) fn in_words(self) -> E {
        self.over(E::WORDS)
    }

    /// The number of rows of c blocks up to the end of `msg`, earlier pieces included.
    #[inline(always)]
    fn rows(&self) -> u64 {
        let before = if let Some(saved) = &self.saved { saved.rows } else { 0 };
        before + self.msg.len().div_ceil(E::BLOCK * self.c) as u64
    }

    /// The kernel that serves this message in `lanes` lanes.
    pub(crate) fn by_size(self, lanes: usize) -> Size<'a, E> {
        let rows = self.rows();
        // In four lanes, which short messages of four streams take; for eight it is not worth its size.
        if lanes != 4 || self.c != 4 || self.saved.is_some() || rows > FEW_ROWS || self.bits >= FEW_BITS {
            return Size::Any(self);
        }
        let DecBrw { tau, ready, msg, bits, .. } = self;
        match rows {
            0..16 => Size::NoGroup(FewRows { tau, ready, msg, bits }),
            16..32 => Size::OneGroup(FewRows { tau, ready, msg, bits }),
            _ => Size::Groups(FewRows { tau, ready, msg, bits }),
        }
    }

    /// Evaluates with arrays for the squares and the stack on the machine's stack. They are no longer than this
    /// number of rows needs, because they have to be cleared: fewer than 2^r rows use the squares up to
    /// tau^(2^(r + lg N)) and r - 1 entries.
    #[inline(always)]
    pub(crate) fn over<F: LaneField<Element = E>>(self, f: F) -> E {
        let (zero, none) = (F::limbs(E::from_word(0)), zero(f));
        let (mut few, mut many, mut most);
        let (powers, entries): (&mut [F::Limbs], &mut [F::Sums]) = match self.rows() {
            // Below 2^6 rows: 10 squares reach D^8, and 5 entries suffice for fewer than 16 groups.
            0..0x40 => {
                few = ([zero; 10], [none; 5]);
                (&mut few.0, &mut few.1)
            }
            // Below 2^12 rows: 16 squares and 11 entries, by the same rule.
            0x40..0x1000 => {
                many = ([zero; 16], [none; 11]);
                (&mut many.0, &mut many.1)
            }
            _ => {
                most = ([zero; MAX_POWERS], [none; MAX_POWERS]);
                (&mut most.0, &mut most.1)
            }
        };
        self.evaluate(f, powers, entries)
    }

    /// Absorbs all streams, N at a time, and joins their values. Several vectors of streams are digits to the base D^N.
    #[inline(always)]
    fn evaluate<F: LaneField<Element = E>>(
        mut self,
        f: F,
        powers: &mut [F::Limbs],
        entries: &mut [F::Sums],
    ) -> E {
        let (rows_in_all, lg, known) = (self.rows(), self.rows().ilog2() as usize, self.known());
        // D is powers[lg + 1], and the base D^N is lg N squarings further. One stream has no D, but needs tau^2 for
        // L.
        let lg_d = if self.c > 1 { lg + 1 } else { lg.max(1) };
        let lg_base = lg_d + if self.c > F::N { F::N.ilog2() as usize } else { 0 };
        let two_runs = F::N > 1 && F::N == 2 * self.c;
        let (stride, odd_offset) = (E::BLOCK * self.c, if two_runs { 0 } else { odd_offset::<F>() });

        let powers = &mut powers[..=lg_base];
        F::squares(self.tau, known, powers);
        let mut value = None;
        for stream in (0..self.c).step_by(F::N) {
            // The vectors of streams take turns with one array: each begins with an empty stack.
            let mut stack = Stack { entries: &mut *entries, top: 0 };
            let mut done = 0;
            if let Some(saved) = &self.saved {
                saved.restore(f, self.c, stream, &mut stack);
                done = saved.rows;
            }
            let offset = stream * E::BLOCK;
            let rows = Rows::new(self.msg, stride, offset, odd_offset);
            // All loads in this call are in bounds of `rows`; the partial row at the end is loaded after it.
            absorb(f, self.t, powers, &mut stack, rows, done, two_runs);
            if let Some(saved) = &mut self.saved
                && !saved.end
            {
                saved.keep(f, self.c, stream, &stack);
                continue;
            }
            let (rest, tail) = (rows.after(rows.count() & !3), tail(f, self.msg, stride, offset, odd_offset));
            let q = finish(f, powers, &mut stack, rest, tail, rows_in_all);
            // Horner's rule over vectors of streams: value D^N + q, with q added before the carry.
            value = Some(match value {
                None => q,
                Some(v) => f.carry(f.mul_add(f.as_sums(q), v, &f.key(f.everywhere(powers[lg_base])))),
            });
        }
        // Only a call in the middle of a message has no value, and its caller ignores the result.
        let Some(value) = value else { return E::from_word(0) };
        if F::N == 1 {
            // In words one stream follows the other, so the value is complete, and tau^2 and L tau share one carry.
            let length =
                f.mul(f.everywhere(F::limbs(E::from_word(self.bits))), &f.key(f.everywhere(powers[0])));
            let sum = f.mul_add(length, value, &f.key(f.everywhere(powers[1])));
            return f.close(sum, F::limbs(E::from_word(0)));
        }
        // They come after the loop over the message, so that they do not compete with it for registers. Two calls, so
        // that in each the number of streams is a constant.
        let (length, squares) =
            (length::<F>(self.tau, self.bits), [f.everywhere(powers[1]), f.everywhere(powers[lg_d])]);
        let weights = if two_runs {
            weights(f, self.ready, squares, (lg, F::N / 2))
        } else {
            weights(f, self.ready, squares, (lg, F::N))
        };
        f.close(f.mul(value, &f.key(weights)), length)
    }

    /// The squares of tau that are already computed: those of the stream, or of a prepared key.
    #[inline(always)]
    fn known(&self) -> &[E::Loose] {
        match (&self.saved, self.ready) {
            (Some(saved), _) => saved.squares,
            (None, Some(ready)) => ready.squares(),
            (None, None) => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::key::Sealed as _;
    use crate::field::p1305::element::Element;
    use crate::field::p1305::testing::{Rng, sample};
    use carryless_lanes::{Backend, Portable};
    use carryless_reference::{P1271, P1305, Params, decbrwhash};

    /// The lanes of the portable backend, which no user takes: one vector, several, and two runs of rows side by side.
    fn portable<E: Field, const N: usize>(
        prime: &Params,
        tau: E,
        key: &[u8; 16],
        run: impl Fn(DecBrw<'_, E>) -> E,
    ) {
        let mut rng = Rng(53);
        for rows in sample(1..if cfg!(miri) { 6 } else { 40 }) {
            for c in [N / 2, N, 2 * N] {
                let msg = rng.bytes(E::BLOCK * c * rows - rows % 3);
                let want = decbrwhash(prime, c, key, msg[..].into()).expect("a key in range");
                for t in 2..=5 {
                    let bits = 8 * msg.len() as u64;
                    let kernel = DecBrw { tau, ready: None, msg: &msg, bits, c, t, saved: None };
                    assert_eq!(
                        run(kernel).low_bits().to_le_bytes(),
                        want,
                        "{rows} rows of {c} streams, t = {t}"
                    );
                }
            }
        }
    }

    /// As many rows as the room for squares and entries is for, and one more; several vectors of streams, and words.
    #[test]
    #[cfg_attr(miri, ignore = "big integers take Miri minutes")]
    fn room_for_all_rows() {
        let mut rng = Rng(55);
        let key = rng.key();
        let tau = Element::from_bytes(&key);
        for rows in sample(0..4).map(|i| [63, 64, 4095, 4096][i]) {
            for c in [1, 16] {
                let msg = rng.bytes(16 * c * rows);
                let want = decbrwhash(&P1305, c, &key, msg[..].into()).expect("a key in range");
                let kernel = || DecBrw {
                    tau,
                    ready: None,
                    msg: &msg,
                    bits: 8 * msg.len() as u64,
                    c,
                    t: 2,
                    saved: None,
                };
                assert_eq!(kernel().in_words().low_bits().to_le_bytes(), want, "{rows} rows of {c} streams");
                if c > 1 {
                    assert_eq!(
                        Portable::<8>.call(kernel()).low_bits().to_le_bytes(),
                        want,
                        "{rows} rows in lanes"
                    );
                }
            }
        }
    }

    #[test]
    fn lanes_of_the_portable_backend() {
        let mut key = Rng(54).key();
        portable::<_, 4>(&P1305, Element::from_bytes(&key), &key, |kernel| Portable::<4>.call(kernel));
        portable::<_, 8>(&P1305, Element::from_bytes(&key), &key, |kernel| Portable::<8>.call_ifma(kernel));
        key[15] &= 0x3f;
        let tau = crate::Key1271::new(&key).expect("below 2^126").tau();
        portable::<_, 4>(&P1271, tau, &key, |kernel| Portable::<4>.call(kernel));
        portable::<_, 8>(&P1271, tau, &key, |kernel| Portable::<8>.call_ifma(kernel));
    }
}
