//! Which fields a run takes: a few that stand for all, or with `--cfg carryless_fields="N"` those of up to N bits above the part before.
//!
//! Every field is compiled for every backend, which takes minutes and gigabytes for a dozen of them.

macro_rules! parts {
    ($($part:literal: $($field:ident),*;)*) => {
        $(
            #[cfg(carryless_fields = $part)]
            macro_rules! for_each_field {
                ($visit:ident) => {
                    $visit! { $($field),* }
                };
            }
        )*

        /// `$visit!` of the fields to test: those of the part, or the given ones.
        #[cfg(not(any($(carryless_fields = $part),*)))]
        macro_rules! for_each_field {
            ($visit:ident) => {
                some_fields! { $visit }
            };
        }

        const PARTS: &[&str] = &[$($(stringify!($field)),*),*];
    };
}

parts! {
    "128": Gf8, Gf8Rs, Gf12, Gf13, Gf16, Gf32, Gf64, Gf113, Gf127, Gf128, Gf128Polyval;
    "192": Gf131, Gf163, Gf163Sqrt, Gf163X962, Gf167, Gf173, Gf179, Gf191;
    "256": Gf193, Gf233, Gf233Dstu, Gf233Sqrt, Gf239, Gf239Sqrt, Gf239X962, Gf251, Gf251Sqrt;
    "320": Gf257, Gf257Dstu, Gf271, Gf283, Gf283Sqrt, Gf307;
    "448": Gf353, Gf359, Gf367, Gf409, Gf431, Gf431Dstu, Gf439;
    "1223": Gf511, Gf571, Gf571Sqrt, Gf1223;
}

#[test]
fn every_field_is_in_one_part() {
    macro_rules! names {
        ($($field:ident),*) => {
            [$(stringify!($field)),*]
        };
    }
    let (mut all, mut parts) = (carryless_gf2::for_each_field! { names }, PARTS.to_vec());
    all.sort_unstable();
    parts.sort_unstable();
    assert_eq!(parts, all);
}
