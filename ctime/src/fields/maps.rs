//! Linear maps.
use super::{element, release, run, secret};
use crate::cases::Case;
use crate::secret::publish;
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::{BinaryField, Field, FieldWords, LinearMap, PreparedInverse, SliceMap};
use carryless_gf2::papers::NibbleTable;

pub(super) const MAPS: Case<ClmulCpu> = Case {
    functions: &[
        "map::LinearMap::apply",
        "map::LinearMap::apply_slice",
        "slices::SliceMap::apply_slice",
        "nibble_table::NibbleTable::apply",
        "prepared::PreparedInverse::invert_or_zero",
        "prepared::PreparedInverse::invert",
    ],
    run: |cpu, n| run(cpu, n, maps, maps, maps),
};

/// Applies maps to secret elements. The maps themselves are public.
fn maps<F: BinaryField>(field: &Field<F>) {
    let (map, prepared) = (LinearMap::frobenius(field, 5), PreparedInverse::new(field));
    let (a, mut out) = (element(), [FieldWords::<F>::default(); 2]);
    map.apply_slice(&[secret::<F>(), secret::<F>()], &mut out);
    out.iter().flat_map(|words| words.as_ref()).copied().for_each(publish);
    // A full group of 16 elements for each of two lanes, and one element more.
    let (many, mut out) = ([(); 33].map(|()| secret::<F>()), [FieldWords::<F>::default(); 33]);
    SliceMap::new(&map).apply_slice(&many, &mut out);
    out.iter().flat_map(|words| words.as_ref()).copied().for_each(publish);
    for result in [
        map.apply(&a),
        NibbleTable::frobenius(field, 5).apply(&a),
        prepared.invert_or_zero(&a),
        prepared.invert(&a).to_inner_unchecked(),
    ] {
        release(&result);
    }
}
