//! Both interfaces give the same tags as RustCrypto's packages, for the same calls in the same order.
use proptest::prelude::*;

/// The call by which a piece of a message is hashed.
#[derive(Clone, Copy, Debug)]
enum Call {
    /// `update` with the whole blocks of the piece.
    Update,
    /// `update_padded` with all bytes of the piece.
    UpdatePadded,
    /// `update_with_backend` with its whole blocks, as many at a time as the backend has room for.
    Backend,
}

/// The call that returns the tag.
#[derive(Clone, Copy, Debug)]
enum End {
    Finalize,
    /// `compute_unpadded` with the last piece.
    ComputeUnpadded,
    /// `finalize` of a clone, after which the state goes on.
    CloneAndFinalize,
}

/// The tests of one version: ours, the original, and the traits of both.
macro_rules! version {
    ($version:ident, $ours:path, $original:path, $common:ident) => {
        mod $version {
            use super::{Call, End, message};
            use ours::universal_hash::consts::U16;
            use ours::universal_hash::$common::BlockSizeUser;
            use ours::universal_hash::{Block, KeyInit, ParBlocks, UhfBackend, UhfClosure, UniversalHash};
            use proptest::prelude::*;
            use $original as original;
            use $ours as ours;

            /// Passes blocks to a backend: full rows first, then the rest one by one.
            struct Blocks<'a>(&'a [ours::Block]);

            impl BlockSizeUser for Blocks<'_> {
                type BlockSize = U16;
            }

            impl UhfClosure for Blocks<'_> {
                fn call<B: UhfBackend<BlockSize = U16>>(self, backend: &mut B) {
                    let rows = self.0.chunks_exact(ParBlocks::<B>::default().len());
                    let rest = rows.remainder();
                    for row in rows {
                        let mut blocks = ParBlocks::<B>::default();
                        blocks.iter_mut().zip(row).for_each(|(to, from)| to.copy_from_slice(from));
                        backend.proc_par_blocks(&blocks);
                    }
                    rest.iter().for_each(|block| backend.proc_block(block));
                }
            }

            fn blocks(bytes: &[u8]) -> Vec<ours::Block> {
                let whole = bytes.chunks_exact(ours::BLOCK_SIZE);
                whole.map(|bytes| <[u8; ours::BLOCK_SIZE]>::try_from(bytes).expect("16").into()).collect()
            }

            trait Unpadded {
                fn unpadded(self, data: &[u8]) -> Vec<u8>;
            }

            impl Unpadded for ours::Poly1305 {
                fn unpadded(self, data: &[u8]) -> Vec<u8> {
                    self.compute_unpadded(data).to_vec()
                }
            }

            impl Unpadded for original::Poly1305 {
                fn unpadded(self, data: &[u8]) -> Vec<u8> {
                    self.compute_unpadded(data).to_vec()
                }
            }

            fn run<H>(key: [u8; 32], pieces: &[(Call, Vec<u8>)], end: End, last: &[u8]) -> Vec<u8>
            where
                H: UniversalHash<BlockSize = U16> + KeyInit + Clone + Unpadded,
            {
                let mut hash = H::new_from_slice(&key).expect("32 bytes");
                let mut tags = Vec::new();
                for (call, bytes) in pieces {
                    match call {
                        Call::Update => hash.update(&blocks(bytes)),
                        Call::UpdatePadded => hash.update_padded(bytes),
                        Call::Backend => hash.update_with_backend(Blocks(&blocks(bytes))),
                    }
                    if matches!(end, End::CloneAndFinalize) {
                        tags.extend_from_slice(&hash.clone().finalize());
                    }
                }
                match end {
                    End::ComputeUnpadded => tags.extend(hash.unpadded(last)),
                    End::Finalize | End::CloneAndFinalize => tags.extend_from_slice(&hash.finalize()),
                }
                tags
            }

            proptest! {
                #![proptest_config(ProptestConfig::with_cases(400))]
                #[test]
                fn tags_are_equal((key, pieces, end, last) in message()) {
                    let wanted = run::<original::Poly1305>(key, &pieces, end, &last);
                    prop_assert_eq!(run::<ours::Poly1305>(key, &pieces, end, &last), wanted);
                }
            }

            #[test]
            fn every_length_up_to_a_kibibyte() {
                let bytes: Vec<u8> = (0..1024_u32).map(|i| (i * i >> 3) as u8).collect();
                for key in [[0xff; 32], std::array::from_fn(|i| 7 * i as u8)] {
                    for len in 0..=bytes.len() {
                        for call in [Call::Update, Call::UpdatePadded, Call::Backend] {
                            for end in [End::Finalize, End::ComputeUnpadded] {
                                let (pieces, last) = ([(call, bytes[..len].to_vec())], &bytes[..len]);
                                let wanted = run::<original::Poly1305>(key, &pieces, end, last);
                                assert_eq!(
                                    run::<ours::Poly1305>(key, &pieces, end, last),
                                    wanted,
                                    "{len} {call:?} {end:?}"
                                );
                            }
                        }
                    }
                }
            }

            /// A tag with any one bit changed is refused.
            #[test]
            fn verify_accepts_the_tag_alone() {
                let hash = <ours::Poly1305 as KeyInit>::new(&[5; 32].into());
                let tag = <original::Poly1305 as KeyInit>::new(&[5; 32].into()).finalize();
                assert!(hash.clone().verify(&tag).is_ok());
                for bit in 0..128 {
                    let mut other: Block<ours::Poly1305> = tag;
                    other[bit / 8] ^= 1 << (bit % 8);
                    assert!(hash.clone().verify(&other).is_err(), "bit {bit}");
                }
            }

            #[test]
            fn constants_and_debug() {
                assert_eq!((ours::KEY_SIZE, ours::BLOCK_SIZE), (original::KEY_SIZE, original::BLOCK_SIZE));
                let (ours, original) =
                    (ours::Poly1305::new(&[1; 32].into()), original::Poly1305::new(&[1; 32].into()));
                assert_eq!(format!("{ours:?} {ours:#?}"), format!("{original:?} {original:#?}"));
            }
        }
    };
}

version!(v0_8, carryless_poly1305::v0_8, poly1305_0_8, crypto_common);
version!(v0_9, carryless_poly1305, poly1305_0_9, common);

type Message = ([u8; 32], Vec<(Call, Vec<u8>)>, End, Vec<u8>);

/// Draws a key, pieces, the end and the last piece. Bytes are random, or all ones, which cause the most
/// carries.
fn message() -> impl Strategy<Value = Message> {
    let byte = || prop_oneof![any::<u8>().boxed(), Just(0xff).boxed()];
    let bytes = move |len| prop::collection::vec(byte(), len);
    let call = prop_oneof![Just(Call::Update), Just(Call::UpdatePadded), Just(Call::Backend)];
    let piece = (call, prop_oneof![4 => bytes(0..100), 3 => bytes(0..700), 1 => bytes(0..6000)]);
    let end = prop_oneof![Just(End::Finalize), Just(End::ComputeUnpadded), Just(End::CloneAndFinalize)];
    (prop::array::uniform32(byte()), prop::collection::vec(piece, 0..8), end, bytes(0..200))
}
