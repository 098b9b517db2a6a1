//! The text of responses to NIST's known answer tests.
use anyhow::{Result, ensure};
use carryless_hqc::kat::Responses;
use carryless_hqc::{ClmulCpu, Scheme};

/// The largest number of responses.
pub const MOST_RESPONSES: u32 = 10_000;

/// The text of the first responses, one after the other. All but the first begin with the empty line that parts them. A ciphertext that is not
/// decapsulated to its secret is an error.
pub fn responses<K: Scheme>(cpu: ClmulCpu, count: usize) -> impl Iterator<Item = Result<String>> {
    Responses::<K>::on(cpu).take(count).map(|response| {
        let decapsulated = response.key.decapsulate(&response.ciphertext) == response.secret;
        ensure!(decapsulated, "response {}: the secrets of both sides differ", response.count);
        Ok(format!("{}{response}", if response.count == 0 { "" } else { "\n" }))
    })
}
