//! Elements of fields.
use super::ok;
use carryless_capi::{carryless_free, carryless_status};
use carryless_residue::Secrets;
use std::ptr::null_mut;
use zeroize::Zeroize as _;

/// Elements of fields, and what an inversion computes on the way, of every way to multiply.
#[test]
fn field_elements_leave_nothing() {
    use carryless_capi::{
        carryless_field, carryless_field_frobenius, carryless_field_invert, carryless_field_mul,
        carryless_field_new, carryless_field_pow, carryless_field_solve, carryless_field_sqrt,
        carryless_field_trace,
    };
    use carryless_gf2::field::DynField;

    type Operation<'a> =
        &'a (dyn Fn(*mut carryless_field, *const u64, *mut u64, usize) -> carryless_status + Sync);
    let e = [0x0123_4567_89ab_cdef_u64; 2];
    // SAFETY: in all of them, the field came from this library, and the arrays have as many words as said.
    let operations: [(&str, Operation<'_>); 7] = unsafe {
        [
            ("invert", &|field, a, out, words| carryless_field_invert(field, a, out, words)),
            ("mul", &|field, a, out, words| carryless_field_mul(field, a, a, out, words)),
            ("frobenius", &|field, a, out, words| carryless_field_frobenius(field, a, 3, out, words)),
            ("sqrt", &|field, a, out, words| carryless_field_sqrt(field, a, out, words)),
            ("solve", &|field, a, out, words| carryless_field_solve(field, a, out, words)),
            ("pow", &|field, a, out, words| carryless_field_pow(field, a, e.as_ptr(), 2, out, words)),
            ("trace", &|field, a, out, words| carryless_field_trace(field, a, words, out.cast(), 1)),
        ]
    };
    for f in [&[1279, 216, 0][..], &[163, 7, 6, 3, 0], &[128, 127, 126, 121, 0]] {
        let secrets = &Secrets::new(|record| {
            let field = DynField::from_exponents(f).expect("irreducible");
            let mut a: Vec<u64> =
                (1..=field.words() as u64).map(|i| (i + 7).wrapping_mul(0xd134_2543_de82_ef95)).collect();
            *a.last_mut().expect("words") &= u64::MAX >> (64 * a.len() - f[0]);
            let (mut inverse, mut root) = (vec![0; a.len()], vec![0; a.len()]);
            field.invert_or_zero(&a, &mut inverse);
            field.sqrt(&inverse, &mut root);
            for (name, words) in [("a", &a), ("1 / a", &inverse), ("its root", &root)] {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                record(name, &bytes);
            }
        });
        for (name, operation) in &operations {
            secrets.assert_gone(&format!("{name} in GF(2^{})", f[0]), || {
                let (bytes, mut field) = (secrets.reveal("a"), null_mut());
                let mut a: Vec<u64> =
                    bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
                drop(bytes);
                let mut out = vec![0; a.len()];
                // SAFETY: the pointers lead to what their lengths say.
                ok(unsafe { carryless_field_new(f.as_ptr(), f.len(), null_mut(), 0, &raw mut field) });
                ok(operation(field, a.as_ptr(), out.as_mut_ptr(), a.len()));
                a.zeroize();
                out.zeroize();
                // SAFETY: it came from this library.
                ok(unsafe { carryless_free(field.cast()) });
            });
        }
    }
}
