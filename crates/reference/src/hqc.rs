//! The parts of HQC, as its specification defines them.

/// The concatenated code of HQC.
pub mod code {
    /// Multiplies in F2\[a\]/(a^8 + a^4 + a^3 + a^2 + 1), bit by bit.
    #[must_use]
    pub fn mul(a: u8, b: u8) -> u8 {
        let wide = (0..8).filter(|i| b >> i & 1 == 1).fold(0, |sum, i| sum ^ u16::from(a) << i);
        // 0x11d is the modulus. Its multiples clear the coefficients of a^14 down to a^8.
        (8..15).rev().fold(wide, |p, i| if p >> i & 1 == 1 { p ^ 0x11d << (i - 8) } else { p }) as u8
    }

    /// Returns the inverse, found by trying all elements.
    fn inverse(a: u8) -> u8 {
        (1..=255).find(|&b| mul(a, b) == 1).expect("every element but zero has an inverse")
    }

    /// Returns a^exponent, by single multiplications.
    fn power(exponent: usize) -> u8 {
        // 2 is the polynomial a, which generates all elements but 0.
        (0..exponent).fold(1, |product, _| mul(product, 2))
    }

    /// Evaluates a polynomial, whose constant coefficient comes first, at x.
    fn value(p: &[u8], x: u8) -> u8 {
        p.iter().rev().fold(0, |sum, &c| mul(sum, x) ^ c)
    }

    /// Encodes a message as a Reed-Solomon codeword of `n1` symbols. It consists of the remainder of M(X)
    /// X^(n1 - k) by the product of X - a^i, and the message.
    ///
    /// # Panics
    /// If the message is longer.
    #[must_use]
    pub fn encode_reed_solomon(message: &[u8], n1: usize) -> Vec<u8> {
        let parity = n1 - message.len();
        let mut g = vec![1];
        for root in (1..=parity).map(power) {
            // In characteristic 2, (X - root) g is X g + root g.
            let times_root: Vec<u8> = g.iter().map(|&c| mul(c, root)).chain([0]).collect();
            g.insert(0, 0);
            g.iter_mut().zip(times_root).for_each(|(g, c)| *g ^= c);
        }
        let mut rest = vec![0; parity];
        rest.extend(message);
        // g has leading coefficient 1, so the top symbol is itself the factor of each step.
        for top in (parity..n1).rev() {
            let factor = rest[top];
            for (i, &c) in g.iter().enumerate() {
                rest[top - parity + i] ^= mul(factor, c);
            }
        }
        rest[..parity].iter().chain(message).copied().collect()
    }

    /// Returns the codeword that differs from `received` in at most (n1 - k) / 2 symbols, if there is one.
    ///
    /// Peterson's method: the largest system of linear equations for the error locator that has one solution,
    /// then a system for the values.
    #[must_use]
    pub fn decode_reed_solomon(received: &[u8], k: usize) -> Option<Vec<u8>> {
        let parity = received.len() - k;
        let syndrome = |word: &[u8]| -> Vec<u8> { (1..=parity).map(|i| value(word, power(i))).collect() };
        let s = syndrome(received);
        if s.iter().all(|&s| s == 0) {
            return Some(received.to_vec());
        }
        // The system is singular if there are fewer errors than rows. Then the next smaller one may be right.
        for errors in (1..=parity / 2).rev() {
            let rows =
                (0..errors).map(|i| (0..errors).map(|j| s[i + j]).chain([s[i + errors]]).collect()).collect();
            let Some(locator) = solve(rows) else { continue };
            // X^errors + ..., whose roots are the a^p.
            let locator: Vec<u8> = locator.into_iter().chain([1]).collect();
            let places: Vec<usize> =
                (0..received.len()).filter(|&p| value(&locator, power(p)) == 0).collect();
            // A locator with fewer roots means that more symbols are wrong than the code corrects.
            if places.len() != errors {
                return None;
            }
            // Syndrome i + 1 is the sum of the errors, each times a^(p (i + 1)).
            let row = |i: usize| places.iter().map(|p| power(p * (i + 1))).chain([s[i]]).collect();
            let values = solve((0..errors).map(row).collect())?;
            let mut word = received.to_vec();
            places.iter().zip(values).for_each(|(&p, value)| word[p] ^= value);
            // The equations used the first syndromes only. All must be 0 for a codeword.
            return syndrome(&word).iter().all(|&s| s == 0).then_some(word);
        }
        None
    }

    /// Solves linear equations, if there is exactly one solution. Each row has the coefficients, then the right side.
    fn solve(mut rows: Vec<Vec<u8>>) -> Option<Vec<u8>> {
        for column in 0..rows.len() {
            // No pivot: no solution, or more than one.
            let pivot = (column..rows.len()).find(|&row| rows[row][column] != 0)?;
            rows.swap(column, pivot);
            let factor = inverse(rows[column][column]);
            let row: Vec<u8> = rows[column].iter().map(|&c| mul(c, factor)).collect();
            for (i, other) in rows.iter_mut().enumerate() {
                let factor = other[column];
                if i != column {
                    other.iter_mut().zip(&row).for_each(|(c, &r)| *c ^= mul(factor, r));
                }
            }
            rows[column] = row;
        }
        Some(rows.iter().map(|row| row[row.len() - 1]).collect())
    }

    /// Returns bit j of a symbol's Reed-Muller codeword, for j below 128.
    fn bit(symbol: u8, j: usize) -> bool {
        // RM(1, 7): the low seven bits are a linear form in the bits of j, the top bit is a constant.
        (symbol >> 7 == 1) ^ ((symbol & 0x7f & j as u8).count_ones() % 2 == 1)
    }

    /// Encodes symbols as Reed-Muller codewords, each `copies` times, as bits.
    #[must_use]
    pub fn encode_reed_muller(symbols: &[u8], copies: usize) -> Vec<bool> {
        let copy = |symbol| (0..128).map(move |j| bit(symbol, j));
        symbols.iter().flat_map(|&symbol| (0..copies).flat_map(move |_| copy(symbol))).collect()
    }

    /// Decodes a block of 128 `copies` bits to the nearest symbol.
    ///
    /// Let c_j be the number of copies whose bit j is one. F(t) is the sum of c_j (-1)^(t, j), and F(0) is
    /// less by 64 `copies`. The low bits of the symbol are the first t with the largest |F(t)|. The highest
    /// bit is one if F(t) > 0.
    #[must_use]
    pub fn decode_reed_muller(block: &[bool]) -> u8 {
        let copies = block.len() / 128;
        let count = |j: usize| (0..copies).filter(|copy| block[128 * copy + j]).count() as i32;
        let counts: Vec<i32> = (0..128).map(count).collect();
        let f = |t: usize| -> i32 {
            let sign = |j: usize| 1 - 2 * ((t & j).count_ones() as i32 % 2);
            let sum: i32 = (0..128).map(|j| sign(j) * counts[j]).sum();
            // Counts lie around `copies` / 2. That mean cancels in all sums but this one.
            if t == 0 { sum - 64 * copies as i32 } else { sum }
        };
        let mut best = (0, f(0));
        for t in 1..128 {
            if f(t).abs() > best.1.abs() {
                best = (t, f(t));
            }
        }
        // More ones than expected where the form is 0: the constant is 1.
        best.0 as u8 | u8::from(best.1 > 0) << 7
    }
}

/// The samplers of y and x by rejection, in profiles NR and V5.
pub mod sample {
    /// The order of candidates, of three bytes each, in a stream.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Order {
        /// One after the other, least significant byte first, as in profile NR.
        OneByOne,
        /// In blocks of as many candidates as there are positions, most significant byte first, as in profile
        /// V5. A block begins at a multiple of eight bytes, and the rest of the last block is dropped.
        Blocks,
    }

    /// A sample, with its use of the stream.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Sample {
        /// The positions, in the order in which they were drawn.
        pub positions: Vec<u32>,
        /// Place in the stream at which the next sample begins, in bytes.
        pub end: usize,
        /// Whether a candidate after the first `weight` ones was too large, that is, not below
        /// the largest multiple of n.
        pub rejects_late: bool,
    }

    /// Samples `weight` different positions below n from the candidates of a stream, beginning at byte `start`.
    ///
    /// A candidate is rejected if it is not below the largest multiple of n, below 2^24, or if
    /// its remainder was drawn before.
    ///
    /// # Panics
    /// If the stream ends too early.
    #[must_use]
    pub fn by_rejection(stream: &[u8], start: usize, n: u32, weight: usize, order: Order) -> Sample {
        // The specification's XOF gives whole words of eight bytes.
        let block = (3 * weight).next_multiple_of(8);
        let place = |i: usize| match order {
            Order::OneByOne => start + 3 * i,
            Order::Blocks => start + i / weight * block + 3 * (i % weight),
        };
        let (mut positions, mut read, mut rejects_late) = (Vec::new(), 0, false);
        while positions.len() < weight {
            let bytes: [u8; 3] = stream[place(read)..][..3].try_into().expect("three bytes");
            let [a, b, c] = bytes.map(u32::from);
            let value = match order {
                Order::OneByOne => a | b << 8 | c << 16,
                Order::Blocks => c | b << 8 | a << 16,
            };
            // Below a multiple of n, all remainders are equally likely.
            if value >= (1 << 24) / n * n {
                rejects_late |= read >= weight;
            } else if !positions.contains(&(value % n)) {
                positions.push(value % n);
            }
            read += 1;
        }
        let end = match order {
            Order::OneByOne => place(read),
            Order::Blocks => start + read.div_ceil(weight) * block,
        };
        Sample { positions, end, rejects_late }
    }
}
