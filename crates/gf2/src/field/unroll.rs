//! A macro for loops that must become straight-line code, because they index registers and compute with
//! constants.

/// `unroll!(i < END { .. })` runs the block for i = 0, 1, ... below the constant END, of at most ten, fully unrolled.
///
/// In each copy i is a constant, and branches on it vanish. The compiler would unroll small loops too, but
/// gives up where the bodies are large; then blocks would be indexed in memory.
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
pub(crate) use unroll;
