//! k P and k G by themselves, on a curve of each class: with the other cases in short rounds, and by a million calls each.
//!
//! With so many calls |t| is compared to 4.5, as "dudect" does. A leak exceeds it for the same percentile and with the same sign in each of
//! [`ATTEMPTS`] rounds: a single one does by chance, or while other jobs disturb one class more than the other. Each round is a process of its own.
//! Within one, the address of the stack is fixed, and a difference of some cycles that comes with it has the same sign in every round: 6 cycles of 58,000
//! for k P on B-163 on two machines of a Zen 4, the other way round in another process.
use crate::measured::Measured;
use crate::secret::{array, publish};
use crate::statistics::{ATTEMPTS, CROPS, FIXED, Size, Test};
use carryless_gf2::ClmulCpu;
use carryless_gf2::curve::{AffinePoint, BinaryCurve, Curve, Gls254, Scalar, Sect163r2, Sect571k1};
use std::hint::black_box;
use std::process::Command;
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

/// The planted leak, and all products.
fn cases() -> Vec<Measured<'static>> {
    // Soft machines with lanes are there for the sake of valgrind.
    let machines = ClmulCpu::available().filter(|cpu| !["soft2", "soft4"].contains(&cpu.name()));
    core::iter::once(planted()).chain(machines.flat_map(products)).collect()
}

/// Whether a planted leak is seen, and nothing else.
pub fn all_products() -> bool {
    let names: Vec<_> = cases().into_iter().map(|measured| measured.name).collect();
    let leaks: Vec<bool> = names.iter().enumerate().map(|(case, name)| is_leak(case, name)).collect();
    let planted = leaks[0];
    let leaks = leaks[1..].iter().filter(|&&leak| leak).count();
    println!(
        "a branch around one product of the field: {}",
        if planted { "seen, as it must be" } else { "NOT SEEN" }
    );
    println!("k P and k G: {} passed, {leaks} failed", names.len() - 1 - leaks);
    planted && leaks == 0
}

/// One round of a case, whose number of calls and t are printed.
pub fn round(case: usize) -> bool {
    let mut cases = cases();
    let Some(Measured { test, .. }) = cases.get_mut(case) else { return false };
    let (calls, t) = test.round(MILLION);
    println!("{calls} {}", t.map(|t| t.to_string()).join(" "));
    true
}

/// [`round`] in a process of its own.
fn round_apart(case: usize) -> (usize, [f64; CROPS.len()]) {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new(program).args(["--million", &case.to_string()]).output().expect("a process");
    let text = String::from_utf8(output.stdout).expect("a line of numbers");
    let mut words = text.split_whitespace();
    let calls = words.next().and_then(|word| word.parse().ok()).expect("a number of calls");
    (calls, CROPS.map(|_| words.next().and_then(|word| word.parse().ok()).expect("t for each percentile")))
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
fn is_leak(case: usize, name: &str) -> bool {
    let mut above = [[true; 2]; CROPS.len()];
    (1..=ATTEMPTS).all(|attempt| {
        let (calls, t) = round_apart(case);
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
