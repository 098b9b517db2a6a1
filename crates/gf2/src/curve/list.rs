//! The curves of the library, each a type with its constants. Everything else is derived from them.
#[cfg(feature = "alloc")]
use super::comb::has_no_exceptions;
use super::digits::{hex, is_digit, is_gls, is_koblitz};
use super::gls::Lattice;
use super::{BinaryCurve, CurveField, ElementOf, sealed::SealedCurve};
#[cfg(feature = "alloc")]
use super::{MatricesOf, PreparedPoint};
use crate::field::tower::{Quadratic, QuadraticElement};
use crate::field::{
    Element, Gf113, Gf127, Gf131, Gf163, Gf163X962, Gf167, Gf173, Gf179, Gf191, Gf193, Gf233, Gf233Dstu,
    Gf239, Gf239X962, Gf251, Gf257, Gf257Dstu, Gf283, Gf307, Gf359, Gf367, Gf409, Gf431, Gf431Dstu, Gf571,
};
use crypto_bigint::{U128, U192, U256, U320, U384, U448, U576};
#[cfg(feature = "alloc")]
use once_cell::race::OnceBox;

macro_rules! curves {
    ($($(#[$doc:meta])* $name:ident: $text:literal, [$($alias:literal),*], $oid:expr, $field:ty, $uint:ty, h = $h:literal,
        a = $a:tt, b = $b:tt, x = $x:tt, y = $y:tt, n = $n:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
            pub struct $name;

            impl SealedCurve for $name {
                const A_IS_ZERO: bool = is_digit(&$a, b'0');
                const LATTICE: Option<Lattice> = if is_gls(&$a, &$b) {
                    Some(Lattice::new(hex($n), <$field as CurveField>::DEGREE as u32))
                } else {
                    None
                };
                const LEADING_ONES: u32 = {
                    // 2^bits - 1 - n begins with as many zeros as n with ones.
                    let ones = <$uint>::MAX.shr_vartime(<$uint>::BITS - Self::ORDER_BITS);
                    Self::ORDER_BITS - ones.wrapping_sub(&Self::ORDER).bit_width_vartime()
                };
                #[cfg(feature = "alloc")]
                fn base() -> &'static OnceBox<PreparedPoint<Self>> {
                    // One static for each curve: one in a generic function would be shared by all.
                    static BASE: OnceBox<PreparedPoint<$name>> = OnceBox::new();
                    &BASE
                }
                #[cfg(feature = "alloc")]
                fn matrices() -> &'static OnceBox<MatricesOf<Self>> {
                    static MATRICES: OnceBox<MatricesOf<$name>> = OnceBox::new();
                    &MATRICES
                }
            }

            impl BinaryCurve for $name {
                const NAME: &'static str = $text;
                const ALIASES: &'static [&'static str] = &[$($alias),*];
                const OID: Option<&'static str> = $oid;
                type Field = $field;
                type Uint = $uint;
                const A: ElementOf<Self> = element! { $a };
                const B: ElementOf<Self> = element! { $b };
                const KOBLITZ: bool = is_koblitz(&$a, &$b);
                const GENERATOR: [ElementOf<Self>; 2] = [element! { $x }, element! { $y }];
                const ORDER: $uint = <$uint>::from_be_hex($n);
                const ORDER_BITS: u32 = Self::ORDER.bit_width_vartime();
                const MONTGOMERY: crypto_bigint::modular::MontyParams<$uint> =
                    crypto_bigint::modular::MontyParams::new_vartime(Self::ORDER.to_odd().expect_copied("an odd order"));
                const COFACTOR: u32 = $h;
            }
        )*
    };
}
#[cfg(test)]
pub(super) use curves;

/// Defines the public curves, and a macro that visits all of them.
macro_rules! public_curves {
    ($($(#[$doc:meta])* $name:ident: $text:literal, [$($alias:literal),*], $oid:expr, $field:ty, $uint:ty, h = $h:literal,
        a = $a:tt, b = $b:tt, x = $x:tt, y = $y:tt, n = $n:literal;)*) => {
        curves! { $(
            $(#[$doc])* $name: $text, [$($alias),*], $oid, $field, $uint, h = $h, a = $a, b = $b, x = $x, y = $y, n = $n;
        )* }

        #[cfg(feature = "alloc")]
        const _: () = {
            // Proved at compile time for every public curve, so that the comb needs no complete additions: see
            // `comb.rs`.
            $(assert!(has_no_exceptions($name::ORDER_BITS, $name::LEADING_ONES), "complete additions are for small curves of tests");)*
        };

        /// Calls `$visit!` with the names of all curves.
        #[macro_export]
        #[doc(hidden)]
        macro_rules! for_each_curve {
            ($visit:ident) => {
                $visit! { $($name),* }
            };
        }
    };
}

/// The field element with these hexadecimal digits, or a0 + a1 u for two strings of digits.
macro_rules! element {
    ([$a:literal]) => {
        Element::from_canonical(hex($a))
    };
    ([$a0:literal, $a1:literal]) => {
        QuadraticElement::new([hex($a0), hex($a1)])
    };
}

#[cfg(test)]
pub(super) use element;

public_curves! {
    /// `sect113r1` of SECG, a random curve. The order has 113 bits, the cofactor is 2.
    Sect113r1: "sect113r1", ["ansit113r1"], Some("1.3.132.0.4"), Gf113, U128, h = 2,
        a = ["3088250ca6e7c7fe649ce85820f7"],
        b = ["e8bee4d3e2260744188be0e9c723"],
        x = ["9d73616f35f4ab1407d73562c10f"],
        y = ["a52830277958ee84d1315ed31886"],
        n = "000100000000000000d9ccec8a39e56f";
    /// `sect113r2` of SECG, a random curve. The order has 113 bits, the cofactor is 2.
    Sect113r2: "sect113r2", ["ansit113r2"], Some("1.3.132.0.5"), Gf113, U128, h = 2,
        a = ["689918dbec7e5a0dd6dfc0aa55c7"],
        b = ["95e9a9ec9b297bd4bf36e059184f"],
        x = ["1a57a6a7b26ca5ef52fcdb8164797"],
        y = ["b3adc94ed1fe674c06e695baba1d"],
        n = "00010000000000000108789b2496af93";
    /// `sect131r1` of SECG, a random curve. The order has 131 bits, the cofactor is 2.
    Sect131r1: "sect131r1", ["ansit131r1"], Some("1.3.132.0.22"), Gf131, U192, h = 2,
        a = ["7a11b09a76b562144418ff3ff8c2570b8"],
        b = ["217c05610884b63b9c6c7291678f9d341"],
        x = ["81baf91fdf9833c40f9c181343638399"],
        y = ["78c6e7ea38c001f73c8134b1b4ef9e150"],
        n = "000000000000000400000000000000023123953a9464b54d";
    /// `sect131r2` of SECG, a random curve. The order has 131 bits, the cofactor is 2.
    Sect131r2: "sect131r2", ["ansit131r2"], Some("1.3.132.0.23"), Gf131, U192, h = 2,
        a = ["3e5a88919d7cafcbf415f07c2176573b2"],
        b = ["4b8266a46c55657ac734ce38f018f2192"],
        x = ["356dcd8f2f95031ad652d23951bb366a8"],
        y = ["648f06d867940a5366d9e265de9eb240f"],
        n = "000000000000000400000000000000016954a233049ba98f";
    /// `sect163k1` of SECG, K-163 of NIST, a Koblitz curve. The order has 163 bits, the cofactor is 2.
    Sect163k1: "sect163k1", ["K-163", "ansit163k1"], Some("1.3.132.0.1"), Gf163, U192, h = 2,
        a = ["1"],
        b = ["1"],
        x = ["2fe13c0537bbc11acaa07d793de4e6d5e5c94eee8"],
        y = ["289070fb05d38ff58321f2e800536d538ccdaa3d9"],
        n = "00000004000000000000000000020108a2e0cc0d99f8a5ef";
    /// `sect163r1` of SECG, a random curve. The order has 162 bits, the cofactor is 2.
    Sect163r1: "sect163r1", ["ansit163r1"], Some("1.3.132.0.2"), Gf163, U192, h = 2,
        a = ["7b6882caaefa84f9554ff8428bd88e246d2782ae2"],
        b = ["713612dcddcb40aab946bda29ca91f73af958afd9"],
        x = ["369979697ab43897789566789567f787a7876a654"],
        y = ["435edb42efafb2989d51fefce3c80988f41ff883"],
        n = "00000003ffffffffffffffffffff48aab689c29ca710279b";
    /// `sect163r2` of SECG, B-163 of NIST, a random curve. The order has 163 bits, the cofactor is 2.
    Sect163r2: "sect163r2", ["B-163", "ansit163r2"], Some("1.3.132.0.15"), Gf163, U192, h = 2,
        a = ["1"],
        b = ["20a601907b8c953ca1481eb10512f78744a3205fd"],
        x = ["3f0eba16286a2d57ea0991168d4994637e8343e36"],
        y = ["d51fbc6c71a0094fa2cdd545b11c5c0c797324f1"],
        n = "000000040000000000000000000292fe77e70c12a4234c33";
    /// `sect193r1` of SECG, a random curve. The order has 193 bits, the cofactor is 2.
    Sect193r1: "sect193r1", ["ansit193r1"], Some("1.3.132.0.24"), Gf193, U256, h = 2,
        a = ["17858feb7a98975169e171f77b4087de098ac8a911df7b01"],
        b = ["fdfb49bfe6c3a89facadaa7a1e5bbc7cc1c2e5d831478814"],
        x = ["1f481bc5f0ff84a74ad6cdf6fdef4bf6179625372d8c0c5e1"],
        y = ["25e399f2903712ccf3ea9e3a1ad17fb0b3201b6af7ce1b05"],
        n = "0000000000000001000000000000000000000000c7f34a778f443acc920eba49";
    /// `sect193r2` of SECG, a random curve. The order has 193 bits, the cofactor is 2.
    Sect193r2: "sect193r2", ["ansit193r2"], Some("1.3.132.0.25"), Gf193, U256, h = 2,
        a = ["163f35a5137c2ce3ea6ed8667190b0bc43ecd69977702709b"],
        b = ["c9bb9e8927d4d64c377e2ab2856a5b16e3efb7f61d4316ae"],
        x = ["d9b67d192e0367c803f39e1a7e82ca14a651350aae617e8f"],
        y = ["1ce94335607c304ac29e7defbd9ca01f596f927224cdecf6c"],
        n = "00000000000000010000000000000000000000015aab561b005413ccd4ee99d5";
    /// `sect233k1` of SECG, K-233 of NIST, a Koblitz curve. The order has 232 bits, the cofactor is 4.
    Sect233k1: "sect233k1", ["K-233", "ansit233k1"], Some("1.3.132.0.26"), Gf233, U256, h = 4,
        a = ["0"],
        b = ["1"],
        x = ["17232ba853a7e731af129f22ff4149563a419c26bf50a4c9d6eefad6126"],
        y = ["1db537dece819b7f70f555a67c427a8cd9bf18aeb9b56e0c11056fae6a3"],
        n = "0000008000000000000000000000000000069d5bb915bcd46efb1ad5f173abdf";
    /// `sect233r1` of SECG, B-233 of NIST, a random curve. The order has 233 bits, the cofactor is 2.
    Sect233r1: "sect233r1", ["B-233", "ansit233r1"], Some("1.3.132.0.27"), Gf233, U256, h = 2,
        a = ["1"],
        b = ["66647ede6c332c7f8c0923bb58213b333b20e9ce4281fe115f7d8f90ad"],
        x = ["fac9dfcbac8313bb2139f1bb755fef65bc391f8b36f8f8eb7371fd558b"],
        y = ["1006a08a41903350678e58528bebf8a0beff867a7ca36716f7e01f81052"],
        n = "000001000000000000000000000000000013e974e72f8a6922031d2603cfe0d7";
    /// `sect239k1` of SECG, a Koblitz curve. The order has 238 bits, the cofactor is 4.
    Sect239k1: "sect239k1", ["ansit239k1"], Some("1.3.132.0.3"), Gf239, U256, h = 4,
        a = ["0"],
        b = ["1"],
        x = ["29a0b6a887a983e9730988a68727a8b2d126c44cc2cc7b2a6555193035dc"],
        y = ["76310804f12e549bdb011c103089e73510acb275fc312a5dc6b76553f0ca"],
        n = "00002000000000000000000000000000005a79fec67cb6e91f1c1da800e478a5";
    /// `sect283k1` of SECG, K-283 of NIST, a Koblitz curve. The order has 281 bits, the cofactor is 4.
    Sect283k1: "sect283k1", ["K-283", "ansit283k1"], Some("1.3.132.0.16"), Gf283, U320, h = 4,
        a = ["0"],
        b = ["1"],
        x = ["503213f78ca44883f1a3b8162f188e553cd265f23c1567a16876913b0c2ac2458492836"],
        y = ["1ccda380f1c9e318d90f95d07e5426fe87e45c0e8184698e45962364e34116177dd2259"],
        n = "0000000001ffffffffffffffffffffffffffffffffffe9ae2ed07577265dff7f94451e061e163c61";
    /// `sect283r1` of SECG, B-283 of NIST, a random curve. The order has 282 bits, the cofactor is 2.
    Sect283r1: "sect283r1", ["B-283", "ansit283r1"], Some("1.3.132.0.17"), Gf283, U320, h = 2,
        a = ["1"],
        b = ["27b680ac8b8596da5a4af8a19a0303fca97fd7645309fa2a581485af6263e313b79a2f5"],
        x = ["5f939258db7dd90e1934f8c70b0dfec2eed25b8557eac9c80e2e198f8cdbecd86b12053"],
        y = ["3676854fe24141cb98fe6d4b20d02b4516ff702350eddb0826779c813f0df45be8112f4"],
        n = "0000000003ffffffffffffffffffffffffffffffffffef90399660fc938a90165b042a7cefadb307";
    /// `sect409k1` of SECG, K-409 of NIST, a Koblitz curve. The order has 407 bits, the cofactor is 4.
    Sect409k1: "sect409k1", ["K-409", "ansit409k1"], Some("1.3.132.0.36"), Gf409, U448, h = 4,
        a = ["0"],
        b = ["1"],
        x = ["60f05f658f49c1ad3ab1890f7184210efd0987e307c84c27accfb8f9f67cc2c460189eb5aaaa62ee222eb1b35540cfe9023746"],
        y = ["1e369050b7c4e42acba1dacbf04299c3460782f918ea427e6325165e9ea10e3da5f6c42e9c55215aa9ca27a5863ec48d8e0286b"],
        n = "00000000007ffffffffffffffffffffffffffffffffffffffffffffffffffe5f83b2d4ea20400ec4557d5ed3e3e7ca5b4b5c83b8e01e5fcf";
    /// `sect409r1` of SECG, B-409 of NIST, a random curve. The order has 409 bits, the cofactor is 2.
    Sect409r1: "sect409r1", ["B-409", "ansit409r1"], Some("1.3.132.0.37"), Gf409, U448, h = 2,
        a = ["1"],
        b = ["21a5c2c8ee9feb5c4b9a753b7b476b7fd6422ef1f3dd674761fa99d6ac27c8a9a197b272822f6cd57a55aa4f50ae317b13545f"],
        x = ["15d4860d088ddb3496b0c6064756260441cde4af1771d4db01ffe5b34e59703dc255a868a1180515603aeab60794e54bb7996a7"],
        y = ["61b1cfab6be5f32bbfa78324ed106a7636b9c5a7bd198d0158aa4f5488d08f38514f1fdf4b4f40d2181b3681c364ba0273c706"],
        n = "00000000010000000000000000000000000000000000000000000000000001e2aad6a612f33307be5fa47c3c9e052f838164cd37d9a21173";
    /// `sect571k1` of SECG, K-571 of NIST, a Koblitz curve. The order has 570 bits, the cofactor is 4.
    Sect571k1: "sect571k1", ["K-571", "ansit571k1"], Some("1.3.132.0.38"), Gf571, U576, h = 4,
        a = ["0"],
        b = ["1"],
        x = ["26eb7a859923fbc82189631f8103fe4ac9ca2970012d5d46024804801841ca44370958493b205e647da304db4ceb08cbbd1ba39494776fb988b47174dca88c7e2945283a01c8972"],
        y = ["349dc807f4fbf374f4aeade3bca95314dd58cec9f307a54ffc61efc006d8a2c9d4979c0ac44aea74fbebbb9f772aedcb620b01a7ba7af1b320430c8591984f601cd4c143ef1c7a3"],
        n = "020000000000000000000000000000000000000000000000000000000000000000000000131850e1f19a63e4b391a8db917f4138b630d84be5d639381e91deb45cfe778f637c1001";
    /// `sect571r1` of SECG, B-571 of NIST, a random curve. The order has 570 bits, the cofactor is 2.
    Sect571r1: "sect571r1", ["B-571", "ansit571r1"], Some("1.3.132.0.39"), Gf571, U576, h = 2,
        a = ["1"],
        b = ["2f40e7e2221f295de297117b7f3d62f5c6a97ffcb8ceff1cd6ba8ce4a9a18ad84ffabbd8efa59332be7ad6756a66e294afd185a78ff12aa520e4de739baca0c7ffeff7f2955727a"],
        x = ["303001d34b856296c16c0d40d3cd7750a93d1d2955fa80aa5f40fc8db7b2abdbde53950f4c0d293cdd711a35b67fb1499ae60038614f1394abfa3b4c850d927e1e7769c8eec2d19"],
        y = ["37bf27342da639b6dccfffeb73d69d78c6c27a6009cbbca1980f8533921e8a684423e43bab08a576291af8f461bb2a8b3531d2f0485c19b16e2f1516e23dd3c1a4827af1b8ac15b"],
        n = "03ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe661ce18ff55987308059b186823851ec7dd9ca1161de93d5174d66e8382e9bb2fe84e47";
    /// `c2tnb191v1` of X9.62, a random curve. The order has 191 bits, the cofactor is 2.
    C2tnb191v1: "c2tnb191v1", [], Some("1.2.840.10045.3.0.5"), Gf191, U192, h = 2,
        a = ["2866537b676752636a68f56554e12640276b649ef7526267"],
        b = ["2e45ef571f00786f67b0081b9495a3d95462f5de0aa185ec"],
        x = ["36b3daf8a23206f9c4f299d7b21a9c369137f2c84ae1aa0d"],
        y = ["765be73433b3f95e332932e70ea245ca2418ea0ef98018fb"],
        n = "40000000000000000000000004a20e90c39067c893bbb9a5";
    /// `c2tnb239v1` of X9.62, a random curve. The order has 238 bits, the cofactor is 4.
    C2tnb239v1: "c2tnb239v1", [], Some("1.2.840.10045.3.0.11"), Gf239X962, U256, h = 4,
        a = ["32010857077c5431123a46b808906756f543423e8d27877578125778ac76"],
        b = ["790408f2eedaf392b012edefb3392f30f4327c0ca3f31fc383c422aa8c16"],
        x = ["57927098fa932e7c0a96d3fd5b706ef7e5f5c156e16b7e7c86038552e91d"],
        y = ["61d8ee5077c33fecf6f1a16b268de469c3c7744ea9a971649fc7a9616305"],
        n = "00002000000000000000000000000000000f4d42ffe1492a4993f1cad666e447";
    /// `c2pnb163v1` of X9.62, a random curve. The order has 163 bits, the cofactor is 2.
    C2pnb163v1: "c2pnb163v1", [], Some("1.2.840.10045.3.0.1"), Gf163X962, U192, h = 2,
        a = ["72546b5435234a422e0789675f432c89435de5242"],
        b = ["c9517d06d5240d3cff38c74b20b6cd4d6f9dd4d9"],
        x = ["7af69989546103d79329fcc3d74880f33bbe803cb"],
        y = ["1ec23211b5966adea1d3f87f7ea5848aef0b7ca9f"],
        n = "0000000400000000000000000001e60fc8821cc74daeafc1";
    /// `c2tnb359v1` of X9.62, a random curve. The order has 353 bits, the cofactor is 76.
    C2tnb359v1: "c2tnb359v1", [], Some("1.2.840.10045.3.0.18"), Gf359, U384, h = 76,
        a = ["5667676a654b20754f356ea92017d946567c46675556f19556a04616b567d223a5e05656fb549016a96656a557"],
        b = ["2472e2d0197c49363f1fe7f5b6db075d52b6947d135d8ca445805d39bc345626089687742b6329e70680231988"],
        x = ["3c258ef3047767e7ede0f1fdaa79daee3841366a132e163aced4ed2401df9c6bdcde98e8e707c07a2239b1b097"],
        y = ["53d7e08529547048121e9c95f3791dd804963948f34fae7bf44ea82365dc7868fe57e4ae2de211305a407104bd"],
        n = "00000001af286bca1af286bca1af286bca1af286bca1af286bc9fb8f6b85c556892c20a7eb964fe7719e74f490758d3b";
    /// `c2tnb431r1` of X9.62, a random curve. The order has 418 bits, the cofactor is 10080.
    C2tnb431r1: "c2tnb431r1", [], Some("1.2.840.10045.3.0.20"), Gf431, U448, h = 10080,
        a = ["1a827ef00dd6fc0e234caf046c6a5d8a85395b236cc4ad2cf32a0cadbdc9ddf620b0eb9906d0957f6c6feacd615468df104de296cd8f"],
        b = ["10d9b4a3d9047d8b154359abfb1b7f5485b04ceb868237ddc9deda982a679a5a919b626d4e50a8dd731b107a9962381fb5d807bf2618"],
        x = ["120fc05d3c67a99de161d2f4092622feca701be4f50f4758714e8a87bbf2a658ef8c21e7c5efe965361f6c2999c0c247b0dbd70ce6b7"],
        y = ["20d0af8903a96f8d5fa2c255745d3c451b302c9346d9b7e485e7bce41f6b591f3e8f6addcbb0bc4c2f947a7de1a89b625d6a598b3760"],
        n = "0000000340340340340340340340340340340340340340340340340340340323c313fab50589703b5ec68d3587fec60d161cc149c1ad4a91";
    /// M163 of DSTU 4145-2002. The order has 163 bits, the cofactor is 2.
    DstuM163: "dstu-m163", [], None, Gf163, U192, h = 2,
        a = ["1"],
        b = ["5ff6108462a2dc8210ab403925e638a19c1455d21"],
        x = ["2e2f85f5dd74ce983a5c4237229daf8a3f35823be"],
        y = ["3826f008a8c51d7b95284d9d03ff0e00ce2cd723a"],
        n = "0000000400000000000000000002bec12be2262d39bcf14d";
    /// M167 of DSTU 4145-2002. The order has 166 bits, the cofactor is 2.
    DstuM167: "dstu-m167", [], None, Gf167, U192, h = 2,
        a = ["1"],
        b = ["6ee3ceeb230811759f20518a0930f1a4315a827dac"],
        x = ["7a1f6653786a68192803910a3d30b2a2018b21cd54"],
        y = ["5f49eb26781c0ec6b8909156d98ed435e45fd59918"],
        n = "0000003fffffffffffffffffffffb12ebcc7d7f29ff7701f";
    /// M173 of DSTU 4145-2002. The order has 172 bits, the cofactor is 4.
    DstuM173: "dstu-m173", [], None, Gf173, U192, h = 4,
        a = ["0"],
        b = ["108576c80499db2fc16eddf6853bbb278f6b6fb437d9"],
        x = ["4d41a619bcc6eadf0448fa22fad567a9181d37389ca"],
        y = ["10b51cc12849b234c75e6dd2028bf7ff5c1ce0d991a1"],
        n = "00000800000000000000000000189b4e67606e3825bb2831";
    /// M179 of DSTU 4145-2002. The order has 178 bits, the cofactor is 2.
    DstuM179: "dstu-m179", [], None, Gf179, U192, h = 2,
        a = ["1"],
        b = ["4a6e0856526436f2f88dd07a341e32d04184572beb710"],
        x = ["6ba06fe51464b2bd26dc57f48819ba9954667022c7d03"],
        y = ["25fbc363582dcec065080ca8287aaff09788a66dc3a9e"],
        n = "0003ffffffffffffffffffffffb981960435fe5ab64236ef";
    /// M191 of DSTU 4145-2002. The order has 191 bits, the cofactor is 2.
    DstuM191: "dstu-m191", [], None, Gf191, U192, h = 2,
        a = ["1"],
        b = ["7bc86e2102902ec4d5890e8b6b4981ff27e0482750fefc03"],
        x = ["714114b762f2ff4a7912a6d2ac58b9b5c2fcfe76daeb7129"],
        y = ["29c41e568b77c617efe5902f11db96fa9613cd8d03db08da"],
        n = "40000000000000000000000069a779cac1dabc6788f7474f";
    /// M233 of DSTU 4145-2002. The order has 233 bits, the cofactor is 2.
    DstuM233: "dstu-m233", [], None, Gf233Dstu, U256, h = 2,
        a = ["1"],
        b = ["6973b15095675534c7cf7e64a21bd54ef5dd3b8a0326aa936ece454d2c"],
        x = ["3fcda526b6cdf83ba1118df35b3c31761d3545f32728d003eeb25efe96"],
        y = ["9ca8b57a934c54deeda9e54a7bbad95e3b2e91c54d32be0b9df96d8d35"],
        n = "000001000000000000000000000000000013e974e72f8a6922031d2603cfe0d7";
    /// M257 of DSTU 4145-2002. The order has 256 bits, the cofactor is 4.
    DstuM257: "dstu-m257", [], None, Gf257Dstu, U256, h = 4,
        a = ["0"],
        b = ["1cef494720115657e18f938d7a7942394ff9425c1458c57861f9eea6adbe3be10"],
        x = ["2a29ef207d0e9b6c55cd260b306c7e007ac491ca1b10c62334a9e8dcd8d20fb7"],
        y = ["10686d41ff744d4449fccf6d8eea03102e6812c93a9d60b978b702cf156d814ef"],
        n = "800000000000000000000000000000006759213af182e987d3e17714907d470d";
    /// M307 of DSTU 4145-2002. The order has 306 bits, the cofactor is 2.
    DstuM307: "dstu-m307", [], None, Gf307, U320, h = 2,
        a = ["1"],
        b = ["393c7f7d53666b5054b5e6c6d3de94f4296c0c599e2e2e241050df18b6090bdc90186904968bb"],
        x = ["216ee8b189d291a0224984c1e92f1d16bf75ccd825a087a239b276d3167743c52c02d6e7232aa"],
        y = ["5d9306bacd22b7faeb09d2e049c6e2866c5d1677762a8f2f2dc9a11c7f7be8340ab2237c7f2a0"],
        n = "0003ffffffffffffffffffffffffffffffffffffffc079c2f3825da70d390fbba588d4604022b7b7";
    /// M367 of DSTU 4145-2002. The order has 367 bits, the cofactor is 2.
    DstuM367: "dstu-m367", [], None, Gf367, U384, h = 2,
        a = ["1"],
        b = ["43fc8ad242b0b7a6f3d1627ad5654447556b47bf6aa4a64b0c2afe42cadab8f93d92394c79a79755437b56995136"],
        x = ["324a6eddd512f08c49a99ae0d3f961197a76413e7be81a400ca681e09639b5fe12e59a109f78bf4a373541b3b9a1"],
        y = ["1ab597a5b4477f59e39539007c7f977d1a567b92b043a49c6b61984c3fe3481aaf454cd41ba1f051626442b3c10"],
        n = "000040000000000000000000000000000000000000000000009c300b75a3fa824f22428fd28ce8812245ef44049b2d49";
    /// M431 of DSTU 4145-2002. The order has 430 bits, the cofactor is 2.
    DstuM431: "dstu-m431", [], None, Gf431Dstu, U448, h = 2,
        a = ["1"],
        b = ["3ce10490f6a708fc26dfe8c3d27c4f94e690134d5bff988d8d28aaeaede975936c66bac536b18ae2dc312ca493117daa469c640caf3"],
        x = ["1a62ba79d98133a16bbae7ed9a8e03c32e0824d57aef72f88986874e5aae49c27bed49a2a95058068426c2171e99fd3b43c5947c857d"],
        y = ["70b5e1e14031c1f70bbefe96bdde66f451754b4ca5f48da241f331aa396b8d1839a855c1769b1ea14ba53308b5e2723724e090e02db9"],
        n = "00003fffffffffffffffffffffffffffffffffffffffffffffffffffffba3175458009a8c0a724f02f81aa8a1fcbaf80d90c7a95110504cf";
    /// CURVE2251 of paper 004 (Taverne and others). The order has 249 bits, the cofactor is 4.
    Curve2251: "curve2251", [], None, Gf251, U256, h = 4,
        a = ["0"],
        b = ["2387"],
        x = ["6ad0278d8686f4ba4250b2de565f0a373aa54d9a154abefacb90dc03501d57c"],
        y = ["50b1d29dad5616363249f477b05a1592ba16045be1a9f218180c5150abe8573"],
        n = "01fffffffffffffffffffffffffffffff3e3aa131a2e1a8200bef3b9abb767e1";
    /// B-257 of RELIC. The order has 256 bits, the cofactor is 2.
    RelicB257: "relic-b257", ["relic_b257"], None, Gf257, U256, h = 2,
        a = ["1"],
        b = ["585c1aca676891d5e1940d6f619fd0dd9fda8ac46ae9331b76f172edef520cf0"],
        x = ["48e8b0e542d879a1e992e7407f8648f0c8248469b97dd3af9f21f603e9632d4b"],
        y = ["138d19bc9810c03d3fb499801f81c9e6a338b944338514e0d2d9bedfeb0b8a310"],
        n = "ffffffffffffffffffffffffffffffff60349585a0b2e1b2133b4e36c1672179";
    /// The Weierstrass form of BBE251, the binary Edwards curve of Bernstein. The order has 250
    /// bits, the cofactor is 4.
    Bbe251: "bbe251", [], None, Gf251, U256, h = 4,
        a = ["41000010000000240100000000000"],
        b = ["12a00012a0000000000000000012a0000000000000000000000001"],
        x = ["42428ad4bfc2a31ea7b09526ac0d73ea949a063890c3f80ac40e24abe75261c"],
        y = ["237a88955fa80ce6dde0d81c778aa443e0586b828497bf84175f434de559a95"],
        n = "020000000000000000000000000000000d4b971802743dbcc87ec97b607681d1";
    /// GLS254 of Oliveira, Lopez, Aranha and Rodriguez-Henriquez, over GF(2^254), with a fast endomorphism. The
    /// order has 254 bits, the cofactor is 2.
    Gls254: "gls254", [], None, Quadratic<Gf127>, U256, h = 2,
        a = ["0", "1"],
        b = ["8000001", "0"],
        x = ["5e0b72a98520f5a2d203cd2e4a5ae839", "71b98581f8673a759639bbc43b8d797b"],
        y = ["3adacc9b694b43db1d0cb95bee9d4c31", "3c8194e0263521c800c63ff2d65c6505"],
        n = "200000000000000000000000000000003f1a47dedc1a1dad3cbde37cf43a8cf5";
}

/// K-163 of NIST, by its name in SECG `sect163k1`.
pub type NistK163 = Sect163k1;
/// B-163 of NIST, by its name in SECG `sect163r2`.
pub type NistB163 = Sect163r2;
/// K-233 of NIST, by its name in SECG `sect233k1`.
pub type NistK233 = Sect233k1;
/// B-233 of NIST, by its name in SECG `sect233r1`.
pub type NistB233 = Sect233r1;
/// K-283 of NIST, by its name in SECG `sect283k1`.
pub type NistK283 = Sect283k1;
/// B-283 of NIST, by its name in SECG `sect283r1`.
pub type NistB283 = Sect283r1;
/// K-409 of NIST, by its name in SECG `sect409k1`.
pub type NistK409 = Sect409k1;
/// B-409 of NIST, by its name in SECG `sect409r1`.
pub type NistB409 = Sect409r1;
/// K-571 of NIST, by its name in SECG `sect571k1`.
pub type NistK571 = Sect571k1;
/// B-571 of NIST, by its name in SECG `sect571r1`.
pub type NistB571 = Sect571r1;
