//! [`LaneField`](crate::field::LaneField) of one lane for both primes: a macro that adapts the 64-bit
//! arithmetic of `p1305::words64` and `p1271::word64`.
use carryless_lanes::Portable;

/// The scalar backend: the CPU's own 64-bit arithmetic.
pub(crate) const SCALAR: Portable<1> = Portable;

/// Implements `LaneField` of one lane for a prime whose elements have `$n` words.
///
/// Parameters: conversions from and to the representation for key powers, the last reduction, and the loads of whole
/// and short blocks. `Sums`, `mul_wide`, `square_wide`, `add_sums`, `carry` and `add` are those in scope at the call.
macro_rules! one_lane {
    (
        $Words:ident, $Element:ident, $n:literal words, loose $from_loose:path, $loose:path, fold $fold:path,
        block $block:path, $short:path
    ) => {
        impl<S: Words> $Words<S> {
            /// Loads an element of `$n` words of radix 2^64, lowest first.
            #[inline(always)]
            fn words(self, words: [u64; $n]) -> [S::W; $n] {
                let mut out = [self.0.word(0); $n];
                // `map` would make LLVM assemble the words in memory, and the next load would wait for the stores.
                for i in 0..$n {
                    out[i] = self.0.word(words[i]);
                }
                out
            }

            /// Stores an element of `$n` words of radix 2^64, lowest first.
            #[inline(always)]
            fn stored(self, words: [S::W; $n]) -> [u64; $n] {
                let mut out = [0; $n];
                for i in 0..$n {
                    out[i] = self.0.to_memory(words[i]);
                }
                out
            }
        }

        impl<S: Words> LaneField for $Words<S> {
            const N: usize = 1;
            const COMPACT: bool = false;
            type Element = $Element;
            type Limbs = [u64; $n];
            type Fe = [S::W; $n];
            type Sums = Sums<S>;
            type Key = [S::W; $n];

            #[inline(always)]
            fn limbs(element: $Element) -> [u64; $n] {
                element.0
            }
            #[inline(always)]
            fn small_multiple(element: $Element, by: u64) -> [u64; $n] {
                $Element::from_word(by).product(element).0
            }
            #[inline(always)]
            fn from_loose(element: <$Element as Field>::Loose) -> [u64; $n] {
                $from_loose(SCALAR, element)
            }
            #[inline(always)]
            fn squares(tau: $Element, known: &[<$Element as Field>::Loose], powers: &mut [[u64; $n]]) {
                squares_in_words(tau, known, powers);
            }
            #[inline(always)]
            fn in_lane(self, limbs: [u64; $n], _: usize) -> Self::Fe {
                self.words(limbs)
            }
            #[inline(always)]
            fn everywhere(self, limbs: [u64; $n]) -> Self::Fe {
                self.words(limbs)
            }
            #[inline(always)]
            fn in_lanes(self, elements: &[$Element; 8]) -> Self::Fe {
                self.words(elements[0].0)
            }
            #[inline(always)]
            fn arrange(self, limbs: &[[u64; $n]]) -> Self::Fe {
                self.words(limbs[0])
            }
            #[inline(always)]
            fn scatter(self, h: Self::Fe) -> [<$Element as Field>::Loose; 8] {
                [self.stored($loose(self.0, h)); 8]
            }
            #[inline(always)]
            fn alternate(self, a: Self::Fe, _: Self::Fe) -> Self::Fe {
                a
            }
            #[inline(always)]
            fn odds(self, a: Self::Fe) -> Self::Fe {
                a
            }
            #[inline(always)]
            fn mixed(self, a: Self::Fe, _: &[u64; 8], _: &[u64; 8]) -> Self::Fe {
                // One lane always keeps its element.
                a
            }
            #[inline(always)]
            fn close(self, d: Self::Sums, more: [u64; $n]) -> $Element {
                // `more` is added before the carry, so one reduction serves it as well.
                self.fold(self.carry(self.add_sums(d, self.as_sums(self.words(more)))))
            }
            #[inline(always)]
            fn for_fold(self, d: Self::Sums) -> Self::Fe {
                self.carry(d)
            }
            #[inline(always)]
            fn fold(self, h: Self::Fe) -> $Element {
                $Element(self.stored($fold(self.0, h)))
            }
            #[inline(always)]
            fn key(self, r: Self::Fe) -> Self::Fe {
                r
            }
            #[inline(always)]
            fn lane0(self, r: Self::Fe) -> Self::Fe {
                r
            }
            #[inline(always)]
            fn mul(self, h: Self::Fe, r: &Self::Key) -> Self::Sums {
                mul_wide(self.0, h, *r)
            }
            #[inline(always)]
            fn square(self, a: Self::Fe) -> Self::Sums {
                square_wide(self.0, a)
            }
            #[inline(always)]
            fn mul_add(self, d: Self::Sums, h: Self::Fe, r: &Self::Key) -> Self::Sums {
                // One add-with-carry per word of the sum; reduction waits for the end of the group.
                self.add_sums(d, mul_wide(self.0, h, *r))
            }
            #[inline(always)]
            fn add_sums(self, a: Self::Sums, b: Self::Sums) -> Self::Sums {
                add_sums(self.0, a, b)
            }
            #[inline(always)]
            fn as_sums(self, a: Self::Fe) -> Self::Sums {
                Sums::of(self.0, a)
            }
            #[inline(always)]
            fn carry(self, d: Self::Sums) -> Self::Fe {
                carry(self.0, d)
            }
            #[inline(always)]
            fn add(self, a: Self::Fe, b: Self::Fe) -> Self::Fe {
                add(self.0, a, b)
            }
            #[inline(always)]
            fn row(self, bytes: &[u8], _: usize) -> Self::Fe {
                // Callers pass whole blocks. Zeros for a shorter slice spare a panic in the loop over the message.
                match bytes.first_chunk() {
                    Some(block) => $block(self.0, block, 0),
                    None => self.words([0; $n]),
                }
            }
            #[inline(always)]
            fn short_row(self, rest: &[u8], _: usize) -> Self::Fe {
                match rest.first_chunk() {
                    Some(block) => $block(self.0, block, 0),
                    None => self.words($short(rest)),
                }
            }
            #[inline(always)]
            fn whole_row(self, row: &[u8]) -> Self::Fe {
                match row.first_chunk() {
                    Some(block) => $block(self.0, block, 1),
                    None => self.words([0; $n]),
                }
            }
            #[inline(always)]
            // A row of one lane has no room for blocks in front: fewer than one whole block is none.
            fn first_row(self, _: &[u8]) -> Self::Fe {
                self.words([0; $n])
            }
            #[inline(always)]
            fn last_row(self, last: &[u8]) -> Self::Fe {
                // The bytes of a short block contain its pad, hence 0 for the bit above them.
                match pad_partial(last).first_chunk() {
                    Some(block) => $block(self.0, block, 0),
                    None => self.words([0; $n]),
                }
            }
        }
    };
}
pub(crate) use one_lane;
