//! The first N powers of the key, computed in 64-bit words and distributed over the lanes.
use crate::base::wipe::wiped;
use crate::eval::powers::{Powers, power_chain};
use crate::field::Field;
use crate::field::one_lane::SCALAR;
use crate::field::p1305::element::Element;
use crate::field::p1305::word64::{self, Clamped};

/// The base of the powers: tau, and whether it is the clamped r of Poly1305, whose products take
/// 4 multiplications instead of 9.
#[derive(Clone, Copy)]
pub(crate) struct Base {
    pub(crate) tau: Element,
    pub(crate) clamped: bool,
}

wiped!([] Base { tau; clamped });

impl Powers for Base {
    type Element = Element;

    #[inline(always)]
    fn tau(&self) -> Element {
        // Word by word: the caller may have stored it so just now, and a load of 16 bytes would wait for both stores.
        self.tau.copied()
    }

    #[inline(always)]
    fn chain(&self, n: usize) -> [Element; 8] {
        match n {
            _ if self.clamped => clamped_chain(self.tau(), n),
            // Eight powers take 52 products of words, longer code than a row: one copy serves all backends of eight
            // lanes.
            8 => eight_powers(self.tau()),
            _ => power_chain(self.tau(), n),
        }
    }
}

/// tau, tau^2, .., tau^n for a clamped tau: n - 1 steps of radix 2^64 in sequence, four wide multiplications each.
#[inline(always)]
pub(crate) fn clamped_chain(tau: Element, n: usize) -> [Element; 8] {
    let k = Clamped::new(SCALAR, [tau.0[0], tau.0[1]]);
    let mut p = [tau; 8];
    let mut i = 1;
    while i < n {
        // A step without a block is a product by r. Its h2 <= 4 keeps the element below 2p.
        p[i] = Element(word64::step(SCALAR, p[i - 1].0, &k, [0; 2], 0));
        i += 1;
    }
    p
}

/// tau to tau^8, for any key: never inlined.
#[inline(never)]
fn eight_powers(tau: Element) -> [Element; 8] {
    power_chain(tau, 8)
}
