//! Loops that must be straight-line code, because what they index is registers and what they compute with is constants.

/// `unroll!(i < END { .. })`: the block for i = 0, 1, ... below the constant END, of at most ten, one after the other. The compiler would
/// unroll such loops too, but gives up where the bodies are large.
macro_rules! unroll {
    ($i:ident < $end:expr, $body:block) => {
        const { assert!($end <= 10, "ten blocks at most") };
        unroll!(@each $i, $end, $body, 0 1 2 3 4 5 6 7 8 9)
    };
    (@each $i:ident, $end:expr, $body:block, $($n:literal)*) => {
        $(
            if const { $n < $end } {
                let $i: usize = $n;
                $body
            }
        )*
    };
}
pub(super) use unroll;
