//! Products, by one product in F2[X].
use super::FieldPoly;
use crate::algebra::Poly;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Mul;

impl<'f> FieldPoly<'f> {
    /// The coefficients as polynomials in z side by side, 2 m - 1 bits each: as many as a sum of their products has.
    fn packed(&self) -> Poly {
        let (stride, width) = (2 * self.field.degree() - 1, self.field.words());
        let mut out = vec![0; stride * self.len() / 64 + width + 1];
        for (i, element) in self.words.chunks_exact(width).enumerate() {
            let (start, shift) = (i * stride / 64, i * stride % 64);
            for (j, word) in element.iter().enumerate() {
                out[start + j] |= word << shift;
                // In two steps, as a shift by 64 is none.
                out[start + j + 1] |= word >> 1 >> (63 - shift);
            }
        }
        Poly::from(out)
    }

    /// The inverse of [`packed`](FieldPoly::packed) for `count` sums of products, which are reduced.
    fn unpacked(&self, packed: &Poly, count: usize) -> Self {
        let (m, width) = (self.field.degree(), self.field.words());
        let bits = |at: usize, length: usize, out: &mut Vec<u64>| {
            let word = |i: usize| packed.words().get(i).copied().unwrap_or(0);
            for j in 0..width {
                let (start, shift) = (at / 64 + j, at % 64);
                let used = length.saturating_sub(64 * j).min(64) as u32;
                let mask = u64::MAX.checked_shr(64 - used).unwrap_or(0);
                out.push((word(start) >> shift | word(start + 1) << 1 << (63 - shift)) & mask);
            }
        };
        let (mut low, mut high) = (Vec::with_capacity(count * width), Vec::with_capacity(count * width));
        for at in (0..count).map(|i| i * (2 * m - 1)) {
            bits(at, m, &mut low);
            bits(at + m, m - 1, &mut high);
        }
        // z^m modulo f, from which the bits above follow.
        let (mut z, mut below, mut fold) = (vec![0; width], vec![0; width], vec![0; width]);
        (z[0], below[(m - 1) / 64]) = (2, 1 << ((m - 1) % 64));
        self.field.mul(&z, &below, &mut fold);
        let mut words = vec![0; low.len()];
        self.field.scale_slice(&high, &fold, &mut words);
        words.iter_mut().zip(&low).for_each(|(word, add)| *word ^= add);
        FieldPoly::trimmed(self.field, words)
    }

    /// The square: that of each coefficient, at twice its place.
    pub(super) fn squared(&self) -> Self {
        let (width, mut squares) = (self.field.words(), vec![0; self.words.len()]);
        self.field.mul_slices(&self.words, &self.words, &mut squares);
        let mut words = vec![0; (2 * self.len()).saturating_sub(1) * width];
        for (out, square) in words.chunks_mut(2 * width).zip(squares.chunks_exact(width)) {
            out[..width].copy_from_slice(square);
        }
        FieldPoly { field: self.field, words }
    }
}

impl<'f> Mul for &FieldPoly<'f> {
    type Output = FieldPoly<'f>;

    /// # Panics
    /// If the fields differ.
    #[track_caller]
    fn mul(self, other: Self) -> FieldPoly<'f> {
        self.check_field(other);
        let count = (self.len() + other.len()).saturating_sub(1);
        self.unpacked(&(&self.packed() * &other.packed()), count)
    }
}
