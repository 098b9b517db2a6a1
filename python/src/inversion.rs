//! Inversion of single elements of a field.
use carryless_gf2::field::{DynField, DynInverse};
use std::sync::OnceLock;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

/// How a field inverts single elements: by bit matrices, once there are so many that these pay.
#[derive(Default)]
pub(crate) struct Inversion {
    /// How many elements were inverted without matrices.
    count: AtomicU32,
    prepared: OnceLock<DynInverse>,
}

impl Inversion {
    /// So many inversions without matrices take about as long as making them.
    const PATIENCE: u32 = 256;

    /// Sets `out` to 1 / a, or to 0 if a is 0, in a time that depends on the number of earlier calls, not on a.
    pub(crate) fn invert(&self, field: &DynField, a: &[u64], out: &mut [u64]) {
        if self.count.load(Relaxed) < Self::PATIENCE {
            self.count.fetch_add(1, Relaxed);
            return field.invert_or_zero(a, out);
        }
        self.prepared.get_or_init(|| DynInverse::new(field)).invert_or_zero(a, out);
    }
}
