//! Values of polynomials at many points.
use super::Small;
use super::units::{Job, Unit, load_at, store_at};
use carryless_lanes::{Bytes, ClmulCpu};

/// Vectors of values that advance together: one waits for the product before, several do not.
const VECTORS: usize = 4;

impl Small {
    /// Sets each of `values` to `value x^n + c`, for the packed points x and the value c at x of the polynomial with these n coefficients. All are reduced.
    pub(in super::super) fn horner(
        &self,
        cpu: ClmulCpu,
        points: &[u8],
        coefficients: &[u64],
        values: &mut [u8],
    ) {
        u8::run(self, cpu, Horner { field: self, points, coefficients, values });
    }
}

/// The kernel: some points at a time, which stay in registers for all coefficients.
struct Horner<'a> {
    field: &'a Small,
    points: &'a [u8],
    coefficients: &'a [u64],
    values: &'a mut [u8],
}

impl Job<u8> for Horner<'_> {
    type Out = ();
    #[inline(always)]
    fn run<S: Bytes, const BITS: u32, const BY_MATRIX: bool>(self, s: S) {
        let step = S::K * u8::LANE;
        // A 1 in every element.
        let ones = u64::MAX / (u64::MAX >> (64 - BITS));
        for row in (0..self.points.len()).step_by(VECTORS * step) {
            let (mut x, mut values) = ([s.zero(); VECTORS], [s.zero(); VECTORS]);
            for i in 0..VECTORS {
                x[i] = load_at(s, self.points, row + i * step);
                values[i] = load_at(s, self.values, row + i * step);
            }
            for coefficient in self.coefficients.iter().rev() {
                let add = s.splat([ones * coefficient; 2]);
                for i in 0..VECTORS {
                    values[i] = s.xor(self.field.mul::<S, BITS, BY_MATRIX>(s, values[i], x[i]), add);
                }
            }
            for (i, value) in values.into_iter().enumerate() {
                store_at(s, value, self.values, row + i * step);
            }
        }
    }
}
