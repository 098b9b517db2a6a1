//! The interface of `poly1305` 0.9, over `universal-hash` 0.6.
pub use universal_hash;

crate::interface::interface!(common, "Poly1305 { .. }");

impl UniversalHash for Poly1305 {
    #[inline]
    fn update(&mut self, blocks: &[Block]) {
        // Blocks of `hybrid-array` can be viewed as bytes, so nothing is copied, unlike in 0.8.
        self.0.update(Block::slice_as_flattened(blocks));
    }

    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = Self::BlockSize>) {
        // The backend of the hash takes 32 blocks at a time, enough for its vector kernels.
        self.0.update_with_backend(f);
    }

    #[inline]
    fn finalize(self) -> Tag {
        self.0.finalize().to_bytes().into()
    }
}
