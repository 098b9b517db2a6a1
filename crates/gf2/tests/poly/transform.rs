//! Products by additive Fourier transforms.
use crate::common::{mul, pick};
use crate::random::Random;
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::{Plan, Ring, Step};
use carryless_reference::gf2;

/// All numbers of points to 10 and around 16, with operands of equal and unequal size, the last piece full or not.
#[test]
fn every_number_of_points() {
    let most = pick(17, 5, 3);
    for ring in Ring::ALL.into_iter().take(pick(4, 4, 1)) {
        let piece = ring.words();
        for points in (1..=10).chain(15..=17).filter(|&points: &usize| points <= most) {
            for (short, cut) in [(1, 0), (points.div_ceil(2), piece - 1), (points.div_ceil(3), 3)] {
                let sizes = [(points + 1 - short) * piece, short * piece - cut];
                let random = sizes.map(|n| Random(n as u64).words(n));
                for [a, b] in [random, sizes.map(|n| vec![!0; n])] {
                    let wanted = gf2::mul(&a, &b);
                    for cpu in ClmulCpu::available() {
                        let plan = Plan::by_transform(cpu, sizes[0], sizes[1], ring).expect("enough points");
                        assert!(mul(&plan, &a, &b) == wanted, "{}, {points} points", plan.describe());
                    }
                }
            }
        }
    }
}

/// Up to all points of the small field, against constructions of the other kind.
#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn many_points() {
    let cpu = ClmulCpu::detect();
    for ring in Ring::ALL {
        for points in [63, 64, 65, 97, 127, 128, 129, 192, 255, 256, 257, 400, 1000] {
            if points > pick(1000, 100, 0) {
                break;
            }
            let short = points / 2 - points / 7;
            let [a, b] =
                [points + 1 - short, short].map(|pieces| Random(points as u64).words(pieces * ring.words()));
            match Plan::by_transform(cpu, a.len(), b.len(), ring) {
                Ok(plan) => {
                    let levels = a.len().div_ceil(8).next_power_of_two().ilog2() as usize;
                    let other =
                        Plan::forced(cpu, a.len(), &[Step::Karat2; 14][..levels], 8).expect("a chain");
                    let mut padded = b.clone();
                    padded.resize(a.len(), 0);
                    let wanted = mul(&other, &a, &padded);
                    assert!(mul(&plan, &a, &b) == wanted[..a.len() + b.len()], "{}", plan.describe());
                }
                Err(_) => assert!(points > ring.points()),
            }
        }
    }
}

/// So many points that every element of the field's basis is one, and every branch of a truncated transform is met often; against
/// Karat5 over Karat2. (The direct tests of values and multipliers are `fft::transform` and `fft::field`'s.)
#[test]
#[cfg_attr(miri, ignore = "takes hours")]
fn twenty_thousand_points() {
    let (points, ring) = (pick(20_000, 100, 0), Ring::P16R256);
    let sizes = [(points / 2 + 1) * ring.words(), points / 2 * ring.words() - 3];
    let [a, b] = sizes.map(|n| Random(n as u64).words(n));
    let cpu = ClmulCpu::detect();
    let plan = Plan::by_transform(cpu, a.len(), b.len(), ring).expect("enough points");
    assert_eq!(plan.levels().nth(1).map(|level| level.count), Some(points));
    let mut steps = vec![Step::Karat5];
    steps.resize(1 + a.len().div_ceil(5 * 8).next_power_of_two().ilog2() as usize, Step::Karat2);
    let other = Plan::forced(cpu, a.len(), &steps, 8).expect("a chain");
    let mut padded = b.clone();
    padded.resize(a.len(), 0);
    let wanted = mul(&other, &a, &padded);
    assert!(mul(&plan, &a, &b) == wanted[..a.len() + b.len()], "{}", plan.describe());
}
