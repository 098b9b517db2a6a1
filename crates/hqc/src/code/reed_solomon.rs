//! Shortened Reed-Solomon codes over GF(2^8).
