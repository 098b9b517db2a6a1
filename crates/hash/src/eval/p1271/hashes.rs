//! The hashes over 2^127 - 1, compiled in this crate.
use super::evaluate::Point;
use crate::choose::{Brw, Thresholds};
use crate::eval::brw::{DecBrw, Layout, Params, Prepared, Size, Streams};
use crate::eval::dispatch::words_only;
use crate::eval::evaluate::Stream;
use crate::eval::evaluate::{Evaluate, compiled_here};
use crate::eval::join::{InvalidSegment, JoinError, Run, SEGMENT_BYTES};
use crate::field::Field;
use crate::field::p1271::element::Element;
use crate::papers;
use carryless_lanes::Cpu;
use zeroize::Zeroizing;

impl Evaluate for Element {
    type Streamed = Point;
    type Powers = Point;
    const SEGMENT: &'static [u8; 8] = b"clph1271";

    // Inlined, it would copy the room for powers in the user's crate.
    #[inline(never)]
    fn stream(cpu: Cpu, tau: Element) -> Stream<Element> {
        Stream::new(Point::new(cpu, tau))
    }

    #[inline(never)]
    fn absorb_blocks(key: &Point, h: &mut Element, msg: &[u8]) {
        *h = key.evaluate(*h, msg).copied();
    }

    fn prepare_for(key: &mut Point, _: usize) {
        // 31 products, once. They serve every later piece, so a long message pays for them.
        key.prepare();
    }

    fn powers(cpu: Cpu, tau: Element) -> Point {
        let mut point = Point::new(cpu, tau);
        point.prepare();
        point
    }

    fn polyhash(powers: &Point, msg: &[u8]) -> [u8; 16] {
        powers.evaluate(Element::ZERO, msg).low_bits().to_le_bytes()
    }

    fn run(powers: &Point, msg: &[u8]) -> Run<Element> {
        Run::new(powers.tau(), powers.evaluate(Element::ZERO, msg), msg.len())
    }

    compiled_here!();

    fn brw(table: &Thresholds) -> &Brw {
        &table.brw1271
    }

    fn in_lanes(cpu: Cpu, layout: Layout, kernel: DecBrw<'_, Self>) -> Self {
        // Layouts that reproduce papers come first; `Err` gives the kernel back for all others.
        let kernel = match papers::brw1271(cpu, layout, kernel) {
            Ok(value) => return value,
            Err(kernel) => kernel,
        };
        match kernel.by_size(cpu.lanes()) {
            Size::NoGroup(kernel) => cpu.eight_lane_ifma().call(kernel, words_only),
            Size::OneGroup(kernel) => cpu.eight_lane_ifma().call(kernel, words_only),
            Size::Groups(kernel) => cpu.eight_lane_ifma().call(kernel, words_only),
            Size::Any(kernel) => cpu.eight_lane_ifma().call(kernel, words_only),
        }
    }
}
