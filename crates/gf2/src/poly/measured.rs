//! Tables of the fastest measured chains (the Pareto front) by size, with their times on one CPU.
//!
//! Measured by `carryless-lab tune` on the processors that [`TABLES`] names; the table for one lane with AVX2. A
//! line has the words of an operand, the number of Toom3 steps, their x in bits, the odd step, the number of Karat2
//! steps, the words of a leaf, and picoseconds ([`MeasuredChain`]).
mod zen4;

use super::costs::{Costs, MeasuredChain, MeasuredTransform};
use carryless_lanes::{ClmulCpu, CpuClass};

/// A line of a table. Does not compile unless the chain has `words` words.
const fn chain(words: usize, tooms: u8, x: u16, odd: u8, karats: u8, leaf: u8, time: u64) -> MeasuredChain {
    match MeasuredChain::new(tooms, x, odd, karats, leaf, time) {
        Some(measured) if measured.words() == words => measured,
        _ => panic!("a chain, as long as its line says"),
    }
}

const fn transform(point: u64, level: u64) -> MeasuredTransform {
    MeasuredTransform { point, level }
}

/// A table. Does not compile unless its lines are in order.
const fn table(chains: &[MeasuredChain], transforms: [MeasuredTransform; 4]) -> Costs<'_> {
    match Costs::new(chains, transforms) {
        Some(costs) => costs,
        None => panic!("a table in order"),
    }
}

/// A table and the backends that it is for: a class of CPUs and a number of lanes.
pub(super) struct ClassTable {
    class: CpuClass,
    lanes: usize,
    costs: Costs<'static>,
}

/// All tables. For another measured CPU, add its class (`carryless_lanes::CpuClass`) and an entry here, with the lines
/// that `carryless-lab tune` prints. A class without a table for a number of lanes takes that of [`CpuClass::Generic`].
pub(super) const TABLES: &[ClassTable] = &[
    // Measured on a Zen 3.
    ClassTable { class: CpuClass::Generic, lanes: 1, costs: table(ONE_LANE_CHAINS, ONE_LANE_TRANSFORMS) },
    // Measured on a Zen 3.
    ClassTable { class: CpuClass::Generic, lanes: 2, costs: table(TWO_LANES_CHAINS, TWO_LANES_TRANSFORMS) },
    // Measured on an Emerald Rapids.
    ClassTable { class: CpuClass::Generic, lanes: 4, costs: table(FOUR_LANES_CHAINS, FOUR_LANES_TRANSFORMS) },
    ClassTable {
        class: CpuClass::Zen4,
        lanes: 4,
        costs: table(zen4::FOUR_LANES_CHAINS, zen4::FOUR_LANES_TRANSFORMS),
    },
];

/// The table of a class of CPUs for backends of 1, 2 or 4 lanes.
pub(super) fn of_class(tables: &[ClassTable], class: CpuClass, lanes: usize) -> Costs<'static> {
    let find = |class| tables.iter().find(|table| table.class == class && table.lanes == lanes);
    find(class).or_else(|| find(CpuClass::Generic)).unwrap_or(&TABLES[0]).costs
}

impl Costs<'static> {
    /// The table that the library has for a backend on this class of CPU, which is detected. A table that does not
    /// fit the CPU costs speed, nothing else.
    #[must_use]
    pub fn of(cpu: ClmulCpu) -> Costs<'static> {
        Costs::of_class(cpu, CpuClass::detect())
    }

    /// The table that the library has for a backend on a class of CPUs: its own, if it was measured. Otherwise it
    /// is that of a Zen 3 for one lane and for two, and that of an Emerald Rapids for four.
    #[must_use]
    pub fn of_class(cpu: ClmulCpu, class: CpuClass) -> Costs<'static> {
        of_class(TABLES, class, cpu.lanes())
    }
}

const ONE_LANE_TRANSFORMS: [MeasuredTransform; 4] = [
    transform(230000, 44000),
    transform(634000, 104000),
    transform(588000, 110000),
    transform(2057000, 217000),
];

const TWO_LANES_TRANSFORMS: [MeasuredTransform; 4] = [
    transform(136000, 46000),
    transform(287000, 102000),
    transform(267000, 107000),
    transform(1150000, 218000),
];

const FOUR_LANES_TRANSFORMS: [MeasuredTransform; 4] =
    [transform(62282, 32492), transform(98385, 65758), transform(45898, 91875), transform(386003, 146943)];

#[rustfmt::skip]
const ONE_LANE_CHAINS: &[MeasuredChain] = &[
    chain(2, 0, 0, 1, 0, 2, 26218),
    chain(4, 0, 0, 1, 0, 4, 29351),
    chain(6, 0, 0, 1, 0, 6, 34288),
    chain(8, 0, 0, 1, 0, 8, 39521),
    chain(12, 0, 0, 1, 1, 6, 61138),
    chain(16, 0, 0, 1, 1, 8, 86097),
    chain(24, 0, 0, 1, 2, 6, 173429),
    chain(32, 0, 0, 1, 2, 8, 248902),
    chain(36, 0, 0, 3, 1, 6, 465046),
    chain(48, 0, 0, 1, 3, 6, 524343),
    chain(64, 0, 0, 1, 3, 8, 759226),
    chain(68, 1, 64, 1, 2, 6, 1056500),
    chain(72, 0, 0, 3, 2, 6, 1161390),
    chain(88, 1, 128, 1, 2, 8, 1439875),
    chain(92, 1, 64, 1, 2, 8, 1493718),
    chain(96, 0, 0, 1, 4, 6, 1597500),
    chain(128, 0, 0, 1, 4, 8, 2324031),
    chain(136, 1, 128, 1, 3, 6, 2914500),
    chain(140, 1, 64, 1, 3, 6, 3012812),
    chain(144, 0, 0, 3, 3, 6, 3385687),
    chain(160, 0, 0, 5, 2, 8, 4127687),
    chain(184, 1, 128, 1, 3, 8, 4179625),
    chain(188, 1, 64, 1, 3, 8, 4306187),
    chain(192, 0, 0, 1, 5, 6, 4867812),
    chain(200, 2, 64, 1, 2, 6, 5762562),
    chain(208, 1, 128, 3, 2, 6, 6216000),
    chain(212, 1, 64, 3, 2, 6, 6355562),
    chain(256, 0, 0, 1, 5, 8, 7064375),
    chain(272, 2, 64, 1, 2, 8, 8159000),
    chain(280, 1, 128, 1, 4, 6, 8539750),
    chain(284, 1, 64, 1, 4, 6, 8753750),
    chain(288, 0, 0, 3, 4, 6, 10102500),
    chain(320, 0, 0, 5, 3, 8, 12313000),
    chain(376, 1, 128, 1, 4, 8, 12339250),
    chain(380, 1, 64, 1, 4, 8, 12609750),
    chain(384, 0, 0, 3, 4, 8, 14658500),
    chain(400, 2, 128, 1, 3, 6, 15338500),
    chain(416, 2, 64, 1, 3, 6, 16167500),
    chain(424, 1, 128, 3, 3, 6, 17935750),
    chain(428, 1, 64, 3, 3, 6, 18264000),
    chain(432, 0, 0, 9, 3, 6, 21184500),
    chain(512, 0, 0, 1, 6, 8, 21605250),
    chain(544, 2, 128, 1, 3, 8, 22031250),
    chain(560, 2, 64, 1, 3, 8, 23038000),
    chain(568, 1, 128, 1, 5, 6, 25470000),
    chain(572, 1, 64, 1, 5, 6, 25900750),
    chain(576, 0, 0, 3, 5, 6, 30296500),
    chain(596, 3, 64, 1, 2, 6, 30597000),
    chain(616, 2, 128, 3, 2, 6, 32340000),
    chain(632, 2, 64, 3, 2, 6, 33587500),
    chain(640, 0, 0, 5, 4, 8, 36673500),
    chain(760, 1, 128, 1, 5, 8, 36939000),
    chain(764, 1, 64, 1, 5, 8, 37680500),
    chain(812, 3, 64, 1, 2, 8, 43070500),
    chain(832, 2, 128, 1, 4, 6, 44297500),
    chain(848, 2, 64, 1, 4, 6, 45940500),
    chain(856, 1, 128, 3, 4, 6, 52342500),
    chain(860, 1, 64, 3, 4, 6, 52933500),
    chain(864, 0, 0, 9, 4, 6, 62627000),
    chain(952, 1, 128, 5, 3, 8, 63298000),
    chain(1120, 2, 128, 1, 4, 8, 63879000),
    chain(1136, 2, 64, 1, 4, 8, 66113000),
    chain(1144, 1, 128, 3, 4, 8, 75671000),
    chain(1148, 1, 64, 3, 4, 8, 76793000),
    chain(1192, 3, 128, 1, 3, 6, 79028000),
    chain(1244, 3, 64, 1, 3, 6, 84246000),
    chain(1264, 2, 128, 3, 3, 6, 92152000),
    chain(1280, 2, 64, 3, 3, 6, 94908000),
    chain(1288, 1, 128, 9, 3, 6, 108753000),
    chain(1292, 1, 64, 9, 3, 6, 110125000),
    chain(1528, 1, 128, 1, 6, 8, 110486000),
    chain(1532, 1, 64, 1, 6, 8, 111969000),
    chain(1624, 3, 128, 1, 3, 8, 112931000),
    chain(1676, 3, 64, 1, 3, 8, 120064000),
    chain(1696, 2, 128, 1, 5, 6, 130634000),
    chain(1712, 2, 64, 1, 5, 6, 134090000),
    chain(1720, 1, 128, 3, 5, 6, 154929000),
    chain(1724, 1, 64, 3, 5, 6, 156512000),
    chain(1840, 3, 128, 3, 2, 6, 165198000),
    chain(1892, 3, 64, 3, 2, 6, 172953000),
    chain(1912, 1, 128, 5, 4, 8, 186878000),
    chain(2272, 2, 128, 1, 5, 8, 188331000),
    chain(2288, 2, 64, 1, 5, 8, 193150000),
    chain(2296, 1, 128, 3, 5, 8, 223867000),
    chain(2300, 1, 64, 3, 5, 8, 226422000),
    chain(2304, 0, 0, 9, 5, 8, 268360000),
];

#[rustfmt::skip]
const TWO_LANES_CHAINS: &[MeasuredChain] = &[
    chain(4, 0, 0, 1, 0, 4, 18207),
    chain(8, 0, 0, 1, 1, 4, 26717),
    chain(12, 0, 0, 1, 1, 6, 44125),
    chain(16, 0, 0, 1, 1, 8, 53326),
    chain(24, 0, 0, 1, 2, 6, 110362),
    chain(32, 0, 0, 1, 2, 8, 135449),
    chain(36, 0, 0, 3, 1, 6, 284707),
    chain(48, 0, 0, 1, 3, 6, 329324),
    chain(64, 0, 0, 1, 3, 8, 478859),
    chain(68, 1, 64, 1, 2, 6, 708507),
    chain(72, 0, 0, 3, 2, 6, 719312),
    chain(88, 1, 128, 1, 2, 8, 897375),
    chain(92, 1, 64, 1, 2, 8, 974156),
    chain(96, 0, 0, 3, 2, 8, 982609),
    chain(128, 0, 0, 1, 4, 8, 1367875),
    chain(136, 1, 128, 1, 3, 6, 1898562),
    chain(140, 1, 64, 1, 3, 6, 2002468),
    chain(144, 0, 0, 3, 3, 6, 2113937),
    chain(160, 0, 0, 5, 2, 8, 2483062),
    chain(184, 1, 128, 1, 3, 8, 2552562),
    chain(188, 1, 64, 1, 3, 8, 2692218),
    chain(192, 0, 0, 3, 3, 8, 2902593),
    chain(200, 2, 64, 1, 2, 6, 3974312),
    chain(208, 1, 128, 3, 2, 6, 4078812),
    chain(256, 0, 0, 1, 5, 8, 4179625),
    chain(272, 2, 64, 1, 2, 8, 5462687),
    chain(280, 1, 128, 3, 2, 8, 5490250),
    chain(284, 1, 64, 3, 2, 8, 5675562),
    chain(288, 0, 0, 3, 4, 6, 6235375),
    chain(376, 1, 128, 1, 4, 8, 7345562),
    chain(380, 1, 64, 1, 4, 8, 7591750),
    chain(384, 0, 0, 3, 4, 8, 8552250),
    chain(400, 2, 128, 1, 3, 6, 10291750),
    chain(416, 2, 64, 1, 3, 6, 11058125),
    chain(424, 1, 128, 3, 3, 6, 11769375),
    chain(428, 1, 64, 3, 3, 6, 12041125),
    chain(512, 0, 0, 1, 6, 8, 12867875),
    chain(544, 2, 128, 1, 3, 8, 13987375),
    chain(560, 2, 64, 1, 3, 8, 15003000),
    chain(568, 1, 128, 3, 3, 8, 16087250),
    chain(572, 1, 64, 3, 3, 8, 16423250),
    chain(576, 0, 0, 9, 3, 8, 19065500),
    chain(640, 0, 0, 5, 4, 8, 21425000),
    chain(760, 1, 128, 1, 5, 8, 22517000),
    chain(764, 1, 64, 1, 5, 8, 23095500),
    chain(768, 0, 0, 3, 5, 8, 26497000),
    chain(812, 3, 64, 1, 2, 8, 28981500),
    chain(832, 2, 128, 3, 2, 8, 29179500),
    chain(848, 2, 64, 3, 2, 8, 30777000),
    chain(856, 1, 128, 9, 2, 8, 34108500),
    chain(860, 1, 64, 9, 2, 8, 34629500),
    chain(952, 1, 128, 5, 3, 8, 38857500),
    chain(1120, 2, 128, 1, 4, 8, 39158000),
    chain(1136, 2, 64, 1, 4, 8, 40966500),
    chain(1144, 1, 128, 3, 4, 8, 45179500),
    chain(1148, 1, 64, 3, 4, 8, 45871000),
    chain(1192, 3, 128, 1, 3, 6, 53610000),
    chain(1244, 3, 64, 1, 3, 6, 58899500),
    chain(1264, 2, 128, 3, 3, 6, 62337000),
    chain(1280, 2, 64, 3, 3, 6, 63809000),
    chain(1528, 1, 128, 1, 6, 8, 66143000),
    chain(1532, 1, 64, 1, 6, 8, 67065000),
    chain(1624, 3, 128, 1, 3, 8, 72125000),
    chain(1676, 3, 64, 1, 3, 8, 78867000),
    chain(1696, 2, 128, 3, 3, 8, 82153000),
    chain(1712, 2, 64, 3, 3, 8, 84718000),
    chain(1720, 1, 128, 9, 3, 8, 96540000),
    chain(1724, 1, 64, 9, 3, 8, 98073000),
    chain(1840, 3, 128, 3, 2, 6, 110847000),
    chain(1912, 1, 128, 5, 4, 8, 111498000),
    chain(1916, 1, 64, 5, 4, 8, 113021000),
    chain(2272, 2, 128, 1, 5, 8, 116578000),
    chain(2288, 2, 64, 1, 5, 8, 120474000),
    chain(2296, 1, 128, 3, 5, 8, 135493000),
    chain(2300, 1, 64, 3, 5, 8, 137547000),
    chain(2304, 0, 0, 9, 5, 8, 162874000),
];

#[rustfmt::skip]
const FOUR_LANES_CHAINS: &[MeasuredChain] = &[
    chain(4, 0, 0, 1, 0, 4, 16374),
    chain(8, 0, 0, 1, 0, 8, 17946),
    chain(16, 0, 0, 1, 1, 8, 30732),
    chain(24, 0, 0, 1, 2, 6, 63889),
    chain(32, 0, 0, 1, 2, 8, 81041),
    chain(48, 0, 0, 1, 3, 6, 181251),
    chain(64, 0, 0, 1, 3, 8, 243222),
    chain(68, 1, 64, 1, 2, 6, 431363),
    chain(72, 0, 0, 9, 0, 8, 460003),
    chain(96, 0, 0, 1, 4, 6, 498617),
    chain(128, 0, 0, 1, 4, 8, 700875),
    chain(136, 1, 128, 1, 3, 6, 958109),
    chain(140, 1, 64, 1, 3, 6, 1029015),
    chain(144, 0, 0, 3, 3, 6, 1211296),
    chain(184, 1, 128, 1, 3, 8, 1291046),
    chain(192, 0, 0, 1, 5, 6, 1375890),
    chain(256, 0, 0, 1, 5, 8, 1933062),
    chain(280, 1, 128, 1, 4, 6, 2833531),
    chain(284, 1, 64, 1, 4, 6, 3007968),
    chain(288, 0, 0, 9, 2, 8, 3271937),
    chain(320, 0, 0, 5, 3, 8, 4183812),
    chain(384, 0, 0, 1, 6, 6, 4312937),
    chain(400, 2, 128, 1, 3, 6, 6324812),
    chain(512, 0, 0, 1, 6, 8, 6499062),
    chain(568, 1, 128, 1, 5, 6, 8749875),
    chain(572, 1, 64, 1, 5, 6, 9074125),
    chain(576, 0, 0, 3, 5, 6, 10781250),
    chain(640, 0, 0, 5, 4, 8, 12026500),
    chain(760, 1, 128, 1, 5, 8, 12105875),
    chain(764, 1, 64, 1, 5, 8, 12542125),
    chain(768, 0, 0, 1, 7, 6, 13338875),
    chain(832, 2, 128, 1, 4, 6, 16998250),
    chain(856, 1, 128, 9, 2, 8, 18736250),
    chain(1024, 0, 0, 1, 7, 8, 19110750),
    chain(1144, 1, 128, 1, 6, 6, 22757750),
    chain(1148, 1, 64, 1, 6, 6, 23379000),
    chain(1152, 0, 0, 3, 6, 6, 31491000),
    chain(1528, 1, 128, 1, 6, 8, 34109000),
    chain(1532, 1, 64, 1, 6, 8, 35058000),
    chain(1536, 0, 0, 1, 8, 6, 38487000),
    chain(1696, 2, 128, 1, 5, 6, 48087500),
    chain(1712, 2, 64, 1, 5, 6, 50034500),
    chain(2048, 0, 0, 1, 8, 8, 55586000),
    chain(2272, 2, 128, 1, 5, 8, 67085000),
    chain(2296, 1, 128, 1, 7, 6, 67452000),
    chain(2300, 1, 64, 1, 7, 6, 68643000),
    chain(2304, 0, 0, 9, 6, 4, 98891000),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_takes_its_own_table() {
        let one = |class, lanes, leaf| {
            let chains: &'static [MeasuredChain] = match leaf {
                6 => const { &[chain(24, 0, 0, 1, 2, 6, 1)] },
                _ => const { &[chain(32, 0, 0, 1, 2, 8, 1)] },
            };
            ClassTable { class, lanes, costs: table(chains, TWO_LANES_TRANSFORMS) }
        };
        let tables = [one(CpuClass::Generic, 2, 6), one(CpuClass::Zen5, 4, 8), one(CpuClass::Generic, 4, 6)];
        let words = |class, lanes| of_class(&tables, class, lanes).chain(1).words();
        assert_eq!(words(CpuClass::Zen5, 4), 32);
        assert_eq!(words(CpuClass::Zen5, 2), 24, "of the generic class, as there is no other");
        assert_eq!(words(CpuClass::Generic, 4), 24);
    }

    /// No backend falls back to a table for another number of lanes.
    #[test]
    fn every_number_of_lanes_has_a_table() {
        for cpu in carryless_lanes::ClmulCpu::available() {
            assert!(matches!(cpu.lanes(), 1 | 2 | 4), "{}", cpu.name());
        }
        for lanes in [1, 2, 4] {
            let entries =
                TABLES.iter().filter(|table| table.class == CpuClass::Generic && table.lanes == lanes);
            assert_eq!(entries.count(), 1, "{lanes} lanes");
        }
        for (i, table) in TABLES.iter().enumerate() {
            let same = |other: &ClassTable| (other.class, other.lanes) == (table.class, table.lanes);
            assert!(!TABLES[..i].iter().any(same), "two tables for {:?}, {} lanes", table.class, table.lanes);
        }
    }
}
