//! Which kernel serves which length, and the running value that streams share.
//!
//! Every kernel computes the same: from a value h and blocks C_1 .. C_l (padded elements of the field),
//! h tau^l + C_1 tau^l + C_2 tau^(l-1) + ... + C_l tau.
use crate::blocks::{BLOCK, pad_partial, words};
use crate::field1305::element::{Element, SCALAR};
use crate::field1305::horner::Horner;
use crate::field1305::window::{Prepare, Table, Window};
use crate::field1305::word44::{self, Multiplier};
use crate::field1305::word64::{self, Clamped};
use carryless_lanes::Cpu;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// A key for evaluation: the point tau, and the machine that evaluates there.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Point {
    tau: Element,
    clamped: bool,
    #[zeroize(skip)]
    cpu: Cpu,
}

impl Point {
    /// Any 128-bit key.
    pub(crate) fn new(cpu: Cpu, key: &[u8; 16]) -> Point {
        Point { tau: Element::from_bytes(key), clamped: false, cpu }
    }

    /// The clamped r of Poly1305.
    pub(crate) fn clamped(cpu: Cpu, r: &[u8; 16]) -> Point {
        let r = u128::from_le_bytes(*r) & 0x0fff_fffc_0fff_fffc_0fff_fffc_0fff_ffff;
        Point { tau: Element([r as u64, (r >> 64) as u64, 0]), clamped: true, cpu }
    }

    pub(crate) fn tau(&self) -> Element {
        self.tau
    }

    /// `h` and all of `msg`, whose last block may be short.
    pub(crate) fn evaluate(&self, h: Element, msg: &[u8]) -> Element {
        if msg.len() >= 4096 {
            let mut table = Table::EMPTY;
            self.cpu.call(Prepare { tau: self.tau, table: &mut table });
            return self.cpu.call(Window { table: &table, h: Some(h), msg });
        }
        if msg.len() >= 256 {
            return self.cpu.call(Horner { tau: self.tau, h, msg, g: 4 });
        }
        if self.clamped { self.short_clamped(h, msg) } else { self.short_any(h, msg) }
    }

    fn short_clamped(&self, h: Element, msg: &[u8]) -> Element {
        let k = Clamped::new(SCALAR, [self.tau.0[0], self.tau.0[1]]);
        let mut h = h.0;
        let (blocks, tail) = msg.as_chunks::<BLOCK>();
        for block in blocks {
            h = word64::step(SCALAR, h, words(block), 1, &k);
        }
        if !tail.is_empty() {
            h = word64::step(SCALAR, h, words(&pad_partial(tail)), 0, &k);
        }
        Element(h)
    }

    fn short_any(&self, h: Element, msg: &[u8]) -> Element {
        let k = Multiplier::new(SCALAR, self.tau.limbs44());
        let mut h = h.limbs44();
        let (blocks, tail) = msg.as_chunks::<BLOCK>();
        for block in blocks {
            h = word44::step(SCALAR, h, word44::split(SCALAR, words(block), 1), &k);
        }
        if !tail.is_empty() {
            h = word44::step(SCALAR, h, word44::split(SCALAR, words(&pad_partial(tail)), 0), &k);
        }
        Element(word44::pack(SCALAR, h))
    }
}

/// A value that grows by streamed bytes: whole blocks are absorbed, the rest waits.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(crate) struct Stream {
    point: Point,
    h: Element,
    rest: [u8; BLOCK],
    rest_len: usize,
}

impl Stream {
    pub(crate) fn new(point: Point) -> Stream {
        Stream { point, h: Element::ZERO, rest: [0; BLOCK], rest_len: 0 }
    }

    pub(crate) fn update(&mut self, mut msg: &[u8]) {
        if self.rest_len > 0 {
            let take = msg.len().min(BLOCK - self.rest_len);
            self.rest[self.rest_len..self.rest_len + take].copy_from_slice(&msg[..take]);
            self.rest_len += take;
            msg = &msg[take..];
            if self.rest_len < BLOCK {
                return;
            }
            self.h = self.point.evaluate(self.h, &self.rest);
            self.rest_len = 0;
        }
        let (whole, tail) = msg.split_at(msg.len() / BLOCK * BLOCK);
        self.h = self.point.evaluate(self.h, whole);
        self.rest[..tail.len()].copy_from_slice(tail);
        self.rest_len = tail.len();
    }

    pub(crate) fn finish(&self) -> Element {
        self.point.evaluate(self.h, &self.rest[..self.rest_len])
    }
}
