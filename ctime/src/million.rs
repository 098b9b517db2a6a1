//! k P and k G by themselves, on a curve of each class: with the other cases in short rounds, and by a million calls each.
//!
//! With a million calls |t| is compared to 4.5, as the program dudect does.
use crate::call::Call;
use crate::secret::{array, publish};
use crate::statistics::{FIXED, Size};
use carryless_gf2::ClmulCpu;
use carryless_gf2::curve::{AffinePoint, BinaryCurve, Curve, Gls254, Scalar, Sect163r2, Sect571k1};
use std::hint::black_box;
use std::time::Duration;

/// Size of a round. The soft backend makes fewer measurements in this time.
pub const MILLION: Size = Size { measurements: 1_000_000, time: Duration::from_secs(150) };

/// Products of a secret k and a public P on one backend: on a random curve, a Koblitz curve,
/// and one with another endomorphism.
pub fn products(cpu: ClmulCpu) -> Vec<Call<'static>> {
    let curves = [of_curve::<Sect163r2>(cpu), of_curve::<Sect571k1>(cpu), of_curve::<Gls254>(cpu)];
    curves.into_iter().flatten().collect()
}

fn of_curve<C: BinaryCurve>(cpu: ClmulCpu) -> [Call<'static>; 2] {
    let curve = Curve::<C>::on(cpu);
    let p = AffinePoint::<C>::generator().double();
    let name = |what| format!("{:<11} {what} on {}", cpu.name(), C::NAME);
    let any = move || publish(curve.mul(&scalar(), &p));
    let base = move || publish(curve.mul_base(&scalar()));
    [Call::new(name("k P"), any), Call::new(name("k G"), base)]
}

/// A secret scalar of 160 bits. It is below n for fixed and random secrets alike, so that reduction does
/// not tell the classes apart.
fn scalar<C: BinaryCurve>() -> Scalar<C> {
    Scalar::reduce_be_bytes(&array::<20>())
}

/// A planted leak and all products, for rounds of a million calls.
pub fn calls() -> Vec<Call<'static>> {
    // Soft backends with lanes exist only for valgrind.
    let backends = ClmulCpu::available().filter(|cpu| !["soft2", "soft4"].contains(&cpu.name()));
    [planted()].into_iter().chain(backends.flat_map(products)).collect()
}

/// k P, and one more product of field elements if a secret byte is the fixed one. It takes a thousandth of the time.
fn planted() -> Call<'static> {
    let curve = Curve::<Sect163r2>::new();
    let p = AffinePoint::<Sect163r2>::generator().double();
    let [x, y] = Sect163r2::GENERATOR;
    let call = move || {
        let byte = array::<1>();
        publish(curve.mul(&scalar(), &p));
        if byte[0] == FIXED {
            black_box(black_box(x) * y);
        }
    };
    let name = "a branch around one product of the field";
    Call { planted: true, ..Call::new(name.into(), call) }
}
