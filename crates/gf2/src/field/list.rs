//! The fields of the library, each a type with the exponents of its f. All other constants are computed from
//! these.
use super::constants::{
    barrett, first, is_polynomial, is_sqrt_friendly, lowest_bit, sqrt_z, sum, trace_mask,
};
use super::sealed::seal;
use super::{BinaryField, FieldWords, Shape, Words};

/// Each field is in a module of its own: rustc compiles the methods of all types of a module in one codegen unit, and
/// one with the kernels of all fields takes too much memory (`Cargo.toml` has figures).
macro_rules! fields {
    ($($(#[$doc:meta])* $module:ident::$name:ident: $m:literal, [$($e:literal),+];)*) => {
        $(
            mod $module {
                $(#[$doc])*
                #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
                pub struct $name;
            }
            pub use $module::$name;

            // All constants are evaluated at compile time. Tests prove that f is irreducible.
            impl BinaryField for $name {
                const NAME: &'static str = stringify!($name);
                const DEGREE: usize = $m;
                const TAIL: &'static [usize] = {
                    let tail = &[$($e),+];
                    assert!(is_polynomial($m, tail), "exponents that descend to 0");
                    tail
                };
                type Shape = Words<{ usize::div_ceil($m, 64) }>;
                const SQRT_FRIENDLY: bool = is_sqrt_friendly($m, Self::TAIL);
                const SQRT_Z: FieldWords<Self> = first(&sqrt_z($m, Self::TAIL));
                const TRACE_MASK: FieldWords<Self> = first(&trace_mask($m, Self::TAIL));
                const TRACE_ONE: FieldWords<Self> = lowest_bit(&Self::TRACE_MASK);
                const BARRETT: FieldWords<Self> =
                    first(&barrett($m, Self::TAIL, <Self::Shape as Shape>::WORDS));
                const TAIL_SHIFTED: FieldWords<Self> =
                    first(&sum(Self::TAIL, 64 * <Self::Shape as Shape>::WORDS - $m));
            }
        )*
    };
}

/// Defines the public fields, and a macro that visits all of them. A row ends with the features that
/// [`seal`] takes.
macro_rules! public_fields {
    ($($(#[$doc:meta])* $module:ident::$name:ident: $m:literal, [$($e:literal),+], $($feature:literal)+;)*) => {
        fields! { $($(#[$doc])* $module::$name: $m, [$($e),+];)* }

        $(seal! { $name, $($feature)+ })*

        /// Calls `$visit!` with the names of all fields.
        #[macro_export]
        #[doc(hidden)]
        macro_rules! for_each_field {
            ($visit:ident) => {
                $visit! { $($name),* }
            };
        }
    };
}

public_fields! {
    /// GF(2^113), f = z^113 + z^9 + 1.
    gf113::Gf113: 113, [9, 0], "all-curves" "all-fields";
    /// GF(2^127), f = z^127 + z^63 + 1.
    gf127::Gf127: 127, [63, 0], "all-curves" "all-fields";
    /// GF(2^163), f = z^163 + z^7 + z^6 + z^3 + 1: NIST B-163 and K-163, DSTU 4145.
    gf163::Gf163: 163, [7, 6, 3, 0], "field-163";
    /// GF(2^163), f = z^163 + z^57 + z^49 + z^29 + 1: sparse sqrt(z).
    gf163_sqrt::Gf163Sqrt: 163, [57, 49, 29, 0], "all-fields";
    /// GF(2^193), f = z^193 + z^15 + 1: sect193.
    gf193::Gf193: 193, [15, 0], "all-curves" "all-fields";
    /// GF(2^233), f = z^233 + z^74 + 1: NIST B-233 and K-233.
    gf233::Gf233: 233, [74, 0], "field-233";
    /// GF(2^233), f = z^233 + z^9 + z^4 + z + 1: DSTU 4145.
    gf233_dstu::Gf233Dstu: 233, [9, 4, 1, 0], "dstu-233" "all-fields";
    /// GF(2^233), f = z^233 + z^159 + 1: sparse sqrt(z).
    gf233_sqrt::Gf233Sqrt: 233, [159, 0], "all-fields";
    /// GF(2^239), f = z^239 + z^158 + 1: sect239k1.
    gf239::Gf239: 239, [158, 0], "all-curves" "all-fields";
    /// GF(2^239), f = z^239 + z^81 + 1: sparse sqrt(z).
    gf239_sqrt::Gf239Sqrt: 239, [81, 0], "all-fields";
    /// GF(2^251), f = z^251 + z^7 + z^4 + z^2 + 1: CURVE2251, BBE251.
    gf251::Gf251: 251, [7, 4, 2, 0], "all-curves" "all-fields";
    /// GF(2^251), f = z^251 + z^89 + z^81 + z^3 + 1: sparse sqrt(z).
    gf251_sqrt::Gf251Sqrt: 251, [89, 81, 3, 0], "all-fields";
    /// GF(2^257), f = z^257 + z^41 + 1.
    gf257::Gf257: 257, [41, 0], "all-curves" "all-fields";
    /// GF(2^271), f = z^271 + z^201 + 1.
    gf271::Gf271: 271, [201, 0], "all-fields";
    /// GF(2^283), f = z^283 + z^12 + z^7 + z^5 + 1: NIST B-283 and K-283.
    gf283::Gf283: 283, [12, 7, 5, 0], "field-283";
    /// GF(2^283), f = z^283 + z^97 + z^89 + z^87 + 1: sparse sqrt(z).
    gf283_sqrt::Gf283Sqrt: 283, [97, 89, 87, 0], "all-fields";
    /// GF(2^353), f = z^353 + z^95 + 1.
    gf353::Gf353: 353, [95, 0], "all-fields";
    /// GF(2^367), f = z^367 + z^21 + 1: DSTU 4145.
    gf367::Gf367: 367, [21, 0], "dstu-367" "all-fields";
    /// GF(2^409), f = z^409 + z^87 + 1: NIST B-409 and K-409.
    gf409::Gf409: 409, [87, 0], "field-409";
    /// GF(2^439), f = z^439 + z^49 + 1.
    gf439::Gf439: 439, [49, 0], "all-fields";
    /// GF(2^571), f = z^571 + z^10 + z^5 + z^2 + 1: NIST B-571 and K-571.
    gf571::Gf571: 571, [10, 5, 2, 0], "field-571";
    /// GF(2^571), f = z^571 + z^193 + z^185 + z^5 + 1: sparse sqrt(z).
    gf571_sqrt::Gf571Sqrt: 571, [193, 185, 5, 0], "all-fields";
    /// GF(2^1223), f = z^1223 + z^255 + 1.
    gf1223::Gf1223: 1223, [255, 0], "all-fields";

    /// GF(2^8) of AES, f = z^8 + z^4 + z^3 + z + 1.
    gf8::Gf8: 8, [4, 3, 1, 0], "field-8";
    /// GF(2^8) of Reed-Solomon and erasure codes, f = z^8 + z^4 + z^3 + z^2 + 1 (0x11d).
    gf8_rs::Gf8Rs: 8, [4, 3, 2, 0], "field-8-rs";
    /// GF(2^12) of Classic McEliece 348864, f = z^12 + z^3 + 1.
    gf12::Gf12: 12, [3, 0], "all-fields";
    /// GF(2^13) of Classic McEliece, f = z^13 + z^4 + z^3 + z + 1.
    gf13::Gf13: 13, [4, 3, 1, 0], "all-fields";
    /// GF(2^16) of Reed-Solomon codes, f = z^16 + z^12 + z^3 + z + 1 (0x1100b).
    gf16::Gf16: 16, [12, 3, 1, 0], "field-16";
    /// GF(2^32), f = z^32 + z^7 + z^3 + z^2 + 1.
    gf32::Gf32: 32, [7, 3, 2, 0], "field-32";
    /// GF(2^64), f = z^64 + z^4 + z^3 + z + 1.
    gf64::Gf64: 64, [4, 3, 1, 0], "field-64";
    /// GF(2^128), f = z^128 + z^7 + z^2 + z + 1: the polynomial of GHASH, which numbers the bits of
    /// its bytes in reverse order.
    gf128::Gf128: 128, [7, 2, 1, 0], "field-128";
    /// GF(2^128), f = z^128 + z^127 + z^126 + z^121 + 1: the polynomial of POLYVAL (RFC 8452).
    gf128_polyval::Gf128Polyval: 128, [127, 126, 121, 0], "field-128-polyval";
    /// GF(2^131), f = z^131 + z^8 + z^3 + z^2 + 1: sect131.
    gf131::Gf131: 131, [8, 3, 2, 0], "all-curves" "all-fields";
    /// GF(2^163), f = z^163 + z^8 + z^2 + z + 1: the curve c2pnb163v1 of X9.62.
    gf163_x962::Gf163X962: 163, [8, 2, 1, 0], "all-curves" "all-fields";
    /// GF(2^167), f = z^167 + z^6 + 1: DSTU 4145.
    gf167::Gf167: 167, [6, 0], "dstu-167" "all-fields";
    /// GF(2^173), f = z^173 + z^10 + z^2 + z + 1: DSTU 4145.
    gf173::Gf173: 173, [10, 2, 1, 0], "dstu-173" "all-fields";
    /// GF(2^179), f = z^179 + z^4 + z^2 + z + 1: DSTU 4145.
    gf179::Gf179: 179, [4, 2, 1, 0], "dstu-179" "all-fields";
    /// GF(2^191), f = z^191 + z^9 + 1: c2tnb191 of X9.62, DSTU 4145.
    gf191::Gf191: 191, [9, 0], "dstu-191" "all-fields";
    /// GF(2^239), f = z^239 + z^36 + 1: c2tnb239 of X9.62.
    gf239_x962::Gf239X962: 239, [36, 0], "all-curves" "all-fields";
    /// GF(2^257), f = z^257 + z^12 + 1: DSTU 4145.
    gf257_dstu::Gf257Dstu: 257, [12, 0], "dstu-257" "all-fields";
    /// GF(2^307), f = z^307 + z^8 + z^4 + z^2 + 1: DSTU 4145.
    gf307::Gf307: 307, [8, 4, 2, 0], "dstu-307" "all-fields";
    /// GF(2^359), f = z^359 + z^68 + 1: c2tnb359v1 of X9.62.
    gf359::Gf359: 359, [68, 0], "all-curves" "all-fields";
    /// GF(2^431), f = z^431 + z^120 + 1: c2tnb431r1 of X9.62.
    gf431::Gf431: 431, [120, 0], "all-curves" "all-fields";
    /// GF(2^431), f = z^431 + z^5 + z^3 + z + 1: DSTU 4145.
    gf431_dstu::Gf431Dstu: 431, [5, 3, 1, 0], "dstu-431" "all-fields";
    /// GF(2^511), f = z^511 + z^10 + 1: RELIC.
    gf511::Gf511: 511, [10, 0], "all-fields";
}

/// Fields small enough for tests to visit all elements.
#[cfg(test)]
#[expect(unreachable_pub, reason = "the macro is for public types")]
#[cfg_attr(
    not(carryless_fields = "128"),
    allow(dead_code, reason = "some have tests in a part of their own only")
)]
pub(crate) mod small {
    use super::*;

    fields! {
        /// GF(2^5), f = z^5 + z^2 + 1.
        gf5::Gf5: 5, [2, 0];
        /// GF(2^6), f = z^6 + z + 1.
        gf6::Gf6: 6, [1, 0];
        /// GF(2^7), f = z^7 + z + 1.
        gf7::Gf7: 7, [1, 0];
        /// GF(2^9), f = z^9 + z + 1.
        gf9::Gf9: 9, [1, 0];
        /// GF(2^23), f = z^23 + z^5 + 1, for a curve of which tests sample some points.
        gf23::Gf23: 23, [5, 0];
    }

    seal! { Gf5 }
    seal! { Gf6 }
    seal! { Gf7 }
    seal! { Gf9 }
    seal! { Gf23 }
}
