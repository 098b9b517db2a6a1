//! Curves of libraries with a shim, such as RELIC. The header `curves.h` declares the functions that are
//! called.
#![allow(unsafe_code)]
use super::shim::{Call, Held, Shim};
use crate::algebra::{Operation as _, subject};
use crate::curves::case::{Case, Operation, Parameters};
use crate::f2x::word;
use crate::input::Input;
use crate::subject::{Runner, Subject, Work};
use anyhow::Result;
use std::ffi::{CString, c_char, c_int};
use std::path::PathBuf;

/// Libraries with curves that are loaded by path.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct CurveShims {
    /// RELIC's curves over one field, by a shared library made of crates/bench/shims/relic_curves.c
    /// (crates/bench/PEERS.md); named after its file
    #[arg(long, value_name = "FILE")]
    relic: Vec<PathBuf>,
}

/// A curve as the shim takes it, `struct curve` in curves.h. Elements are in words of 64 bits.
#[repr(C)]
pub(crate) struct Curve {
    exponents: *const c_int,
    a: *const u64,
    b: *const u64,
    x: *const u64,
    y: *const u64,
    order: *const u64,
    order_words: usize,
    cofactor: u64,
}

/// The function that makes a call. Arguments: operation, curve, k, l, x and y of P. It returns null if
/// the library lacks the operation.
type New =
    unsafe extern "C" fn(*const c_char, *const Curve, *const u64, *const u64, *const u64, *const u64) -> Call;

/// A library with curves that was loaded.
pub(crate) type CurveShim = Shim<New>;

impl CurveShims {
    /// Loads all libraries that are named.
    ///
    /// # Errors
    /// If a file is no such library, or two have one name.
    pub(crate) fn load(&self) -> Result<Vec<CurveShim>> {
        // SAFETY: the type is that of curves.h.
        unsafe { Shim::load_all("curves", self.relic.iter()) }
    }
}

impl CurveShim {
    /// The products that the library has on a curve; none on curves over an extension,
    /// which the header cannot describe.
    pub(crate) fn subjects(&self, curve: &Parameters) -> Vec<(Operation, Subject)> {
        // A call on any operands shows whether the library has an operation on this curve.
        let any = Case { k: vec![1], l: vec![1], point: curve.generator() };
        let one = |operation| {
            let work = OnCurve { shim: self.clone(), curve: curve.clone(), operation };
            work.call(&any)?;
            Some(subject(&self.name, operation, "any", work))
        };
        if curve.is_over_extension() { vec![] } else { Operation::all().filter_map(one).collect() }
    }
}

struct OnCurve {
    shim: CurveShim,
    curve: Parameters,
    operation: Operation,
}

impl OnCurve {
    /// A call on these operands; `None` if the library lacks the operation or the curve.
    fn call(&self, case: &Case) -> Option<Held> {
        let Parameters { f, domain, .. } = &self.curve;
        let exponents: Vec<c_int> = f.iter().map(|exponent| *exponent as c_int).chain([-1]).collect();
        let operation = CString::new(self.operation.name()).expect("names have no zeros");
        let order = domain.order.to_u64_digits();
        let [k, l] = [&case.k, &case.l].map(|bytes| scalar(bytes, order.len()));
        let ([gx, gy], [x, y]) = (self.curve.generator(), &case.point);
        let (a, b) = (&domain.curve.a, &domain.curve.b);
        let words = f[0].div_ceil(64);
        // The header passes no lengths, so a short element would make the library read beyond it.
        assert!([a, b, &gx, &gy, x, y].iter().all(|element| element.len() == words), "elements of the field");
        let curve = Curve {
            exponents: exponents.as_ptr(),
            a: a.as_ptr(),
            b: b.as_ptr(),
            x: gx.as_ptr(),
            y: gy.as_ptr(),
            order: order.as_ptr(),
            order_words: order.len(),
            cofactor: domain.cofactor.iter_u64_digits().next().unwrap_or(0),
        };
        // SAFETY: the name ends with zero, the exponents with -1; elements have the words of the field and
        // scalars those of n, of which the library makes copies; a result has two elements.
        unsafe {
            let call = (self.shim.new)(
                operation.as_ptr(),
                &raw const curve,
                k.as_ptr(),
                l.as_ptr(),
                x.as_ptr(),
                y.as_ptr(),
            );
            self.shim.hold(call, 2 * words)
        }
    }
}

/// The words of a big-endian number, least significant word first, with zeros up to `words`.
fn scalar(bytes: &[u8], words: usize) -> Vec<u64> {
    let bytes: Vec<u8> = bytes.iter().rev().copied().collect();
    let mut all: Vec<u64> = bytes.chunks(8).map(word).collect();
    all.resize(words, 0);
    all
}

impl Work for OnCurve {
    fn ready<'a>(&'a self, input: &'a Input) -> Runner<'a> {
        self.call(&Case::new(&self.curve, input)).expect("it was there before").runner(|words| words)
    }
}

#[cfg(test)]
mod tests {
    use super::super::shim::Calls;
    use super::*;
    use crate::algebra::Structure;
    use crate::curves::case::parameters;
    use crate::input::Fill;
    use carryless_gf2::curve::{Gls254, Sect163r2};
    use carryless_reference::BigUint;
    use carryless_reference::curve::{self as reference, Domain, Field, Point};
    use std::ffi::CStr;
    use std::slice::from_raw_parts;

    /// A stand-in for a library, in Rust: it computes k G + l P by the reference.
    struct Own {
        domain: Domain,
        scalars: [BigUint; 2],
        p: Point,
        out: Option<Point>,
    }

    unsafe extern "C" fn new(
        operation: *const c_char,
        curve: *const Curve,
        k: *const u64,
        l: *const u64,
        x: *const u64,
        y: *const u64,
    ) -> Call {
        // SAFETY: as curves.h has it.
        let (name, curve) = unsafe { (CStr::from_ptr(operation), &*curve) };
        if name != c"double-base" {
            return std::ptr::null_mut();
        }
        // SAFETY: -1 ends the exponents.
        let f = (0..).map(|i| unsafe { *curve.exponents.add(i) }).take_while(|exponent| *exponent >= 0);
        let f: Vec<usize> = f.map(|exponent| exponent as usize).collect();
        // SAFETY: these are elements, or numbers of as many words as n.
        let words = |from: *const u64, count: usize| unsafe { from_raw_parts(from, count) }.to_vec();
        let element = |from| words(from, f[0].div_ceil(64));
        let number = |from| {
            let words = words(from, curve.order_words);
            BigUint::from_bytes_le(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
        };
        let (a, b) = (element(curve.a), element(curve.b));
        let own = Own {
            domain: Domain {
                curve: reference::Curve { field: Field::new(&f), a, b },
                generator: Point::Affine(element(curve.x), element(curve.y)),
                order: number(curve.order),
                cofactor: curve.cofactor.into(),
            },
            scalars: [number(k), number(l)],
            p: Point::Affine(element(x), element(y)),
            out: None,
        };
        Box::into_raw(Box::new(own)).cast()
    }

    unsafe extern "C" fn run(call: Call, times: u64) {
        // SAFETY: it is one of `new`'s.
        let Own { domain: Domain { curve, generator, .. }, scalars: [k, l], p, out } =
            unsafe { &mut *call.cast::<Own>() };
        // The reference is slow, and further calls would give the same result.
        for _ in 0..times.min(1) {
            *out = Some(curve.add(&curve.mul(k, generator), &curve.mul(l, p)));
        }
    }

    unsafe extern "C" fn result(call: Call, words: *mut u64) {
        // SAFETY: it is one of `new`'s.
        let Some(Point::Affine(x, y)) = (unsafe { &(*call.cast::<Own>()).out }) else {
            panic!("there is no result")
        };
        // SAFETY: there is room for two elements.
        unsafe { std::slice::from_raw_parts_mut(words, 2 * x.len()) }.copy_from_slice(&[&x[..], y].concat());
    }

    unsafe extern "C" fn free(call: Call) {
        // SAFETY: it is one of `new`'s.
        drop(unsafe { Box::from_raw(call.cast::<Own>()) });
    }

    #[test]
    fn a_library_is_given_the_curve_and_the_operands() {
        let shim = CurveShim { name: "own".into(), new, calls: Calls { run, result, free } };
        let curve = parameters::<Sect163r2>();
        let subjects = shim.subjects(&curve);
        let names: Vec<&str> = subjects.iter().map(|(_, subject)| subject.name.as_str()).collect();
        assert_eq!(names, ["own/double-base"]);
        for fill in [Fill::Ones, Fill::Random(1)] {
            let input = Input::new(curve.message(), 1, fill);
            assert_eq!(subjects[0].1.tags(&input), [curve.expected(Operation::Double, &input)]);
        }
        // The header has no curves over an extension.
        assert!(shim.subjects(&parameters::<Gls254>()).is_empty());
    }

    #[test]
    fn the_curve_is_given_with_its_order() {
        let shim = CurveShim { name: "own".into(), new, calls: Calls { run, result, free } };
        let curve = parameters::<Sect163r2>();
        let work = OnCurve { shim, curve: curve.clone(), operation: Operation::Double };
        let case = Case { k: vec![1], l: vec![0], point: curve.generator() };
        let call = work.call(&case).expect("it is there");
        // SAFETY: it is one of `new`'s.
        assert_eq!(unsafe { &(*call.address().cast::<Own>()).domain }, &curve.domain);
    }

    #[test]
    fn what_is_no_such_library_is_named() {
        let load = |file: &str| {
            let shims = CurveShims { relic: vec![file.into()] };
            format!("{:#}", shims.load().err().expect("it is no library with curves"))
        };
        assert!(load("no-such-file.so").starts_with("no-such-file.so: "));
        let own = std::env::current_exe().expect("a test has a file");
        assert!(load(&own.display().to_string()).contains(&*own.to_string_lossy()));
    }
}
