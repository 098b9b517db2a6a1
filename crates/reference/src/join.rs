//! Where a message may be cut under a BRW hash, and how the values of the parts join.
use crate::decbrw::Streams;
use crate::params::Params;

/// Whether `BRW(x; A || B) = BRW(x; A) + BRW(x; B)` for all A of `a` blocks and B of `b`: 4 divides `a`, and B ends
/// before the next block that is multiplied with what A left, `b < 2^ntz(a)`. (`ntz`: trailing zeros in binary. An
/// empty part adds nothing and is always right.)
///
/// ```text
/// a =  8, b < 8:   BRW(M1..M7)(x^8 + M8)                         + BRW(M9..)
/// a = 12, b < 4:   BRW(M1..M7)(x^8 + M8) + BRW(M9..M11)(x^4 + M12) + BRW(M13..)
/// ```
///
/// At any other cut the value of A || B is no function of the two values: go on from A with the
/// stack of Algorithm 1 instead.
pub fn brw_adds(a: u64, b: u64) -> bool {
    // a is not 0 in the shift, so its count of trailing zeros is below 64.
    a == 0 || b == 0 || (a.is_multiple_of(4) && b >> a.trailing_zeros() == 0)
}

/// The error of a cut at which BRW values cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongCut;

impl core::fmt::Display for WrongCut {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("BRW values of parts with this cut do not add")
    }
}

impl core::error::Error for WrongCut {}

impl Streams {
    /// The streams of A || B from those of A (`self`) and B: stream by stream, `Q_i(A || B) = Q_i(A) + Q_i(B)`. Before
    /// they meet in `Q_(c+1)`, since `d` depends on the length of the whole.
    ///
    /// The last block of A must have `n` bits, if B is not empty; that does not show in the streams.
    ///
    /// # Errors
    /// [`WrongCut`] if A ends inside a row of `c` blocks, or [`brw_adds`] refuses the numbers of rows.
    ///
    /// # Panics
    /// If A and B have different numbers of streams.
    pub fn join(&self, params: &Params, b: &Streams) -> Result<Streams, WrongCut> {
        assert_eq!(self.values.len(), b.values.len(), "streams");
        // In an incomplete row, zeros stand where B would have to go on.
        let whole_rows = self.blocks.is_multiple_of(self.values.len() as u64);
        if b.blocks > 0 && !whole_rows || !brw_adds(self.rows(), b.rows()) {
            return Err(WrongCut);
        }
        let values = self.values.iter().zip(&b.values).map(|(a, b)| (a + b) % params.p());
        Ok(Streams { values: values.collect(), blocks: self.blocks + b.blocks })
    }
}
