//! Fields whose f is known at run time.
use crate::cases::Case;
use crate::secret::{message, publish, word};
use crate::valgrind::decodes;
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::{DynField, DynInverse};
use std::sync::{Mutex, PoisonError};

pub(super) const DYNAMIC: Case<ClmulCpu> = Case {
    functions: &[
        "operations::DynField::add",
        "operations::DynField::mul",
        "operations::DynField::square",
        "operations::DynField::frobenius",
        "operations::DynField::sqrt",
        "operations::DynField::trace",
        "operations::DynField::invert_or_zero",
        "operations::DynField::pow",
        "prepared::DynInverse::invert_or_zero",
        "slices::DynField::mul_slices",
        "slices::DynField::scale_slice",
        "slices::DynField::batch_invert",
        "slices::DynField::dot",
        // These check lengths and then call the functions above.
        "sizes::DynField::try_add",
        "sizes::DynField::try_mul",
        "sizes::DynField::try_square",
        "sizes::DynField::try_frobenius",
        "sizes::DynField::try_sqrt",
        "sizes::DynField::try_trace",
        "sizes::DynField::try_invert_or_zero",
        "sizes::DynField::try_pow",
    ],
    run: dynamic,
};

/// A case of its own: it takes half of all steps, and together the tracer could not follow them.
pub(super) const DYNAMIC_SOLUTION: Case<ClmulCpu> = Case {
    functions: &["operations::DynField::solve_unchecked", "sizes::DynField::try_solve_unchecked"],
    run: solution,
};

/// Packed elements of 1, 2 and 4 bytes, whose bits are all coefficients: of others, whether they have bits from z^m on is public.
pub(super) const PACKED: Case<ClmulCpu> = Case {
    functions: &[
        "packed::DynField::mul_packed",
        "packed::DynField::scale_packed",
        "packed::DynField::batch_invert_packed",
    ],
    run: packed,
};

/// The field with elements of `n` words, reduced by products, by one word or by two. `None` if there is none,
/// or if valgrind cannot decode its code.
fn inverse(cpu: ClmulCpu, n: usize) -> Option<&'static DynInverse> {
    let exponents: &[usize] = match n {
        2 => &[128, 127, 126, 121, 0],
        3 => &[163, 7, 6, 3, 0],
        4 => &[233, 74, 0],
        _ => return None,
    };
    decodes(cpu, n).then(|| made(cpu, exponents))
}

/// A field with its inversion, made once: that takes more steps than the functions with secrets.
fn made(cpu: ClmulCpu, exponents: &[usize]) -> &'static DynInverse {
    static MADE: Mutex<Vec<(&str, &DynInverse)>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, inverse)) =
        made.iter().find(|(name, inverse)| *name == cpu.name() && inverse.field().exponents() == exponents)
    {
        return inverse;
    }
    let f = Poly::from_exponents(exponents.iter().copied());
    let field = DynField::on(cpu, &f).expect("irreducible");
    let inverse: &DynInverse = Box::leak(Box::new(DynInverse::new(&field)));
    made.push((cpu.name(), inverse));
    inverse
}

/// A secret element of `n` words; all of their bits are secret.
fn words(n: usize) -> Vec<u64> {
    (0..n).map(|_| word()).collect()
}

fn solution(cpu: ClmulCpu, n: usize) {
    let Some(inverse) = inverse(cpu, n) else { return };
    let mut out = vec![0; n];
    inverse.field().solve_unchecked(&words(n), &mut out);
    out.into_iter().for_each(publish);
}

fn dynamic(cpu: ClmulCpu, n: usize) {
    let Some(inverse) = inverse(cpu, n) else { return };
    let field = inverse.field();
    let (a, b, mut out) = (words(n), words(n), vec![0; n]);
    let mut release = |compute: &dyn Fn(&mut [u64])| {
        compute(&mut out);
        out.iter().copied().for_each(publish);
    };
    release(&|out| field.add(&a, &b, out));
    release(&|out| field.mul(&a, &b, out));
    release(&|out| field.square(&a, out));
    release(&|out| field.frobenius(&a, 3, out));
    release(&|out| field.sqrt(&a, out));
    release(&|out| field.invert_or_zero(&a, out));
    release(&|out| inverse.invert_or_zero(&a, out));
    release(&|out| field.pow(&a, &[11], out));
    publish(field.trace(&a).to_u8());
    let (many, others, mut out) =
        ([a.clone(), b.clone()].concat(), [b.clone(), a.clone()].concat(), vec![0; 2 * n]);
    let mut release = |compute: &dyn Fn(&mut [u64])| {
        compute(&mut out);
        out.iter().copied().for_each(publish);
    };
    release(&|out| field.mul_slices(&many, &others, out));
    release(&|out| field.scale_slice(&many, &b, out));
    release(&|out| field.batch_invert(&many, out));
    release(&|out| field.dot(&many, &others, &mut out[..n]));
}

fn packed(cpu: ClmulCpu, n: usize) {
    let exponents: &[usize] = match n {
        2 => &[8, 4, 3, 1, 0],
        3 => &[16, 5, 3, 1, 0],
        4 => &[32, 7, 3, 2, 0],
        _ => return,
    };
    if !decodes(cpu, n) {
        return;
    }
    let field = made(cpu, exponents).field();
    let (a, b, mut out) = (message(300), message(300), vec![0; 300]);
    let mut release = |compute: &dyn Fn(&mut [u8])| {
        compute(&mut out);
        out.iter().copied().for_each(publish);
    };
    release(&|out| field.mul_packed(&a, &b, out));
    release(&|out| field.scale_packed(&a, &b[..exponents[0] / 8], out));
    release(&|out| field.batch_invert_packed(&a, out));
}
