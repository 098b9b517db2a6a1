//! The permutation Keccak-f[1600] on one, four and eight states, and the sponges of SHA-3 over it.
