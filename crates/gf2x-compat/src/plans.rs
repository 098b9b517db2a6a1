//! A cache of plans for each thread: making a plan takes longer than a product of a few words.
use carryless_gf2::poly::Plan;
use std::cell::Cell;

/// Places of the cache, each for one pair of sizes: a program multiplies few at a time. Sizes are public, so
/// the cache reveals no secret.
const PLACES: usize = 64;

thread_local! {
    static PLANS: [Cell<Option<Plan>>; PLACES] = const { [const { Cell::new(None) }; PLACES] };
}

/// The plan for operands of these sizes in words, from the cache if it is there.
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

    /// Sizes that share places, in turn.
    #[test]
    fn plans_are_for_the_sizes_asked_for() {
        for a in [3, 3 + PLACES, 3 + 23] {
            for b in [7, 7 + PLACES, 6] {
                assert_eq!(plan(a, b), Plan::new(a, b));
                assert_eq!(plan(a, b), Plan::new(a, b));
            }
        }
    }
}
