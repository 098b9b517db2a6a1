//! Operations on slices of many elements that lie one after the other.
use super::super::clear_frames;
use super::{DynField, MAX_WORDS};
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroize;

/// The number of chains of products that [`DynField::batch_invert`] advances together.
const CHAINS: usize = 64;

/// With fewer elements in a field of up to 32 bits, the chains of vectors would be no longer than an element.
const FEW: usize = 256;

impl DynField {
    #[track_caller]
    fn check_slices(&self, a: &[u64], b: &[u64], out: &[u64]) {
        assert!(a.len() == b.len() && a.len() == out.len(), "operands and results of the same length");
        assert!(a.len().is_multiple_of(self.words()), "an element has {} words", self.words());
    }

    /// Sets `out[i]` to the product `a[i] b[i]` of elements, for slices of the same number of elements.
    ///
    /// Fields of up to 32 bits have an element in every half of every lane. There it is public whether an
    /// operand has bits from z^m on; such operands take several times longer.
    ///
    /// ```
    /// use carryless_gf2::field::DynField;
    ///
    /// let field = DynField::from_exponents(&[8, 4, 3, 1, 0])?;
    /// let mut products = [0; 3];
    /// field.mul_slices(&[0x53, 0x57, 0], &[0xca, 0x83, 5], &mut products);
    /// assert_eq!(products, [1, 0xc1, 0]);
    /// # Ok::<(), carryless_gf2::field::DynFieldError>(())
    /// ```
    ///
    /// # Panics
    /// If the slices have different lengths, or not [`words`](DynField::words) words for each element.
    #[track_caller]
    pub fn mul_slices(&self, a: &[u64], b: &[u64], out: &mut [u64]) {
        self.check_slices(a, b, out);
        self.many(a, b, true, out);
    }

    /// Sets `out[i]` to the product of `a[i]` and the element `by`; otherwise as [`mul_slices`](DynField::mul_slices).
    ///
    /// # Panics
    /// If the slices have different lengths, or not [`words`](DynField::words) words for each element.
    #[track_caller]
    pub fn scale_slice(&self, a: &[u64], by: &[u64], out: &mut [u64]) {
        self.check_slices(a, a, out);
        assert_eq!(by.len(), self.words(), "an element has {} words", self.words());
        self.many(a, by, false, out);
    }

    /// Sets each element of `out` to a product, canonical: by the element of `b` at the same place, or by the one
    /// element in `b` if it does not `advance`. Operands may have bits from z^m on. Lengths are not checked.
    // Whether they have such bits is public. The check of constant time (`ctime/public.supp`) finds the branch by the
    // name of this function, so the compiler must not inline it.
    #[inline(never)]
    pub(super) fn many(&self, a: &[u64], b: &[u64], advance: bool, out: &mut [u64]) {
        if a.is_empty() {
            return;
        }
        // If an operand has bits from z^m on, the fast kernel's results are discarded, and the general one
        // reduces it.
        if self.small.is_some_and(|small| small.products(self.cpu(), a, b, out)) {
            return;
        }
        self.products(a, b, advance, out);
    }

    /// Sets `out[i]` to 1 / `a[i]`, or to 0 if `a[i]` is 0, by Montgomery's trick: three products for each
    /// element, two more by 1 that make it canonical, and an inversion for each 128 KiB.
    ///
    /// It needs no memory but `out` and a few kilobytes, which it wipes.
    ///
    /// ```
    /// use carryless_gf2::field::DynField;
    ///
    /// let field = DynField::from_exponents(&[8, 4, 3, 1, 0])?;
    /// let mut inverses = [0; 3];
    /// field.batch_invert(&[0x53, 0, 1], &mut inverses);
    /// assert_eq!(inverses, [0xca, 0, 1]);
    /// # Ok::<(), carryless_gf2::field::DynFieldError>(())
    /// ```
    ///
    /// # Panics
    /// If the slices have different lengths, or not [`words`](DynField::words) words for each element.
    #[track_caller]
    pub fn batch_invert(&self, a: &[u64], out: &mut [u64]) {
        self.check_slices(a, a, out);
        // Blocks of 128 KiB, so that operands and results stay in a cache of 256 KiB.
        let block = (1 << 14) / self.words() * self.words();
        for (a, out) in a.chunks(block).zip(out.chunks_mut(block)) {
            let small = self.small.filter(|_| a.len() >= FEW);
            if !small
                .is_some_and(|small| small.inverses(self.cpu(), a, out, |state| self.invert_in_place(state)))
            {
                self.invert_chains(a, out, CHAINS);
            }
        }
        clear_frames();
    }

    /// Sets elements to their inverses, and 0 to 0.
    pub(super) fn invert_in_place(&self, elements: &mut [u64]) {
        let mut copy = elements.to_vec();
        self.invert_chains(&copy, elements, CHAINS);
        copy.as_mut_slice().zeroize();
    }

    /// Inverts elements in `chains` chains, where element i of every row belongs to chain i.
    ///
    /// The first pass sets each row of `out` to the products of all rows before it. Then the products of whole
    /// chains are inverted. The second pass goes back over the rows and peels them off.
    fn invert_chains(&self, a: &[u64], out: &mut [u64], chains: usize) {
        // 64 chains let `many` work on whole vectors, also in fields of up to 32 bits. The products of 64
        // chains are then inverted by eight chains, those by one, and that one by a single inversion.
        let row = chains * self.words();
        let mut state = Chains::new(self, row);
        for (a, out) in a.chunks(row).zip(out.chunks_mut(row)) {
            out.copy_from_slice(&state.products[..a.len()]);
            state.load(a);
            state.advance(a.len());
        }
        state.invert(chains);
        let rows = a.len().div_ceil(row);
        // Invariant: `products` has, for each chain, 1 / the product of its elements up to and including row
        // i.
        for i in (0..rows).rev() {
            let (from, to) = (i * row, (i * row + row).min(a.len()));
            state.load(&a[from..to]);
            state.finish(&mut out[from..to]);
        }
    }
}

/// The state of [`invert_chains`](DynField::invert_chains): one product for each chain, and a row. Wiped on drop.
struct Chains<'a> {
    field: &'a DynField,
    products: Vec<u64>,
    /// The current row: canonical elements, with 1 in place of 0.
    row: Vec<u64>,
    /// For each element of the row, 1 if it was 0, else 0.
    zeros: Vec<u64>,
    scratch: Vec<u64>,
}

impl<'a> Chains<'a> {
    fn new(field: &'a DynField, len: usize) -> Self {
        let row = || vec![0; len];
        let mut chains = Chains { field, products: row(), row: row(), zeros: row(), scratch: row() };
        chains.products.chunks_exact_mut(field.words()).for_each(|element| element[0] = 1);
        chains
    }

    /// Loads a row, makes it canonical by a product with 1, and replaces zeros by 1 without branches.
    fn load(&mut self, a: &[u64]) {
        // The product with 1 reduces elements with bits from z^m on, so that multiples of f count as zeros
        // too. Every element is loaded twice, once in each pass.
        let (words, mut one) = (self.field.words(), [0; MAX_WORDS]);
        one[0] = 1;
        self.field.many(a, &one[..words], false, &mut self.row[..a.len()]);
        for (element, zero) in self.row.chunks_exact_mut(words).zip(self.zeros.chunks_exact_mut(words)) {
            // 1 if the element is 0, without a branch: the top bit of x | -x tells whether x is nonzero.
            let any = element.iter().fold(0, |any, word| any | word);
            zero[0] = !(any | any.wrapping_neg()) >> 63;
            element[0] |= zero[0];
        }
    }

    /// Multiplies the products of the chains by the row, of `len` words.
    fn advance(&mut self, len: usize) {
        self.field.many(&self.products[..len], &self.row[..len], true, &mut self.scratch[..len]);
        self.products[..len].copy_from_slice(&self.scratch[..len]);
    }

    /// Inverts the products of all chains: by an eighth as many chains, until there is one.
    fn invert(&mut self, chains: usize) {
        self.scratch.copy_from_slice(&self.products);
        if chains == 1 {
            self.field.invert_or_zero(&self.scratch, &mut self.products);
        } else {
            self.field.invert_chains(&self.scratch, &mut self.products, chains / 8);
        }
    }

    /// Computes the inverses of a row, where `out` holds the products of the rows before it. The sum with
    /// `zeros` turns the inverse 1 of a replaced zero into 0.
    fn finish(&mut self, out: &mut [u64]) {
        let len = out.len();
        // 1 / x = (1 / product up to x) (product before x), which the first pass left in `out`.
        self.field.many(&self.products[..len], out, true, &mut self.scratch[..len]);
        for (i, out) in out.iter_mut().enumerate() {
            *out = self.scratch[i] ^ self.zeros[i];
        }
        self.advance(len);
    }
}

impl Drop for Chains<'_> {
    fn drop(&mut self) {
        for words in [&mut self.products, &mut self.row, &mut self.zeros, &mut self.scratch] {
            words.as_mut_slice().zeroize();
        }
    }
}

impl DynField {
    /// Sets `out` to the sum of the products `a[i] b[i]`, for slices of the same number of elements; to
    /// 0 if there are none.
    ///
    /// # Panics
    /// If the slices differ in length, or if they or `out` do not have
    /// [`words`](DynField::words) words for each element.
    #[track_caller]
    pub fn dot(&self, a: &[u64], b: &[u64], out: &mut [u64]) {
        self.check_slices(a, b, a);
        assert_eq!(out.len(), self.words(), "an element has {} words", self.words());
        out.fill(0);
        // Products are reduced before they are added here, because kernels for any f return reduced products
        // only.
        let mut products = [0; 8 * MAX_WORDS];
        let block = products.len() / self.words() * self.words();
        for (a, b) in a.chunks(block).zip(b.chunks(block)) {
            self.many(a, b, true, &mut products[..a.len()]);
            for product in products[..a.len()].chunks_exact(self.words()) {
                out.iter_mut().zip(product).for_each(|(sum, word)| *sum ^= word);
            }
        }
        products.zeroize();
    }
}
