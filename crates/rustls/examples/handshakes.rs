//! Prints full handshakes a second of x25519_hqc1 and X25519MLKEM768, client and server on one thread in memory.
//!
//! The rounds of the groups alternate, so that a change of the processor's clock meets both. A figure is the
//! median of the rounds.
#![forbid(unsafe_code)]

#[path = "../tests/common/mod.rs"]
mod common;

use carryless_rustls::aws_lc_rs::{P256_HQC1, P384_HQC3, X25519_HQC1};
use common::{Identity, client, handshake, only, server};
use rustls::crypto::SupportedKxGroup;
use rustls::crypto::aws_lc_rs::{default_provider, kx_group};
use std::time::Instant;

const ROUNDS: usize = 41;
const HANDSHAKES: usize = 100;

fn main() {
    let groups: [(&str, &'static dyn SupportedKxGroup); 5] = [
        ("X25519MLKEM768", kx_group::X25519MLKEM768),
        ("x25519_hqc1", X25519_HQC1),
        ("X25519", kx_group::X25519),
        ("p256_hqc1", P256_HQC1),
        ("p384_hqc3", P384_HQC3),
    ];
    let identity = Identity::new();
    let mut rates = groups.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        for ((_, group), rates) in groups.iter().zip(&mut rates) {
            rates.push(round(&identity, *group));
        }
    }
    let medians = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[ROUNDS / 2]
    });
    for ((name, _), rate) in groups.iter().zip(medians) {
        println!("{name:<15} {rate:7.0} handshakes a second, {:.2} of {}", rate / medians[0], groups[0].0);
    }
}

/// Handshakes a second of one group.
fn round(identity: &Identity, group: &'static dyn SupportedKxGroup) -> f64 {
    let pairs = (0..HANDSHAKES).map(|_| {
        let provider = || only(default_provider(), &[group]);
        (client(identity, provider()), server(identity, provider()))
    });
    // The time of configurations, which programs make once, is left out.
    let mut pairs: Vec<_> = pairs.collect();
    let start = Instant::now();
    for (client, server) in &mut pairs {
        handshake(client, server).expect("a handshake");
    }
    HANDSHAKES as f64 / start.elapsed().as_secs_f64()
}
