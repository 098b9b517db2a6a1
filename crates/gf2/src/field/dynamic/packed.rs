//! Operations on slices of packed elements, of 1, 2 or 4 bytes, in fields of up to 32 bits.
use super::super::clear_frames;
use super::DynField;
use super::small::{Small, Unit};
use alloc::vec;
use alloc::vec::Vec;
use zeroize::Zeroize;

impl DynField {
    /// Bytes of elements that share one inversion in [`batch_invert_packed`](DynField::batch_invert_packed): operands
    /// and results stay in a cache of 512 KiB. Whoever splits a slice in multiples of it loses nothing.
    pub const PACKED_BLOCK: usize = 1 << 17;

    /// The bytes of a packed element: 1, 2 or 4 for m up to 8, 16 or 32, least significant first. `None` above.
    #[must_use]
    pub fn packed_bytes(&self) -> Option<usize> {
        self.small.as_ref().map(<u8 as Unit>::of)
    }

    #[track_caller]
    fn check_packed(&self, a: &[u8], b: &[u8], out: &[u8]) -> (&Small, usize) {
        let small = self.small.as_ref().expect("packed elements are those of fields of up to 32 bits");
        let bytes = <u8 as Unit>::of(small);
        assert!(a.len() == b.len() && a.len() == out.len(), "operands and results of the same length");
        assert!(a.len().is_multiple_of(bytes), "a packed element has {bytes} bytes");
        (small, bytes)
    }

    /// [`mul_slices`](DynField::mul_slices) for packed elements, in the same time for each vector of memory, so with up to eight times as many
    /// elements.
    ///
    /// ```
    /// use carryless_gf2::field::DynField;
    ///
    /// let field = DynField::from_exponents(&[8, 4, 3, 1, 0])?;
    /// let mut products = [0; 3];
    /// field.mul_packed(&[0x53, 0x57, 0], &[0xca, 0x83, 5], &mut products);
    /// assert_eq!((products, field.packed_bytes()), ([1, 0xc1, 0], Some(1)));
    /// # Ok::<(), carryless_gf2::field::DynFieldError>(())
    /// ```
    ///
    /// # Panics
    /// If m is above 32, or the slices have different lengths, or not [`packed_bytes`](DynField::packed_bytes) for each element.
    #[track_caller]
    pub fn mul_packed(&self, a: &[u8], b: &[u8], out: &mut [u8]) {
        let (small, bytes) = self.check_packed(a, b, out);
        self.many_packed(small, bytes, [a, b], out);
    }

    /// [`scale_slice`](DynField::scale_slice) for packed elements.
    ///
    /// # Panics
    /// As [`mul_packed`](DynField::mul_packed).
    #[track_caller]
    pub fn scale_packed(&self, a: &[u8], by: &[u8], out: &mut [u8]) {
        let (small, bytes) = self.check_packed(a, a, out);
        assert_eq!(by.len(), bytes, "a packed element has {bytes} bytes");
        self.many_packed(small, bytes, [a, by], out);
    }

    fn many_packed(&self, small: &Small, bytes: usize, [a, b]: [&[u8]; 2], out: &mut [u8]) {
        if small.products(self.cpu, a, b, out) {
            return;
        }
        let (mut a, mut b) = (self.reduced(a, bytes), self.reduced(b, bytes));
        small.products(self.cpu, &a, &b, out);
        a.as_mut_slice().zeroize();
        b.as_mut_slice().zeroize();
    }

    /// [`batch_invert`](DynField::batch_invert) for packed elements: sets `out[i]` to 1 / `a[i]`, or to 0 if `a[i]` is 0.
    ///
    /// # Panics
    /// As [`mul_packed`](DynField::mul_packed).
    #[track_caller]
    pub fn batch_invert_packed(&self, a: &[u8], out: &mut [u8]) {
        let (small, bytes) = self.check_packed(a, a, out);
        let invert = |state: &mut [u8]| {
            let mut words = unpack(state, bytes);
            self.invert_in_place(&mut words);
            pack(&words, bytes, state);
            words.as_mut_slice().zeroize();
        };
        for (a, out) in a.chunks(DynField::PACKED_BLOCK).zip(out.chunks_mut(DynField::PACKED_BLOCK)) {
            if !small.inverses(self.cpu, a, out, invert) {
                let mut a = self.reduced(a, bytes);
                small.inverses(self.cpu, &a, out, invert);
                a.as_mut_slice().zeroize();
            }
        }
        clear_frames();
    }

    /// The same elements without bits from z^m on.
    fn reduced(&self, a: &[u8], bytes: usize) -> Vec<u8> {
        let mut words = unpack(a, bytes);
        let packed = self.packed(&words, bytes);
        words.as_mut_slice().zeroize();
        packed
    }

    /// Packs elements of one word, without bits from z^m on.
    fn packed(&self, words: &[u64], bytes: usize) -> Vec<u8> {
        let (mut canonical, mut packed) = (vec![0; words.len()], vec![0; bytes * words.len()]);
        self.many(words, &[1], false, &mut canonical);
        pack(&canonical, bytes, &mut packed);
        canonical.as_mut_slice().zeroize();
        packed
    }

    /// Runs a function on packed elements without bits from z^m on; returns the words of its results. `None` for m above 32.
    pub(crate) fn with_packed<E>(
        &self,
        words: &[u64],
        run: impl FnOnce(Vec<u8>) -> Result<Vec<u8>, E>,
    ) -> Option<Result<Vec<u64>, E>> {
        let bytes = self.packed_bytes()?;
        Some(run(self.packed(words, bytes)).map(|results| unpack(&results, bytes)))
    }

    /// Sets each of `values` to `value x^n + c`, for the packed points x and the value c at x of the polynomial with these n coefficients. All are reduced.
    #[track_caller]
    pub(crate) fn horner_packed(&self, points: &[u8], coefficients: &[u64], values: &mut [u8]) {
        let (small, _) = self.check_packed(points, points, values);
        small.horner(self.cpu, points, coefficients, values);
    }
}

/// The words of packed elements.
fn unpack(packed: &[u8], bytes: usize) -> Vec<u64> {
    let word = |element: &[u8]| element.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    packed.chunks_exact(bytes).map(word).collect()
}

/// Packs words of as many elements.
fn pack(words: &[u64], bytes: usize, out: &mut [u8]) {
    for (word, out) in words.iter().zip(out.chunks_exact_mut(bytes)) {
        out.copy_from_slice(&word.to_le_bytes()[..bytes]);
    }
}
