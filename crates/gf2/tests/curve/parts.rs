//! Which curves a run takes: a few that stand for all, or with `--cfg carryless_fields="N"` those over fields of up to N bits above the part before, as
//! `field/parts.rs` does for fields. GLS254 counts as its base field, GF(2^127).

macro_rules! parts {
    ($($part:literal: $($curve:ident),*;)*) => {
        $(
            #[cfg(carryless_fields = $part)]
            macro_rules! for_each_curve {
                ($visit:ident) => {
                    $visit! { $($curve),* }
                };
            }
        )*

        /// `$visit!` of the curves to test: those of the part, or the given ones.
        #[cfg(not(any($(carryless_fields = $part),*)))]
        macro_rules! for_each_curve {
            ($visit:ident) => {
                some_curves! { $visit }
            };
        }

        const PARTS: &[&str] = &[$($(stringify!($curve)),*),*];
    };
}

parts! {
    "128": Sect113r1, Sect113r2, Gls254;
    "192": Sect131r1, Sect131r2, Sect163k1, Sect163r1, Sect163r2, C2pnb163v1, C2tnb191v1, DstuM163, DstuM167, DstuM173, DstuM179, DstuM191;
    "256": Sect193r1, Sect193r2, Sect233k1, Sect233r1, Sect239k1, C2tnb239v1, Curve2251, Bbe251, DstuM233;
    "320": RelicB257, DstuM257, Sect283k1, Sect283r1, DstuM307;
    "448": C2tnb359v1, DstuM367, Sect409k1, Sect409r1, C2tnb431r1, DstuM431;
    "1223": Sect571k1, Sect571r1;
}

#[test]
fn every_curve_is_in_one_part() {
    macro_rules! names {
        ($($curve:ident),*) => {
            [$(stringify!($curve)),*]
        };
    }
    let (mut all, mut parts) = (carryless_gf2::for_each_curve! { names }, PARTS.to_vec());
    all.sort_unstable();
    parts.sort_unstable();
    assert_eq!(parts, all);
}
