//! Fields whose f is known at run time.
use crate::cases::Case;
use crate::secret::{publish, word};
use crate::valgrind::decodes;
use carryless_gf2::ClmulCpu;
use carryless_gf2::algebra::Poly;
use carryless_gf2::field::DynField;

pub(super) const DYNAMIC: Case<ClmulCpu> = Case {
    functions: &[
        "operations::DynField::add",
        "operations::DynField::mul",
        "operations::DynField::square",
        "operations::DynField::frobenius",
        "operations::DynField::sqrt",
        "operations::DynField::trace",
        "operations::DynField::invert_or_zero",
        "operations::DynField::solve_unchecked",
        "operations::DynField::pow",
        "slices::DynField::mul_slices",
        "slices::DynField::scale_slice",
        "slices::DynField::batch_invert",
        "slices::DynField::dot",
        // Those that check lengths and do the same.
        "sizes::DynField::try_add",
        "sizes::DynField::try_mul",
        "sizes::DynField::try_square",
        "sizes::DynField::try_frobenius",
        "sizes::DynField::try_sqrt",
        "sizes::DynField::try_trace",
        "sizes::DynField::try_invert_or_zero",
        "sizes::DynField::try_solve_unchecked",
        "sizes::DynField::try_pow",
    ],
    run: dynamic,
};

/// With f that is known at run time: reduced by products by constants, by one word and by two.
fn dynamic(cpu: ClmulCpu, n: usize) {
    let exponents: &[usize] = match n {
        2 => &[128, 127, 126, 121, 0],
        3 => &[163, 7, 6, 3, 0],
        4 => &[233, 74, 0],
        _ => return,
    };
    if !decodes(cpu, n) {
        return;
    }
    let field = DynField::on(cpu, &Poly::from_exponents(exponents.iter().copied())).expect("irreducible");
    let words = || -> Vec<u64> { (0..n).map(|_| word()).collect() };
    let (a, b, mut out) = (words(), words(), vec![0; n]);
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
    release(&|out| field.solve_unchecked(&a, out));
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
