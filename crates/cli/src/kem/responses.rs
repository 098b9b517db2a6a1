//! Texts of responses to NIST's known answer tests.
use anyhow::{Result, ensure};
use carryless_hqc::kat::Responses;
use carryless_hqc::{ClmulCpu, Scheme};

/// Largest number of responses that can be requested.
pub const MOST_RESPONSES: u32 = 10_000;

/// Returns the texts of the first `count` responses. All but the first begin with the empty line that separates them.
///
/// Fails at a response whose ciphertext does not decapsulate to its secret.
pub fn responses<K: Scheme>(cpu: ClmulCpu, count: usize) -> impl Iterator<Item = Result<String>> {
    Responses::<K>::on(cpu).take(count).map(|response| {
        let decapsulated = response.key.decapsulate(&response.ciphertext) == response.secret;
        ensure!(decapsulated, "response {}: the secrets of both sides differ", response.count);
        Ok(format!("{}{response}", if response.count == 0 { "" } else { "\n" }))
    })
}
