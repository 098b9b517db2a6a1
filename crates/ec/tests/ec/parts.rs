//! The curves of a run. By default they are one Koblitz and one random curve over the smallest field. `--cfg
//! carryless_fields="N"` selects those of NIST over fields of at most N bits and above the part before.
//!
//! The parts exist because each curve is compiled for each backend, which takes some seconds.
use carryless_ec::{CurveId, CurveVisitor, curve};

macro_rules! curves {
    ($($curve:ident),*) => {
        /// The curves of this run, in the order in which they are tested.
        pub(crate) const CURVES: &[CurveId] = &[$(CurveId::$curve),*];

        /// Calls the visitor with the curve of that name. `None` if the name is unknown or not of this run.
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
