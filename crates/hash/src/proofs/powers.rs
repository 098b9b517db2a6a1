//! The first powers of the key. Each is a polynomial in tau of a degree at most 8, because products are right for all
//! elements (`values_words`): if it agrees with tau^e for more values of tau than that, it is tau^e.
use super::for_lanes;
use crate::base::block_rows::block_of_lane;
use crate::eval::p1305::evaluate::clamp;
use crate::eval::p1305::powers::Base;
use crate::eval::powers::Powers;
use crate::field::LaneField;
use crate::field::p1305::element::Element;
use crate::field::p1305::lanes26::{self, Radix26};
use crate::field::p1305::lanes44::{self, Radix44};
use carryless_lanes::Portable;
use carryless_reference::{BigUint, P1305};

/// More values than the degree, the extreme ones among them.
fn points() -> impl Iterator<Item = [u8; 16]> {
    let random =
        (0..20u64).map(|i| core::array::from_fn(|j| (i * 73 + j as u64 * 151 + i * j as u64 * 29 + 7) as u8));
    [[0; 16], [0xff; 16]].into_iter().chain(random)
}

/// Every lane has the power of its block. `store` writes the limbs, of `bits` bits each.
fn lane_powers<F: LaneField<Element = Element>, const L: usize>(
    f: F,
    bits: u32,
    store: impl Fn(F::Fe) -> [[u64; 8]; L],
) {
    let p = P1305.p();
    for bytes in points() {
        for base in [
            Base { tau: Element::from_bytes(&bytes), clamped: false },
            Base { tau: clamp(&bytes), clamped: true },
        ] {
            let [w0, w1, _] = base.tau.0;
            let tau = (BigUint::from(w1) << 64u32) + w0;
            let t = store(base.lane_powers(f));
            for lane in 0..F::N {
                let limbs = (0u32..).zip(t.map(|limb| limb[lane]));
                let got =
                    limbs.fold(BigUint::ZERO, |sum, (i, limb)| sum + (BigUint::from(limb) << (bits * i)));
                let exponent = (F::N - block_of_lane(F::N, lane)) as u32;
                assert_eq!(got % &p, tau.pow(exponent) % &p, "tau = {tau:x}, lane {lane}");
            }
        }
    }
}

fn in_radix26<const N: usize>() {
    lane_powers(Radix26(Portable::<N>), 26, |h| lanes26::store(Portable::<N>, h));
}

#[test]
fn in_radix44() {
    lane_powers(Radix44(Portable::<4>), 44, |h| lanes44::store(Portable::<4>, h));
    lane_powers(Radix44(Portable::<8>), 44, |h| lanes44::store(Portable::<8>, h));
}

for_lanes! {
    of_every_lane = in_radix26;
}
