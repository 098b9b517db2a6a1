//! Arithmetic modulo p = 2^130 - 5: one file per representation.
//!
//! | file | representation | serves |
//! |---|---|---|
//! | `element` | three words of radix 2^64 | values that pass between kernels; the last reduction |
//! | `word64` | the same, clamped keys | short Poly1305 messages, one block at a time |
//! | `lanes26`, [`limbs26`](crate::field::limbs26) | five limbs of radix 2^26 in lanes | the vector kernels |
//! | `lanes44`, [`limbs52`](crate::field::limbs52) | three limbs of radix 2^44 in lanes | Horner on backends with 52-bit multiply-add |
//! | `word44` | three limbs of radix 2^44 | key powers for lanes; Horner's rule with any key, two blocks at a time |
//! | `words64`, [`one_lane`](crate::field::one_lane) | two and a half words of radix 2^64 | any key: BRW in words, products of elements |

pub(crate) mod element;
pub(crate) mod lanes26;
pub(crate) mod lanes44;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod word44;
pub(crate) mod word64;
pub(crate) mod words64;
