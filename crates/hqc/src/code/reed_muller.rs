//! Duplicated first-order Reed-Muller codes of 128 bits.
