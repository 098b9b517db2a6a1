//! `LaneField` for both primes in 64-bit words: the arithmetic is `words64`'s and `field1271::word64`'s.

/// `LaneField` of one lane for a prime: elements of `$n` words, how they become key powers and come from them, the last
/// reduction, and blocks with their pads. `Sums`, `mul_wide`, `square_wide`, `add_sums`, `carry` and `add` are those at hand.
macro_rules! one_lane {
    (
        $Words:ident, $Element:ident, $n:literal words, loose $from_loose:path, $loose:path, fold $fold:path,
        block $block:path, $short:path
    ) => {
        impl LaneField for $Words {
            const N: usize = 1;
            const COMPACT: bool = false;
            type Element = $Element;
            type Limbs = [u64; $n];
            type Fe = [u64; $n];
            type Sums = Sums<Portable<1>>;
            type Key = [u64; $n];

            #[inline(always)]
            fn limbs(element: $Element) -> [u64; $n] {
                element.0
            }
            #[inline(always)]
            fn from_loose(element: <$Element as Field>::Loose) -> [u64; $n] {
                $from_loose(SCALAR, element)
            }
            #[inline(always)]
            fn squares(
                tau: $Element,
                known: &[<$Element as Field>::Loose],
                powers: &mut [[u64; $n]],
                _: usize,
            ) -> Option<[<$Element as Field>::Loose; 2]> {
                squares_in_words(tau, known, powers);
                None
            }
            #[inline(always)]
            fn in_lane(self, limbs: [u64; $n], _: usize) -> [u64; $n] {
                limbs
            }
            #[inline(always)]
            fn everywhere(self, limbs: [u64; $n]) -> [u64; $n] {
                limbs
            }
            #[inline(always)]
            fn in_lanes(self, elements: &[$Element; 8]) -> [u64; $n] {
                elements[0].0
            }
            #[inline(always)]
            fn arrange(self, limbs: &[[u64; $n]]) -> [u64; $n] {
                limbs[0]
            }
            #[inline(always)]
            fn scatter(self, h: [u64; $n]) -> [<$Element as Field>::Loose; 8] {
                [$loose(SCALAR, h); 8]
            }
            #[inline(always)]
            fn evens(self, a: [u64; $n]) -> [u64; $n] {
                a
            }
            #[inline(always)]
            fn odds(self, a: [u64; $n]) -> [u64; $n] {
                a
            }
            #[inline(always)]
            fn close(self, d: Self::Sums, more: [u64; $n]) -> $Element {
                self.fold(self.carry(self.add_sums(d, self.as_sums(more))))
            }
            #[inline(always)]
            fn fold(self, h: [u64; $n]) -> $Element {
                $Element($fold(SCALAR, h))
            }
            #[inline(always)]
            fn key(self, r: [u64; $n]) -> [u64; $n] {
                r
            }
            #[inline(always)]
            fn key_of_lane0(self, r: [u64; $n]) -> [u64; $n] {
                r
            }
            #[inline(always)]
            fn mul(self, h: [u64; $n], r: &[u64; $n]) -> Self::Sums {
                mul_wide(SCALAR, h, *r)
            }
            #[inline(always)]
            fn square(self, a: [u64; $n]) -> Self::Sums {
                square_wide(SCALAR, a)
            }
            #[inline(always)]
            fn mul_add(self, d: Self::Sums, h: [u64; $n], r: &[u64; $n]) -> Self::Sums {
                self.add_sums(d, mul_wide(SCALAR, h, *r))
            }
            #[inline(always)]
            fn add_sums(self, a: Self::Sums, b: Self::Sums) -> Self::Sums {
                add_sums(SCALAR, a, b)
            }
            #[inline(always)]
            fn as_sums(self, a: [u64; $n]) -> Self::Sums {
                Sums::of(SCALAR, a)
            }
            #[inline(always)]
            fn carry(self, d: Self::Sums) -> [u64; $n] {
                carry(SCALAR, d)
            }
            #[inline(always)]
            fn add(self, a: [u64; $n], b: [u64; $n]) -> [u64; $n] {
                add(SCALAR, a, b)
            }
            #[inline(always)]
            fn row(self, bytes: &[u8], _: usize) -> [u64; $n] {
                match bytes.first_chunk() {
                    Some(block) => $block(block, 0),
                    None => [0; $n],
                }
            }
            #[inline(always)]
            fn short_row(self, rest: &[u8], _: usize) -> [u64; $n] {
                match rest.first_chunk() {
                    Some(block) => $block(block, 0),
                    None => $short(rest),
                }
            }
            #[inline(always)]
            fn whole_row(self, row: &[u8]) -> [u64; $n] {
                match row.first_chunk() {
                    Some(block) => $block(block, 1),
                    None => [0; $n],
                }
            }
            #[inline(always)]
            fn first_row(self, _: &[u8]) -> [u64; $n] {
                [0; $n]
            }
            #[inline(always)]
            fn last_row(self, last: &[u8]) -> [u64; $n] {
                match pad_partial(last).first_chunk() {
                    Some(block) => $block(block, 0),
                    None => [0; $n],
                }
            }
        }
    };
}
pub(crate) use one_lane;
