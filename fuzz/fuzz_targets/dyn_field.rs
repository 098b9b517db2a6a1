//! Fields GF(2^m) whose f is given at run time: any polynomial of up to 703 bits is refused for a reason that holds, or makes a field
//! that computes by the definitions, on every backend.
#![no_main]
#![forbid(unsafe_code)]
use carryless_fuzz::field::check;
use carryless_fuzz::{Input, words};
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::{BinaryField, DynField, DynFieldError};
use carryless_reference::{Gf2m, gf2};
use libfuzzer_sys::fuzz_target;

/// The largest degree of f that is tried: larger fields only make each input slower.
const MAX_DEGREE: usize = 703;
/// Up to this degree the reference checks irreducibility, and an irreducible polynomial is searched
/// for after a reducible one.
const MAX_SEARCHED: usize = 130;

/// Exponents of the fields of the library that are not too large.
fn known() -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    macro_rules! each {
        ($($field:ident),*) => { $( all.push(exponents::<carryless_gf2::field::$field>()); )* };
    }
    carryless_gf2::for_each_field! { each }
    all.retain(|exponents| exponents[0] <= MAX_DEGREE);
    all
}

fn exponents<F: BinaryField>() -> Vec<usize> {
    [F::DEGREE].into_iter().chain(F::TAIL.iter().copied()).collect()
}

/// A polynomial of few terms, of any bits, or one of a field of the library.
fn polynomial(input: &mut Input<'_>) -> Poly {
    let kind = input.byte();
    let place = |input: &mut Input<'_>| usize::from(u16::from_le_bytes(input.array())) % (MAX_DEGREE + 1);
    match kind % 4 {
        0 => {
            let known = known();
            Poly::from_exponents(known[usize::from(input.byte()) % known.len()].iter().copied())
        }
        1 => Poly::from_exponents((0..4).map(|_| place(input)).chain([0])),
        2 => {
            let degree = place(input) % (MAX_SEARCHED + 1);
            Poly::from_words(&words(input.bytes(degree.div_ceil(8)))).truncate(degree)
                + Poly::monomial(degree)
        }
        _ => {
            let degree = place(input);
            Poly::from_words(&words(input.bytes(degree.div_ceil(8)))).truncate(degree)
                + Poly::monomial(degree)
        }
    }
}

/// Makes the field of f. `None` if f is refused, after checking that the reason is right.
fn field(cpu: ClmulCpu, f: &Poly) -> Option<DynField> {
    let exponents: Vec<usize> = f.exponents().collect();
    match DynField::on(cpu, f) {
        Ok(field) => {
            assert_eq!(field.exponents(), exponents);
            assert!(exponents[0] > MAX_SEARCHED || gf2::is_irreducible(&exponents), "{f} is reducible");
            Some(field)
        }
        Err(DynFieldError::Degree { found }) => {
            assert_eq!(found, f.degree());
            assert!(found.is_none_or(|degree| !DynField::DEGREES.contains(&degree)), "{f}");
            None
        }
        Err(error) => {
            assert_eq!(error, DynFieldError::Reducible);
            assert!(exponents[0] > MAX_SEARCHED || !gf2::is_irreducible(&exponents), "{f} is irreducible");
            None
        }
    }
}

/// The next irreducible polynomial of the same degree, if there is one among a few hundred.
fn next_irreducible(f: &Poly) -> Option<Poly> {
    let degree = f.degree().filter(|degree| (2..=MAX_SEARCHED).contains(degree))?;
    let low = f.words()[0];
    let tried = (0..512).map(|i| {
        let mut next = f.clone();
        (0..degree.min(64))
            .for_each(|bit| next.set_coefficient(bit, (low | 1).wrapping_add(2 * i) >> bit & 1 == 1));
        next
    });
    tried.into_iter().find(Poly::is_irreducible_vartime)
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let mut f = polynomial(&mut input);
    if field(ClmulCpu::detect(), &f).is_none() {
        let Some(next) = next_irreducible(&f) else { return };
        f = next;
    }
    let definition = Gf2m::new(f.exponents().collect::<Vec<_>>());
    let [k, e] = input.array().map(usize::from);
    let size = f.degree().unwrap_or(0).div_ceil(64);
    // Bytes are repeated, so that a short input has long operands too.
    let bytes: Vec<u8> = input.rest().iter().copied().chain([0x5a]).cycle().take(16 * size).collect();
    let operands = words(&bytes);
    let (a, b) = operands.split_at(size);
    let trace = definition.trace(a);
    let conjugate = (0..k).fold(definition.reduce(a), |power, _| definition.square(&power));
    let power = (0..e).fold(definition.reduce(&[1]), |power, _| definition.mul(&power, a));
    for cpu in ClmulCpu::available() {
        let field = field(cpu, &f).expect("irreducible");
        let by = format!("{field:?}");
        check(&definition, &field, [a, b], trace, &by);
        let mut out = vec![!0; field.words()];
        field.frobenius(a, k, &mut out);
        assert_eq!(out, conjugate, "frobenius {k}, {by}");
        field.pow(a, &[e as u64], &mut out);
        assert_eq!(out, power, "power {e}, {by}");
        field.add(a, b, &mut out);
        assert!(out.iter().zip(a).zip(b).all(|((sum, a), b)| *sum == a ^ b), "sum, {by}");
    }
});
