//! Properties that hold for every table of costs.
use carryless_gf2::ClmulCpu;
use carryless_gf2::poly::Plan;

use super::Table;

/// The first input of `fuzzing::costs`.
#[cfg(test)]
pub(crate) const SEED: &str = "# a table\ntransform(14000, 300)\ntransform(1, 2)\ntransform(0,0)\n transform(5, 18446744073709551615)\n\
    chain(16, 0, 0, 1, 1, 8, 80)\nchain(44, 1, 64, 1, 1, 8, 90)\nchain(160, 0, 0, 5, 2, 8, 18446744073709551615)\n";

/// Sizes of the operands that are multiplied, in words.
const SIZES: [[usize; 2]; 4] = [[1, 1], [3, 40], [100, 100], [17, 300]];

/// Words of the longest chain that is used for products: longer ones only take time and memory.
const MAX_WORDS: usize = 1 << 12;

/// Checks a table that can be read: it is the same when printed and read again, and plans by it give right products.
pub(crate) fn check(text: &str) {
    let Ok(table) = Table::parse(text) else { return };
    let mut lines: Vec<String> = table.chains.iter().map(ToString::to_string).collect();
    lines.extend(table.transforms.iter().map(|t| format!("transform({}, {})", t.point, t.level)));
    let again = Table::parse(&lines.join("\n")).expect("what was printed");
    assert_eq!((&again.chains, &again.transforms), (&table.chains, &table.transforms));

    let costs = table.costs().expect("checked when it was read");
    // The forms above are checked for chains of any length.
    if table.chains.iter().any(|chain| chain.words() > MAX_WORDS) {
        return;
    }
    for [m, n] in SIZES {
        let operand = |words: usize| -> Vec<u64> {
            (1..=words as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect()
        };
        let (a, b) = (operand(m), operand(n));
        let product = |plan: &Plan| {
            let mut out = vec![0; m + n];
            plan.mul(&a, &b, &mut out, &mut vec![0; plan.scratch_words()]);
            out
        };
        let plan = Plan::by_costs(ClmulCpu::detect(), &costs, m, n);
        // Times near 2^64 must not overflow the sum.
        let _ = plan.predicted(&costs);
        assert_eq!(product(&plan), product(&Plan::new(m, n)), "{}", plan.describe());
    }
}
