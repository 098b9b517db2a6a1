//! The common part of the interfaces of all versions, over the `universal_hash` that each of them exports.

/// Defines the constants, types and traits of a version. `$common` is the module of `universal_hash` with the
/// traits for sizes, which was renamed between versions; `$debug` is the text that `Debug` prints.
macro_rules! interface {
    ($common:ident, $debug:literal) => {
        use universal_hash::consts::{U16, U32};
        use universal_hash::$common::{BlockSizeUser, KeySizeUser};
        use universal_hash::{KeyInit, UhfClosure, UniversalHash};

        /// Bytes of a key: 16 of r, then 16 of s.
        pub const KEY_SIZE: usize = 32;

        /// Bytes of a block, the unit in which messages are hashed.
        pub const BLOCK_SIZE: usize = 16;

        /// Keys: r, which is clamped, and s.
        pub type Key = universal_hash::Key<Poly1305>;

        /// A block of a message, 16 bytes.
        pub type Block = universal_hash::Block<Poly1305>;

        /// A tag, 16 bytes. Compare tags in constant time, as `verify` does.
        pub type Tag = universal_hash::Block<Poly1305>;

        /// The universal hash Poly1305, in 176 bytes or fewer. Wiped when dropped.
        ///
        /// With the feature `alloc`, a message of more than 4 KiB that comes in pieces takes 6.3 KiB on the heap besides.
        #[derive(Clone)]
        pub struct Poly1305(carryless_hash::poly1305::Poly1305);

        impl Poly1305 {
            /// The tag of the bytes so far followed by `data`, whose last block is not padded with zeros.
            /// Without earlier bytes it is Poly1305 as RFC 8439 defines it.
            #[must_use]
            pub fn compute_unpadded(mut self, data: &[u8]) -> Tag {
                // The short last block gets its pad in `finalize`, not zeros.
                self.0.update(data);
                self.finalize()
            }
        }

        impl KeySizeUser for Poly1305 {
            type KeySize = U32;
        }

        impl BlockSizeUser for Poly1305 {
            type BlockSize = U16;
        }

        impl KeyInit for Poly1305 {
            #[inline]
            fn new(key: &Key) -> Poly1305 {
                // Any 32 bytes are a key: r is clamped there.
                Poly1305(carryless_hash::poly1305::Poly1305::new(key.as_ref()))
            }
        }

        impl core::fmt::Debug for Poly1305 {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                // Nothing of the key or the state, and the text of the crate that this one replaces.
                f.write_str($debug)
            }
        }

        // Its only field is wiped when dropped.
        impl zeroize::ZeroizeOnDrop for Poly1305 {}
    };
}

pub(crate) use interface;
