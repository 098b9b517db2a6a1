//! Which curves a run takes: one of each kind, or with `--cfg carryless_fields="N"` those of NIST over a field of up to N bits above the part before.
//!
//! Every curve is compiled for every machine, which takes some seconds for each.
use carryless_ec::{CurveId, CurveVisitor, curve};

macro_rules! curves {
    ($($curve:ident),*) => {
        /// The curves of this run.
        pub(crate) const CURVES: &[CurveId] = &[$(CurveId::$curve),*];

        /// What the visitor gives for the curve, if it is one of this run.
        pub(crate) fn visit<V: CurveVisitor>(name: &str, visitor: V) -> Option<V::Output> {
            match CurveId::from_name(name)? {
                $(CurveId::$curve => Some(visitor.visit::<curve::$curve>()),)*
                _ => None,
            }
        }
    };
}

macro_rules! parts {
    ($($part:literal: $($curve:ident),*;)*) => {
        $(
            #[cfg(carryless_fields = $part)]
            curves! { $($curve),* }
        )*
        #[cfg(not(any($(carryless_fields = $part),*)))]
        curves! { Sect163k1, Sect163r2 }
    };
}

parts! {
    "192": Sect163k1, Sect163r2;
    "256": Sect233k1, Sect233r1;
    "320": Sect283k1, Sect283r1;
    "448": Sect409k1, Sect409r1;
    "1223": Sect571k1, Sect571r1;
}
