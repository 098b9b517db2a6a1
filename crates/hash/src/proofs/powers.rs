//! The first powers of the key. Each is a polynomial in tau of a degree at most 8, because products are right for all
//! elements (`values_words`): if it agrees with tau^e for more values of tau than that, it is tau^e.
use super::for_lanes;
use crate::block_rows::block_of_lane;
use crate::field::Powers;
use crate::field1305::element::Element;
use crate::field1305::evaluate::clamp;
use crate::field1305::lanes26::{self, Radix26};
use crate::field1305::powers::Base;
use carryless_lanes::Portable;
use carryless_reference::{BigUint, P1305};

/// More values than the degree, the extreme ones among them.
fn points() -> impl Iterator<Item = [u8; 16]> {
    let random =
        (0..20u64).map(|i| core::array::from_fn(|j| (i * 73 + j as u64 * 151 + i * j as u64 * 29 + 7) as u8));
    [[0; 16], [0xff; 16]].into_iter().chain(random)
}

fn lane_powers<const N: usize>() {
    let p = P1305.p();
    for bytes in points() {
        for base in [
            Base { tau: Element::from_bytes(&bytes), clamped: false },
            Base { tau: clamp(&bytes), clamped: true },
        ] {
            let [w0, w1, _] = base.tau.0;
            let tau = (BigUint::from(w1) << 64u32) + w0;
            let t = lanes26::store(Portable::<N>, base.lane_powers(Radix26(Portable::<N>)));
            for lane in 0..N {
                let limbs = t.map(|limb| limb[lane]).into_iter().enumerate();
                let got = limbs.fold(BigUint::ZERO, |sum, (i, limb)| sum + (BigUint::from(limb) << (26 * i)));
                let exponent = (N - block_of_lane(N, lane)) as u32;
                assert_eq!(got % &p, tau.pow(exponent) % &p, "tau = {tau:x}, lane {lane}");
            }
        }
    }
}

for_lanes! {
    of_every_lane = lane_powers;
}
