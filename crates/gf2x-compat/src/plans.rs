//! Plans that were made before: making one takes longer than a product of a few words.
use carryless_gf2::poly::Plan;
use std::cell::Cell;

/// A program multiplies few sizes at a time. Sizes are public, so the plans are no secret.
const PLACES: usize = 64;

thread_local! {
    static PLANS: [Cell<Option<Plan>>; PLACES] = const { [const { Cell::new(None) }; PLACES] };
}

/// The plan for operands of these sizes.
pub(crate) fn plan(a_words: usize, b_words: usize) -> Plan {
    PLANS.with(|plans| {
        let place = &plans[a_words.wrapping_add(b_words.wrapping_mul(23)) % PLACES];
        if let Some(plan) = place.get()
            && plan.words() == [a_words, b_words]
        {
            return plan;
        }
        let plan = Plan::new(a_words, b_words);
        place.set(Some(plan));
        plan
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More sizes than places, in turn: what stands in a place is another plan or the right one.
    #[test]
    fn plans_are_for_the_sizes_asked_for() {
        for _ in 0..2 {
            for a in 0..20 {
                for b in 0..20 {
                    assert_eq!(plan(a, b), Plan::new(a, b));
                }
            }
        }
    }
}
