//! [`LaneField`](crate::field::LaneField) for both primes in five limbs: a macro over the arithmetic of
//! [`limbs26`](crate::field::limbs26).

/// Implements `LaneField` in five limbs for a prime. Parameters: the module with the loads of blocks, the bits of the
/// top limb, the bit of the pad in it, and the functions that depend on the size of blocks and elements.
macro_rules! five_limbs {
    (
        $Radix:ident, $Element:ty, $loads:ident, $top:ident, pad $pad:literal, $in_lanes:path, $fold:path,
        loose $from_loose:path, $loose:path
    ) => {
        impl<S: Lanes> $Radix<S> {
            /// Cuts the blocks of two vectors into limbs and sets `pads`, bits of the top limb.
            #[inline(always)]
            fn padded(self, [a, b]: [S::V; 2], pads: S::V) -> $crate::field::limbs26::Fe<S> {
                // A block ends at bit 24 or 16 of limb 4, just below its pad, so the OR loses no carry.
                let [m0, m1, m2, m3, m4] = $crate::field::limbs26::cut(self.0, a, b);
                [m0, m1, m2, m3, self.0.concat(m4, pads)]
            }
        }

        impl<S: Lanes> LaneField for $Radix<S> {
            const N: usize = S::N;
            const COMPACT: bool = S::COMPACT;
            type Element = $Element;
            type Limbs = [u64; 5];
            type Fe = $crate::field::limbs26::Fe<S>;
            type Sums = $crate::field::limbs26::Fe<S>;
            type Key = $crate::field::limbs26::Key<S>;

            #[inline(always)]
            fn limbs(element: $Element) -> [u64; 5] {
                element.limbs26()
            }
            #[inline(always)]
            fn small_multiple(element: $Element, by: u64) -> [u64; 5] {
                Self::limbs(element).map(|limb| limb * by)
            }
            #[inline(always)]
            fn from_loose(element: <$Element as Field>::Loose) -> [u64; 5] {
                $from_loose(SCALAR, element)
            }
            #[inline(always)]
            fn in_lane(self, limbs: [u64; 5], lane: usize) -> Self::Fe {
                $crate::field::limbs26::in_lane(self.0, limbs, lane)
            }
            #[inline(always)]
            fn everywhere(self, limbs: [u64; 5]) -> Self::Fe {
                $crate::field::limbs26::splat(self.0, limbs)
            }
            #[inline(always)]
            fn in_lanes(self, elements: &[$Element; 8]) -> Self::Fe {
                $in_lanes(self.0, elements)
            }
            #[inline(always)]
            fn arrange(self, limbs: &[[u64; 5]]) -> Self::Fe {
                $crate::field::limbs26::arrange(self.0, limbs)
            }
            #[inline(always)]
            fn scatter(self, h: Self::Fe) -> [<$Element as Field>::Loose; 8] {
                // Through memory: lanes leave the vectors once per message or piece, so this needs no fast path.
                // Lanes hold the blocks in the order of `lane_of_block`, which the loop undoes.
                let (t, zero) = ($crate::field::limbs26::store(self.0, h), $loose(SCALAR, [0; 5]));
                let mut out = [zero; 8];
                let mut b = 0;
                while b < S::N {
                    let i = crate::base::block_rows::lane_of_block(S::N, b);
                    out[b] = $loose(SCALAR, [t[0][i], t[1][i], t[2][i], t[3][i], t[4][i]]);
                    b += 1;
                }
                out
            }
            #[inline(always)]
            fn alternate(self, a: Self::Fe, b: Self::Fe) -> Self::Fe {
                $crate::field::limbs26::alternate(self.0, a, b)
            }
            #[inline(always)]
            fn odds(self, a: Self::Fe) -> Self::Fe {
                $crate::field::limbs26::odds(self.0, a)
            }
            #[inline(always)]
            fn mixed(self, a: Self::Fe, kept: &[u64; 8], others: &[u64; 8]) -> Self::Fe {
                // `settle` hides the mask: LLVM would keep the lowest lane by a move between registers that Valgrind
                // does not know.
                let (s, mask) = (self.0, self.0.settle(self.0.load_words(kept)));
                let a0 = s.concat(s.select(a[0], mask), s.load_words(others));
                [a0, s.select(a[1], mask), s.select(a[2], mask), s.select(a[3], mask), s.select(a[4], mask)]
            }
            #[inline(always)]
            fn close(self, d: Self::Sums, more: [u64; 5]) -> $Element {
                // `more` joins in limbs, so that one reduction serves all lanes and the extra element.
                let pairs = $crate::field::lane_sums::store_pairs(self.0, self.for_fold(d));
                <$Element>::of_words($fold(SCALAR, &pairs, S::N, Some(more)))
            }
            #[inline(always)]
            fn for_fold(self, d: Self::Sums) -> Self::Fe {
                // The fold takes 62 bits. A carry would be the longest chain of a short message's end.
                d
            }
            #[inline(always)]
            fn fold(self, h: Self::Fe) -> $Element {
                let pairs = $crate::field::lane_sums::store_pairs(self.0, h);
                <$Element>::of_words($fold(SCALAR, &pairs, S::N, None))
            }
            #[inline(always)]
            fn key(self, r: Self::Fe) -> Self::Key {
                $crate::field::limbs26::Key::modulo::<$top>(self.0, r)
            }
            #[inline(always)]
            fn lane0(self, r: Self::Fe) -> Self::Fe {
                // A broadcast through memory: the trait `Lanes` cannot copy one lane to all, and this happens once
                // per key.
                let t = $crate::field::limbs26::store(self.0, r);
                self.everywhere([t[0][0], t[1][0], t[2][0], t[3][0], t[4][0]])
            }
            #[inline(always)]
            fn mul(self, h: Self::Fe, r: &Self::Key) -> Self::Sums {
                // In: limbs of h below 2^32. A carried element plus a row of blocks stays below 2^28.
                $crate::field::limbs26::mul(self.0, $crate::field::limbs26::limbs(self.0, h), r)
            }
            #[inline(always)]
            fn square(self, a: Self::Fe) -> Self::Sums {
                $crate::field::limbs26::square_modulo::<$top, S>(self.0, a)
            }
            #[inline(always)]
            fn mul_add(self, d: Self::Sums, h: Self::Fe, r: &Self::Key) -> Self::Sums {
                $crate::field::limbs26::mul_add(self.0, d, $crate::field::limbs26::limbs(self.0, h), r)
            }
            #[inline(always)]
            fn add_sums(self, a: Self::Sums, b: Self::Sums) -> Self::Sums {
                $crate::field::limbs26::add(self.0, a, b)
            }
            #[inline(always)]
            fn as_sums(self, a: Self::Fe) -> Self::Sums {
                a
            }
            #[inline(always)]
            fn carry(self, d: Self::Sums) -> Self::Fe {
                // In: sums below 2^63.25. Out: factors; limbs 1 and 4 keep a small carry above their width.
                $crate::field::limbs26::carry_modulo::<$top, S>(self.0, d)
            }
            #[inline(always)]
            fn add(self, a: Self::Fe, b: Self::Fe) -> Self::Fe {
                $crate::field::limbs26::add(self.0, a, b)
            }
            #[inline(always)]
            fn row(self, bytes: &[u8], odd_offset: usize) -> Self::Fe {
                let [a, b] = $loads::halves(self.0, bytes, odd_offset);
                $crate::field::limbs26::cut(self.0, a, b)
            }
            #[inline(always)]
            fn row_sums(self, bytes: &[u8], odd_offset: usize) -> Self::Sums {
                let [a, b] = $loads::halves(self.0, bytes, odd_offset);
                // 52-bit pieces at limbs 0, 2 and 4 are valid sums: the next carry moves the excess to limbs 1 and
                // 3.
                $crate::field::limbs26::halve(self.0, a, b)
            }
            #[inline(always)]
            fn short_row(self, rest: &[u8], odd_offset: usize) -> Self::Fe {
                let [a, b] = $loads::short(self.0, rest, odd_offset);
                $crate::field::limbs26::cut(self.0, a, b)
            }
            #[inline(always)]
            fn whole_row(self, row: &[u8]) -> Self::Fe {
                // Each block is 2^(8 BLOCK) + its bytes. The pad bit is the same in every lane, so one constant
                // vector is ORed to limb 4.
                let blocks = $loads::halves(self.0, row, <$Element>::BLOCK * S::N / 2);
                self.padded(blocks, self.0.splat(1 << $pad))
            }
            #[inline(always)]
            fn first_row(self, head: &[u8]) -> Self::Fe {
                // Zero blocks must not get a pad: the field's zero is 0, not 2^(8 BLOCK).
                let empty = S::N - head.len() / <$Element>::BLOCK;
                self.padded($loads::first(self.0, head), from_block(self.0, 1 << $pad, empty))
            }
            #[inline(always)]
            fn last_row(self, last: &[u8]) -> Self::Fe {
                // The short block already has its pad in its words, so its lane gets none in the top limb.
                self.padded($loads::last(self.0, last), but_last_block(self.0, 1 << $pad))
            }
        }
    };
}
pub(crate) use five_limbs;
