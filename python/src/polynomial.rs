//! What methods of `GF2X` share: when they release the GIL, how signals end them, and their errors.
use crate::integer::room;
use carryless_gf2::algebra::{Divisor, Poly};
use pyo3::exceptions::{PyValueError, PyZeroDivisionError};
use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// With fewer words in all operands the GIL is not released: that would take longer than the operation.
const SHORT: usize = 128;

/// Runs `work`, without the GIL if the operands together have at least [`SHORT`] words.
pub(crate) fn run<R: Send>(py: Python<'_>, operands: [&Poly; 2], work: impl FnOnce() -> R + Send) -> R {
    let words: usize = operands.iter().map(|operand| operand.words().len()).sum();
    if words < SHORT { work() } else { py.detach(work) }
}

/// The time between two looks for signals. They need the GIL, which another thread may keep for 5 ms.
const PAUSE: Duration = Duration::from_millis(50);

/// Runs a long computation with `bits` coefficients and bits of an exponent in all. It calls the function that it gets between its steps,
/// which fails after a signal such as Ctrl-C. The GIL is released unless they are short.
pub(crate) fn patient<R: Send>(
    py: Python<'_>,
    bits: usize,
    work: impl FnOnce(&mut dyn FnMut() -> PyResult<()>) -> PyResult<R> + Send,
) -> PyResult<R> {
    if 2 * bits < 64 * SHORT {
        return work(&mut || Ok(()));
    }
    py.detach(|| {
        let mut due = Instant::now() + PAUSE;
        work(&mut || {
            if Instant::now() < due {
                return Ok(());
            }
            due = Instant::now() + PAUSE;
            Python::attach(|py| py.check_signals())
        })
    })
}

/// The quotient and the remainder of a by d; a ZeroDivisionError for d = 0.
pub(crate) fn divided(py: Python<'_>, a: &Poly, d: &Poly) -> PyResult<(Poly, Poly)> {
    let result = run(py, [a, d], || a.div_rem(d));
    result.ok_or_else(|| PyZeroDivisionError::new_err("division by the polynomial 0"))
}

/// The prepared modulus f; a ZeroDivisionError for f = 0.
pub(crate) fn divisor(f: &Poly) -> PyResult<Divisor> {
    Divisor::new(f).ok_or_else(|| PyZeroDivisionError::new_err("reduction modulo the polynomial 0"))
}

/// The polynomial in a text; a ValueError for other text, a MemoryError for an exponent that is too large.
pub(crate) fn text(text: &str) -> PyResult<Poly> {
    // Memory is the limit, not the parser: the largest number in the text is taken for an exponent, and room
    // for it checked.
    // That many coefficients would take 128 GiB.
    let limit = usize::try_from((1_u64 << 40) - 1).unwrap_or(usize::MAX);
    let largest = text
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|n| n.parse().ok())
        .filter(|n| *n <= limit)
        .max();
    // Hexadecimal digits are coefficients, and the text itself limits how many.
    if !text.trim_start().starts_with("0x") {
        room(largest.unwrap_or(0))?;
    }
    Poly::from_str_bounded(text, limit).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// a^e by squarings of the result. A signal ends it.
pub(crate) fn power(py: Python<'_>, a: &Poly, e: u64) -> PyResult<Poly> {
    let mut power = Poly::one();
    // From the highest bit of the exponent down. For 0 there is no step.
    for i in (0..u64::BITS - e.leading_zeros()).rev() {
        power = run(py, [&power, &power], || {
            let square = power.square();
            if e >> i & 1 == 1 { &square * a } else { square }
        });
        py.check_signals()?;
    }
    Ok(power)
}
