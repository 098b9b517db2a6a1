//! Powers of a key: made when they are needed, or ready for many messages.
use super::element::Element;
use crate::field::Powers;
use crate::field1305::powers::{power_chain, powers_up_to};
use crate::wipe::wipe;
use zeroize::Zeroize;

/// What four rows of eight lanes take.
const READY: usize = 4 * 8;

/// tau, tau^2, .., tau^32.
#[derive(Clone)]
pub(crate) struct Ready([Element; READY]);

/// The base of the powers: tau, and its powers if they are ready.
#[derive(Clone)]
pub(crate) struct Base {
    pub(crate) tau: Element,
    pub(crate) ready: Option<Ready>,
}

impl Ready {
    /// 31 products, five after each other: each power is a product of two halves.
    pub(crate) fn new(tau: Element) -> Ready {
        Ready(powers_up_to(tau))
    }
}

impl Zeroize for Base {
    fn zeroize(&mut self) {
        let Base { tau, ready } = self;
        tau.zeroize();
        // `Zeroize` for `Option` would go byte by byte.
        if let Some(Ready(powers)) = ready {
            wipe(powers, Element::ZERO);
        }
        *ready = None;
    }
}

impl Powers for Base {
    type Element = Element;

    #[inline(always)]
    fn chain(&self, n: usize) -> [Element; 8] {
        power_chain(self.tau, n)
    }

    #[inline(always)]
    fn ready(&self) -> &[Element] {
        if let Some(Ready(powers)) = &self.ready { powers } else { &[] }
    }
}
