//! Messages of up to three rows, straight line in 64-bit words: no stack, no squares but those of the end.
//!
//! ```text
//! BRW(M1) = M1    BRW(M1, M2) = M1 x + M2    BRW(M1, M2, M3) = (x + M1)(x^2 + M2) + M3
//! ```
use super::ready::Ready;
use super::weights::weights;
use crate::field::{Field, Loose, loose, product, square};
use crate::lane_field::LaneField;

/// The most rows.
pub(crate) const SHORT_ROWS: usize = 3;

/// The value of a message of `C` streams, not empty and at most [`SHORT_ROWS`] rows long.
#[inline(never)]
pub(crate) fn short<E: Field, const C: usize>(tau: E, ready: Option<&Ready<E>>, msg: &[u8], bits: u64) -> E {
    let (w, tau) = (E::WORDS, loose(tau));
    let rows = msg.len().div_ceil(E::BLOCK * C);
    let tau_squared = ready.map_or_else(|| square::<E>(tau), |ready| ready.squares()[1]);
    let weights = match ready.and_then(|ready| ready.weights(rows.ilog2() as usize, C)) {
        Some(ready) => core::array::from_fn(|i| ready[i]),
        None => {
            weights_of::<E, C>(tau_squared, if rows == 1 { tau_squared } else { square::<E>(tau_squared) })
        }
    };
    let block = |i: usize| w.short_row(msg.get(i * E::BLOCK..).unwrap_or(&[]), 0);
    let mut d = w.mul(loose(E::from_word(bits)), &w.key(tau));
    for (stream, weight) in weights.iter().enumerate() {
        if stream * E::BLOCK >= msg.len() {
            break;
        }
        let q = match rows {
            1 => block(stream),
            2 => w.carry(w.mul_add(w.as_sums(block(C + stream)), block(stream), &w.key(tau))),
            _ => {
                let (m1, m2) = (w.add(block(stream), tau), w.add(block(C + stream), tau_squared));
                w.carry(w.mul_add(w.as_sums(block(2 * C + stream)), m1, &w.key(m2)))
            }
        };
        d = w.mul_add(d, q, &w.key(*weight));
    }
    w.close(d, <E::Words as LaneField>::limbs(E::from_word(0)))
}

/// [`weights`] of one stream or of four.
#[inline(always)]
fn weights_of<E: Field, const C: usize>(tau_squared: Loose<E>, d: Loose<E>) -> [Loose<E>; C] {
    if C == 4 {
        let first = product::<E>(tau_squared, d);
        let step = square::<E>(d);
        let all = [product::<E>(first, step), product::<E>(tau_squared, step), first, tau_squared];
        return core::array::from_fn(|i| all[i]);
    }
    let all = weights::<E>(tau_squared, d, C);
    core::array::from_fn(|i| all[i])
}
