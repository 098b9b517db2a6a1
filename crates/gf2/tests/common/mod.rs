//! What the tests of products share.
mod random;

use carryless_gf2::poly::Plan;
pub(crate) use random::Random;

/// The product, in exactly the scratch that the plan asks for, with rubbish in it.
pub(crate) fn mul(plan: &Plan, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![!0; a.len() + b.len()];
    plan.mul(a, b, &mut out, &mut vec![!0; plan.scratch_words()]);
    out
}
