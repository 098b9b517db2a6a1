//! Faults that the proofs must refute. They show that a claim is not true of just any code.
use crate::source::{PORTABLE, RANGE};

/// A file, the text to replace in it, the wrong text, and the name of the claim that must then be refuted.
pub(crate) type Fault = (&'static str, &'static str, &'static str, &'static str);

// Each text must occur exactly once in its file, or the self-test asks for a change of this list.
pub(crate) const FAULTS: &[Fault] = &[
    (RANGE, "u64::MAX << zeros.min(63) };\n", "u64::MAX << (zeros + 1).min(63) };\n", "Range::add"),
    (RANGE, "if self.is_disjoint(&b) { self.bits | b.bits }", "if true { self.bits | b.bits }", "Range::add"),
    (RANGE, "self.high.1.saturating_add(b.high.1)", "self.high.1.max(b.high.1)", "Range::add"),
    (RANGE, "Ok(Range::between(lo, self.hi - b.lo))", "Ok(Range::between(lo, self.hi - b.hi))", "Range::sub"),
    (RANGE, "if self.hi > u64::MAX >> k {", "if self.hi > u64::MAX >> k << 1 {", "Range::shl(7)"),
    (RANGE, "let low = if k >= 32 { self.low }", "let low = if k >= 31 { self.low }", "Range::low_bits(31)"),
    (RANGE, "if self.lo >> k == self.hi >> k {", "if self.lo >> k <= self.hi >> k {", "Range::low_bits(9)"),
    (RANGE, "hi: self.hi.max(other.hi),", "hi: self.hi,", "Range::join"),
    (
        RANGE,
        "self.trailing_zeros() + b.trailing_zeros()",
        "self.trailing_zeros() + b.trailing_zeros() + 1",
        "Range::mul32",
    ),
    (RANGE, "if (self.hi | b.hi) >> 32 != 0", "if self.hi >> 32 != 0", "Range::mul32"),
    (RANGE, "product.hi >> 52 == 0", "product.hi >> 53 == 0", "Range::madd52(false)"),
    (RANGE, "self.lo >> 64 == self.hi >> 64", "self.lo >> 65 == self.hi >> 65", "Wide::low"),
    (RANGE, "Range::upto(1))", "Range::upto(0))", "Wide::add_carry"),
    (RANGE, "(self.bits >> 32) as u32", "(self.bits >> 33) as u32", "Range::tight"),
    (PORTABLE, ".wrapping_shl(64 - k)", ".wrapping_shl(63 - k)", "portable Words::shr_wide(9)"),
    (PORTABLE, "(product >> 52) as u64", "(product >> 51) as u64", "portable Ifma::madd52hi"),
    (
        PORTABLE,
        "(a[i] & LOW32) * (b[i] & LOW32)",
        "(a[i] & LOW32) * (b[i] & (LOW32 >> 1))",
        "portable Lanes::mul32",
    ),
];
