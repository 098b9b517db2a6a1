//! ChaCha20 (RFC 8439, section 2.3) and HChaCha20 (draft-irtf-cfrg-xchacha-03, section 2.2), on the matrix of
//! 16 words in these documents.

/// The quarter round of RFC 8439, section 2.1, on four words of the state.
fn quarter_round(state: &mut [u32; 16], [a, b, c, d]: [usize; 4]) {
    // The four lines of the definition, each x += y; z ^= x; z <<<= bits.
    for (x, y, z, bits) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        state[x] = state[x].wrapping_add(state[y]);
        state[z] = (state[z] ^ state[x]).rotate_left(bits);
    }
}

/// Returns the matrix of a key and 16 further bytes, in little-endian words. The four constant words come first.
fn matrix(key: &[u8; 32], input: &[u8; 16]) -> [u32; 16] {
    let mut state = [0; 16];
    let start = [&b"expand 32-byte k"[..], key, input].concat();
    for (word, bytes) in state.iter_mut().zip(start.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    state
}

/// Applies the twenty rounds to a matrix: ten times four columns and four diagonals.
fn permuted(mut state: [u32; 16]) -> [u32; 16] {
    for _ in 0..10 {
        for i in 0..4 {
            quarter_round(&mut state, [i, 4 + i, 8 + i, 12 + i]);
        }
        for i in 0..4 {
            quarter_round(&mut state, [i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4]);
        }
    }
    state
}

/// Computes HChaCha20: 16 bytes to 32, under a key of 32 bytes. Words are little-endian.
pub fn hchacha20(key: &[u8; 32], input: &[u8; 16]) -> [u8; 32] {
    let state = permuted(matrix(key, input));
    let mut out = [0; 32];
    // Unlike in ChaCha20, the initial state is not added. The rows in between, which held the key, are
    // dropped.
    let words = state[..4].iter().chain(&state[12..]);
    for (bytes, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    out
}

/// Returns the 64 bytes of ChaCha20's block with this number.
pub(crate) fn chacha20_block(key: &[u8; 32], nonce: &[u8; 12], number: u32) -> [u8; 64] {
    let mut input = [0; 16];
    input[..4].copy_from_slice(&number.to_le_bytes());
    input[4..].copy_from_slice(nonce);
    let start = matrix(key, &input);
    let mut out = [0; 64];
    // The rounds can be inverted. Adding the initial state prevents that.
    let words = permuted(start).into_iter().zip(start).map(|(a, b)| a.wrapping_add(b));
    for (bytes, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vector of section 2.2.1 of the draft.
    #[test]
    fn of_the_draft() {
        let key = std::array::from_fn(|i| i as u8);
        let input = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0, 0x31, 0x41, 0x59, 0x27];
        let hex: String = hchacha20(&key, &input).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc");
    }
}
