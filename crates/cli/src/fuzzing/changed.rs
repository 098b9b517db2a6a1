//! Inputs close to a seed.

/// Runs a check on a seed, on all its beginnings, and with a byte changed at about 64 places.
pub(crate) fn check_changed(check: fn(&[u8]), seed: &[u8]) {
    check(seed);
    for at in (0..seed.len()).step_by(seed.len().div_ceil(64)) {
        check(&seed[..at]);
        let mut changed = seed.to_vec();
        changed[at] ^= 1;
        check(&changed);
        changed[at] = 0xff;
        check(&changed);
    }
}
