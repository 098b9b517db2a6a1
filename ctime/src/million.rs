//! k P and k G by themselves, on a curve of each class: with the other cases in short rounds, and by a million calls each.
//!
//! With so many calls |t| is compared to 4.5, as "dudect" does. All of them must exceed it, for the same percentile and with the same sign, in each of
//! [`ATTEMPTS`] rounds: a single one does by chance, or while other jobs disturb one class more than the other.
use crate::measured::Measured;
use crate::secret::{array, publish};
use crate::statistics::{ATTEMPTS, CROPS, FIXED, Size, Test};
use carryless_gf2::ClmulCpu;
use carryless_gf2::curve::{AffinePoint, BinaryCurve, Curve, Gls254, Scalar, Sect163r2, Sect571k1};
use std::hint::black_box;
use std::time::Duration;

/// What dudect takes for a suspicion.
const BOUND: f64 = 4.5;

/// A round. The soft machine does not get as far in the time.
const MILLION: Size = Size { measurements: 1_000_000, time: Duration::from_secs(150) };

/// On one machine: secret k, public P. A random curve, one of Koblitz, and the one with another endomorphism.
pub fn products(cpu: ClmulCpu) -> Vec<Measured<'static>> {
    let curves = [of_curve::<Sect163r2>(cpu), of_curve::<Sect571k1>(cpu), of_curve::<Gls254>(cpu)];
    curves.into_iter().flatten().collect()
}

/// A product of a secret scalar and a public point.
type Call = Box<dyn FnMut()>;

fn of_curve<C: BinaryCurve>(cpu: ClmulCpu) -> Vec<Measured<'static>> {
    let curve = Curve::<C>::on(cpu);
    let p = AffinePoint::<C>::generator().double();
    let calls: [(&str, Call); 2] = [
        ("k P", Box::new(move || publish(curve.mul(&scalar(), &p)))),
        ("k G", Box::new(move || publish(curve.mul_base(&scalar())))),
    ];
    let measured = |(what, call): (&str, Call)| Measured {
        name: format!("{:<11} {what} on {}", cpu.name(), C::NAME),
        test: Test::of(call).expect("k is secret"),
    };
    calls.into_iter().map(measured).collect()
}

/// A secret scalar. Below n for the fixed class and for random ones: its upper bits are zero.
fn scalar<C: BinaryCurve>() -> Scalar<C> {
    Scalar::reduce_be_bytes(&array::<20>())
}

/// Whether a planted leak is seen, and nothing else.
pub fn all_products() -> bool {
    let planted = is_leak(&mut planted());
    println!(
        "a branch around one product of the field: {}",
        if planted { "seen, as it must be" } else { "NOT SEEN" }
    );
    // Soft machines with lanes are there for the sake of valgrind.
    let machines = ClmulCpu::available().filter(|cpu| !["soft2", "soft4"].contains(&cpu.name()));
    let mut all: Vec<_> = machines.flat_map(products).collect();
    let leaks = all.iter_mut().filter_map(|measured| is_leak(measured).then_some(())).count();
    println!("k P and k G: {} passed, {leaks} failed", all.len() - leaks);
    planted && leaks == 0
}

/// k P, and one product of the field more if a secret byte is the fixed one: a thousandth of the time.
fn planted() -> Measured<'static> {
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
    let call: Box<dyn FnMut()> = Box::new(call);
    Measured { name: "planted".into(), test: Test::of(call).expect("k is secret") }
}

/// Whether t exceeds the bound in all attempts.
fn is_leak(Measured { name, test }: &mut Measured) -> bool {
    let mut above = [[true; 2]; CROPS.len()];
    (1..=ATTEMPTS).all(|attempt| {
        let (calls, t) = test.round(MILLION);
        for (above, t) in above.iter_mut().zip(t) {
            above[0] &= t > BOUND;
            above[1] &= -t > BOUND;
        }
        let exceeds = above.as_flattened().contains(&true);
        let word = if exceeds { "EXCEEDS" } else { "ok" };
        println!("{attempt} {word:<7} {name}, {calls} calls: t = {t:.1?}");
        exceeds
    })
}
