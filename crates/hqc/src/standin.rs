//! A slow decoder, until that of `code` is there.

fn mul(a: u8, b: u8) -> u8 {
    let (mut product, mut a) = (0, a);
    for i in 0..8 {
        product ^= a & (b >> i & 1).wrapping_neg();
        a = a << 1 ^ 0x1d & (a >> 7).wrapping_neg();
    }
    product
}

fn inverse(a: u8) -> u8 {
    let (mut power, mut product) = (a, 1);
    for _ in 0..7 {
        power = mul(power, power);
        product = mul(product, power);
    }
    product
}

fn alpha(exponent: usize) -> u8 {
    (0..exponent % 255).fold(1, |power, _| mul(power, 2))
}

pub(crate) mod reed_muller {
    use carryless_gf2::ClmulCpu;

    pub(crate) fn encode(symbols: &[u8], copies: usize, out: &mut [u64]) {
        for (&symbol, block) in symbols.iter().zip(out.chunks_exact_mut(2 * copies)) {
            for (i, word) in block.iter_mut().enumerate() {
                *word = (0..64)
                    .map(|bit| {
                        let j = (64 * (i % 2) + bit) as u8;
                        let parity = (symbol & 0x7f & j).count_ones() as u8 ^ symbol >> 7;
                        u64::from(parity & 1) << bit
                    })
                    .sum();
            }
        }
    }

    pub(crate) fn decode(_: ClmulCpu, received: &[u64], copies: usize, symbols: &mut [u8]) {
        for (symbol, block) in symbols.iter_mut().zip(received.chunks_exact(2 * copies)) {
            let mut f = [0_i16; 128];
            for (j, f) in f.iter_mut().enumerate() {
                *f = block.iter().skip(j / 64).step_by(2).map(|word| (word >> (j % 64) & 1) as i16).sum();
            }
            for h in (0..7).map(|i| 1 << i) {
                for i in (0..128).filter(|i| i & h == 0) {
                    (f[i], f[i + h]) = (f[i] + f[i + h], f[i] - f[i + h]);
                }
            }
            f[0] -= 64 * copies as i16;
            let best = (0..128).rev().max_by_key(|&t| f[t].abs()).unwrap_or(0);
            *symbol = best as u8 | u8::from(f[best] > 0) << 7;
        }
    }
}

pub(crate) mod reed_solomon {
    use super::{alpha, inverse, mul};
    use carryless_gf2::ClmulCpu;

    pub(crate) fn encode(message: &[u8], codeword: &mut [u8]) {
        let parity = codeword.len() - message.len();
        let mut g = [0_u8; 64];
        g[0] = 1;
        for i in 1..=parity {
            for j in (0..=i).rev() {
                g[j] = mul(g[j], alpha(i)) ^ if j > 0 { g[j - 1] } else { 0 };
            }
        }
        codeword[..parity].fill(0);
        codeword[parity..].copy_from_slice(message);
        let mut rest = [0_u8; 64];
        for &m in message.iter().rev() {
            let factor = m ^ rest[parity - 1];
            for j in (0..parity).rev() {
                rest[j] = mul(factor, g[j]) ^ if j > 0 { rest[j - 1] } else { 0 };
            }
        }
        codeword[..parity].copy_from_slice(&rest[..parity]);
    }

    fn value(p: &[u8], x: u8) -> u8 {
        p.iter().rev().fold(0, |sum, c| mul(sum, x) ^ c)
    }

    pub(crate) fn decode(_: ClmulCpu, codeword: &mut [u8], message: &mut [u8]) {
        let parity = codeword.len() - message.len();
        let mut s = [0_u8; 64];
        for (i, s) in s[..parity].iter_mut().enumerate() {
            *s = value(codeword, alpha(i + 1));
        }
        // Berlekamp and Massey.
        let (mut c, mut b) = ([0_u8; 64], [0_u8; 64]);
        (c[0], b[0]) = (1, 1);
        let (mut l, mut last, mut shift) = (0, 1, 1);
        for n in 0..parity {
            let d = (0..=l).fold(0, |d, i| d ^ mul(c[i], s[n - i]));
            let (old, factor) = (c, mul(d, inverse(last)));
            for i in shift..64 {
                c[i] ^= mul(factor, b[i - shift]);
            }
            if d != 0 && 2 * l <= n {
                (l, b, last, shift) = (n + 1 - l, old, d, 1);
            } else {
                shift += 1;
            }
        }
        let mut omega = [0_u8; 64];
        for (i, omega) in omega[..parity].iter_mut().enumerate() {
            *omega = (0..=i).fold(0, |sum, j| sum ^ mul(c[j], s[i - j]));
        }
        let mut derivative = [0_u8; 64];
        for i in (1..64).step_by(2) {
            derivative[i - 1] = c[i];
        }
        for (j, symbol) in codeword.iter_mut().enumerate() {
            let x = alpha(255 - j);
            if value(&c, x) == 0 {
                *symbol ^= mul(value(&omega, x), inverse(value(&derivative, x)));
            }
        }
        message.copy_from_slice(&codeword[parity..]);
    }
}
