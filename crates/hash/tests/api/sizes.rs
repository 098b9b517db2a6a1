//! The sizes that the documentation gives, in bytes on x86-64 and AArch64: at most these, and not much less.
// Elsewhere words of 128 bits are aligned differently.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use carryless_hash::{Key1271, decbrwhash1271, decbrwhash1305, poly1305, polyhash1271, polyhash1305};

/// A complaint about a type, if the documentation is wrong.
pub(crate) fn documented<T>(size: usize) -> Option<String> {
    let real = size_of::<T>();
    let right = real <= size && 20 * real >= 19 * size;
    (!right).then(|| format!("{}: {real} bytes, not {size}", std::any::type_name::<T>()))
}

/// The size with the feature `alloc`, or without it.
const fn alloc_or_not(with: usize, without: usize) -> usize {
    if cfg!(feature = "alloc") { with } else { without }
}

/// A number of KiB in tenths, in bytes.
const fn tenths_of_kib(tenths: usize) -> usize {
    tenths * 1024 / 10
}

#[test]
fn sizes_are_as_documented() {
    let wrong: Vec<_> = [
        documented::<poly1305::Poly1305>(alloc_or_not(192, 160)),
        documented::<poly1305::PreparedKey>(6464),
        documented::<polyhash1305::PolyHash1305>(alloc_or_not(168, 144)),
        documented::<polyhash1305::PreparedKey>(6464),
        documented::<polyhash1305::Segment>(56),
        documented::<polyhash1271::PolyHash1271>(672),
        documented::<polyhash1271::PreparedKey>(544),
        documented::<polyhash1271::Segment>(40),
        documented::<Key1271>(16),
        documented::<decbrwhash1305::PreparedKey>(2608),
        documented::<decbrwhash1305::BrwHash1305>(alloc_or_not(328, tenths_of_kib(31))),
        documented::<decbrwhash1305::DecBrwHash1305>(alloc_or_not(1096, tenths_of_kib(78))),
        documented::<decbrwhash1305::Hasher<16>>(alloc_or_not(4168, tenths_of_kib(265))),
        documented::<decbrwhash1271::PreparedKey>(1750),
        documented::<decbrwhash1271::BrwHash1271>(alloc_or_not(320, tenths_of_kib(22))),
        documented::<decbrwhash1271::DecBrwHash1271>(alloc_or_not(1088, tenths_of_kib(56))),
        documented::<decbrwhash1271::Hasher<16>>(alloc_or_not(4160, tenths_of_kib(190))),
        documented::<decbrwhash1305::Segment<4>>(248),
        documented::<decbrwhash1271::Segment<4>>(176),
    ]
    .into_iter()
    .flatten()
    .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
