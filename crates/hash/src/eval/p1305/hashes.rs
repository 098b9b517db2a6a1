//! The hashes over 2^130 - 5, compiled in this crate.
use super::evaluate::Point;
use super::prepared::{self, Streamed};
use crate::choose::{Brw, Thresholds};
use crate::eval::brw::{DecBrw, Layout, Params, Prepared, Size, Streams};
use crate::eval::dispatch::words_only;
use crate::eval::evaluate::Stream;
use crate::eval::evaluate::{Evaluate, compiled_here};
use crate::eval::join::{InvalidSegment, JoinError, Run, SEGMENT_BYTES};
use crate::field::Field;
use crate::field::p1305::element::Element;
use crate::papers;
use carryless_lanes::Cpu;
use zeroize::Zeroizing;

impl Evaluate for Element {
    type Streamed = Streamed;
    type Powers = prepared::Prepared;
    const SEGMENT: &'static [u8; 8] = b"clph1305";

    // Inlined, it writes the stream where the caller keeps it. A copy would wait until all of it has reached the cache.
    #[inline]
    fn stream(cpu: Cpu, tau: Element) -> Stream<Element> {
        Stream::new(Streamed::new(Point::new(cpu, tau)))
    }

    #[inline(never)]
    fn absorb_blocks(key: &Streamed, h: &mut Element, msg: &[u8]) {
        key.absorb(h, msg);
    }

    fn prepare_for(key: &mut Streamed, len: usize) {
        key.prepare_for(len);
    }

    fn powers(cpu: Cpu, tau: Element) -> prepared::Prepared {
        prepared::Prepared::new(Point::new(cpu, tau))
    }

    fn polyhash(powers: &prepared::Prepared, msg: &[u8]) -> [u8; 16] {
        powers.evaluate(msg).low_bits().to_le_bytes()
    }

    fn run(powers: &prepared::Prepared, msg: &[u8]) -> Run<Element> {
        Run::new(powers.point().tau(), powers.evaluate(msg), msg.len())
    }

    compiled_here!();

    fn brw(table: &Thresholds) -> &Brw {
        &table.brw1305
    }

    fn in_lanes(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, Self>) -> Self {
        // Layouts that reproduce papers come first; `Err` gives the kernel back for all others.
        let kernel = match papers::brw1305(cpu, layout, kernel) {
            Ok(value) => return value,
            Err(kernel) => kernel,
        };
        match kernel.by_size(cpu.lanes()) {
            Size::NoGroup(kernel) => cpu.vectors().call(kernel, words_only),
            Size::OneGroup(kernel) => cpu.vectors().call(kernel, words_only),
            Size::Groups(kernel) => cpu.vectors().call(kernel, words_only),
            Size::Any(kernel) => cpu.vectors().call(kernel, words_only),
        }
    }
}
