//! Powers of a key modulo 2^127 - 1: computed per message, or precomputed for many messages.
use crate::base::wipe::wipe;
use crate::eval::powers::{Powers, powers_up_to};
use crate::field::p1271::element::Element;
use zeroize::Zeroize;

/// Number of precomputed powers: enough for four rows of eight lanes.
const READY: usize = 4 * 8;

/// The powers tau^1 to tau^32 in order, two words each. As secret as the key.
#[derive(Clone)]
pub(crate) struct Ready([Element; READY]);

/// The base of the powers: tau, with its precomputed powers if there are any.
#[derive(Clone)]
pub(crate) struct Base {
    pub(crate) tau: Element,
    pub(crate) ready: Option<Ready>,
}

impl Ready {
    /// Computes the powers: 31 products, five of them in sequence, because each power is a product of
    /// two about half as large.
    pub(crate) fn new(tau: Element) -> Ready {
        Ready(powers_up_to(tau))
    }
}

impl Zeroize for Base {
    fn zeroize(&mut self) {
        let Base { tau, ready } = self;
        tau.zeroize();
        // `Zeroize` for `Option` would clear the powers byte by byte.
        if let Some(Ready(powers)) = ready {
            wipe(powers, Element::ZERO);
        }
        *ready = None;
    }
}

impl Powers for Base {
    type Element = Element;

    #[inline(always)]
    fn tau(&self) -> Element {
        self.tau
    }

    #[inline(always)]
    fn ready(&self) -> &[Element] {
        if let Some(Ready(powers)) = &self.ready { powers } else { &[] }
    }
}
