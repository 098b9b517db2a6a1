//! Fields GF(2^m) that are types, of even and of odd degree, on every backend: single elements, slices of any length and
//! batches with zeros, against the definitions.
#![no_main]
#![forbid(unsafe_code)]
use carryless_fuzz::field::{check as check_single, check_inverse, check_solution, check_sqrt};
use carryless_fuzz::{Input, words};
use carryless_gf2::ClmulCpu;
use carryless_gf2::field::{BinaryField, Field, FieldWords, Gf13, Gf128Polyval, Gf233, Shape};
use carryless_lab::fuzzing::element;
use carryless_reference::Gf2m;
use libfuzzer_sys::fuzz_target;

type Words = Vec<u64>;

/// The most elements of a slice: several groups of lanes, and a rest.
const MAX_ELEMENTS: usize = 24;

/// Elements as slices take them: they may have bits from z^m on.
fn elements<F: BinaryField>(words: &[u64]) -> Vec<FieldWords<F>> {
    let element = |words: &[u64]| {
        let mut element = FieldWords::<F>::default();
        element.as_mut().copy_from_slice(words);
        element
    };
    words.chunks_exact(F::Shape::WORDS).take(2 * MAX_ELEMENTS).map(element).collect()
}

fn slices<F: BinaryField>(field: &Field<F>, f: &Gf2m, a: &[FieldWords<F>], b: &[FieldWords<F>]) {
    let by = field.cpu().name();
    let mut out = vec![FieldWords::<F>::default(); a.len()];
    let mut results = |operation: &dyn Fn(&mut [FieldWords<F>])| -> Vec<Words> {
        out.iter_mut().for_each(|out| out.as_mut().fill(!0));
        operation(&mut out);
        out.iter().map(|out| out.as_ref().to_vec()).collect()
    };
    let products: Vec<Words> = a.iter().zip(b).map(|(a, b)| f.mul(a.as_ref(), b.as_ref())).collect();
    assert_eq!(results(&|out| field.mul_slices(a, b, out)), products, "{by}");
    let squares: Vec<Words> = a.iter().map(|a| f.square(a.as_ref())).collect();
    assert_eq!(results(&|out| field.square_slice(a, out)), squares, "{by}");
    assert_eq!(results(&|out| field.square_by_shuffles_slice(a, out)), squares, "{by}");
    assert_eq!(results(&|out| field.square_by_affine_slice(a, out)), squares, "{by}");
    for (a, root) in a.iter().zip(results(&|out| field.sqrt_slice(a, out))) {
        check_sqrt(f, a.as_ref(), &root, by);
    }
    for inverses in [results(&|out| field.invert_slice(a, out)), results(&|out| field.batch_invert(a, out))] {
        for (a, inverse) in a.iter().zip(inverses) {
            check_inverse(f, a.as_ref(), &inverse, by);
        }
    }
    let solvable: Vec<_> = a.iter().map(|a| element::<F>(&f.reduce(a.as_ref()))).collect();
    let solvable: Vec<_> = solvable.iter().map(|x| (field.square(x) + *x).to_words()).collect();
    for (c, x) in solvable.iter().zip(results(&|out| field.solve_slice(&solvable, out))) {
        check_solution(f, c.as_ref(), &x, by);
    }
    let mut sum = f.reduce(&[0]);
    products.iter().for_each(|product| sum.iter_mut().zip(product).for_each(|(sum, word)| *sum ^= word));
    assert_eq!(field.dot(a, b).as_words(), sum, "dot product, {by}");
    if let Some(scalar) = b.first() {
        let scalar = f.reduce(scalar.as_ref());
        let scaled: Vec<Words> = a.iter().map(|a| f.mul(a.as_ref(), &scalar)).collect();
        assert_eq!(results(&|out| field.scale_slice(a, &element(&scalar), out)), scaled, "{by}");
    }
}

fn check<F: BinaryField>(zeros: u16, all: &[u64]) {
    let f = Gf2m::new([F::DEGREE].into_iter().chain(F::TAIL.iter().copied()).collect::<Vec<_>>());
    let mut a = elements::<F>(all);
    let b = a.split_off(a.len().div_ceil(2));
    a.truncate(b.len());
    // A fuzzer seldom makes elements that are 0.
    for (i, a) in a.iter_mut().enumerate().filter(|(i, _)| zeros >> (i % 16) & 1 == 1) {
        a.as_mut().fill(0);
        if i % 2 == 1 && F::DEGREE % 64 != 0 {
            // f itself, which is another form of 0 where it fits.
            f.exponents().iter().for_each(|e| a.as_mut()[e / 64] ^= 1 << (e % 64));
        }
    }
    let last = a.last().zip(b.last()).map(|(a, b)| [a, b].map(|words| f.reduce(words.as_ref())));
    let trace = last.as_ref().is_some_and(|[a, _]| f.trace(a));
    for cpu in ClmulCpu::available() {
        let field = Field::<F>::on(cpu);
        slices(&field, &f, &a, &b);
        if let Some([a, b]) = &last {
            check_single(&f, &field, [a, b], trace, cpu.name());
            let a = element::<F>(a);
            assert_eq!(field.square_by_shuffles(&a).as_words(), f.square(a.as_words()));
            assert_eq!(field.square_by_affine(&a).as_words(), f.square(a.as_words()));
            assert_eq!(a.invert_vartime(), a.invert().into_option());
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input::new(data);
    let (field, zeros) = (input.byte(), u16::from_le_bytes(input.array()));
    let all = words(input.rest());
    match field % 3 {
        0 => check::<Gf13>(zeros, &all),
        1 => check::<Gf128Polyval>(zeros, &all),
        _ => check::<Gf233>(zeros, &all),
    }
});
