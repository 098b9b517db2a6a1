//! What the tests of products share.
use carryless_gf2::poly::Plan;

/// How much to do: everything, little for an emulator (`CARRYLESS_QUICK=1`), very little for Miri.
pub(crate) fn pick(full: usize, quick: usize, miri: usize) -> usize {
    match std::env::var("CARRYLESS_QUICK") {
        _ if cfg!(miri) => miri,
        Ok(one) if one == "1" => quick,
        _ => full,
    }
}

/// The product, in exactly the scratch that the plan asks for, with rubbish in it.
pub(crate) fn mul(plan: &Plan, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut out = vec![!0; a.len() + b.len()];
    plan.mul(a, b, &mut out, &mut vec![!0; plan.scratch_words()]);
    out
}
