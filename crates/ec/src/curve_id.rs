//! Curves chosen at run time, by name or object identifier.
use carryless_gf2::curve::{self, BinaryCurve, CurveField};
use core::fmt;
use pkcs8::ObjectIdentifier;

/// A generic operation on a curve that is known only at run time: see [`CurveId::dispatch`].
pub trait CurveVisitor {
    /// The result of the operation.
    type Output;
    /// Performs the operation on the curve `C`.
    fn visit<C: BinaryCurve>(self) -> Self::Output;
}

macro_rules! ids {
    ($($name:ident),*) => {
        /// A curve of [`curve`] as a value, for programs that learn the curve at run time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum CurveId {
            $(#[doc = concat!("[`", stringify!($name), "`](crate::curve::", stringify!($name), ").")] $name),*
        }

        impl CurveId {
            /// All curves, each of them once.
            pub const ALL: &'static [CurveId] = &[$(CurveId::$name),*];

            /// Calls [`CurveVisitor::visit`] with the type of this curve.
            ///
            /// A visitor that computes on a curve is compiled with the arithmetic of all 37 curves,
            /// which takes minutes: see [`dispatch_built`](CurveId::dispatch_built).
            pub fn dispatch<V: CurveVisitor>(self, visitor: V) -> V::Output {
                match self {
                    $(CurveId::$name => visitor.visit::<curve::$name>()),*
                }
            }

            /// Like [`dispatch`](CurveId::dispatch), for the curves of this build. Returns `None` for others: see
            /// [`is_built`](CurveId::is_built). The visitor is not compiled for them.
            pub fn dispatch_built<V: CurveVisitor>(self, visitor: V) -> Option<V::Output> {
                match self {
                    // A constant condition: the compiler leaves out what it excludes.
                    $(CurveId::$name => {
                        if const { is_built::<curve::$name>() } {
                            Some(visitor.visit::<curve::$name>())
                        } else {
                            None
                        }
                    })*
                }
            }

            /// Returns whether the features of this build include the curve: `all-curves`, `nist-curves`,
            /// `curve-163` to `curve-571`, `dstu-curves`, or `dstu-163` to `dstu-431`. None is on by default. They
            /// matter only to [`dispatch_built`](CurveId::dispatch_built); the types of all curves are always there.
            #[must_use]
            pub fn is_built(self) -> bool {
                match self {
                    $(CurveId::$name => const { is_built::<curve::$name>() }),*
                }
            }

            /// Returns the name in lower case, such as `sect233r1`. It is the name of SECG, if the curve has one.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(CurveId::$name => curve::$name::NAME),*
                }
            }

            /// Returns the other names of the curve, such as `B-233` and `ansit233r1`.
            #[must_use]
            pub fn aliases(self) -> &'static [&'static str] {
                match self {
                    $(CurveId::$name => curve::$name::ALIASES),*
                }
            }

            /// Returns the object identifier in dotted decimal form.
            fn oid_text(self) -> Option<&'static str> {
                match self {
                    $(CurveId::$name => curve::$name::OID),*
                }
            }
        }
    };
}

carryless_gf2::for_each_curve! { ids }

/// The degrees of NIST's curves, and whether the features of this build include them.
const NIST: &[(usize, bool)] = &[
    (163, cfg!(feature = "curve-163")),
    (233, cfg!(feature = "curve-233")),
    (283, cfg!(feature = "curve-283")),
    (409, cfg!(feature = "curve-409")),
    (571, cfg!(feature = "curve-571")),
];

/// The degrees of the curves of DSTU 4145, and whether the features of this build include them.
const DSTU: &[(usize, bool)] = &[
    (163, cfg!(feature = "dstu-163")),
    (167, cfg!(feature = "dstu-167")),
    (173, cfg!(feature = "dstu-173")),
    (179, cfg!(feature = "dstu-179")),
    (191, cfg!(feature = "dstu-191")),
    (233, cfg!(feature = "dstu-233")),
    (257, cfg!(feature = "dstu-257")),
    (307, cfg!(feature = "dstu-307")),
    (367, cfg!(feature = "dstu-367")),
    (431, cfg!(feature = "dstu-431")),
];

/// Whether the features of this build include a curve: all of them, or those of its standard with its degree.
const fn is_built<C: BinaryCurve>() -> bool {
    let features = match C::NAME.as_bytes() {
        [b'd', b's', b't', b'u', ..] => DSTU,
        _ if is_of_nist(C::ALIASES) => NIST,
        _ => &[],
    };
    let mut i = 0;
    while i < features.len() {
        if features[i].0 == C::Field::DEGREE && features[i].1 {
            return true;
        }
        i += 1;
    }
    cfg!(feature = "all-curves")
}

/// Whether one of the names is NIST's: K-163, B-163, ...
const fn is_of_nist(aliases: &[&str]) -> bool {
    let mut i = 0;
    while i < aliases.len() {
        // No other alias begins with K- or B-; a test compares the names that this finds.
        if let [b'K' | b'B', b'-', ..] = aliases[i].as_bytes() {
            return true;
        }
        i += 1;
    }
    false
}

impl CurveId {
    /// Returns the curve with this name or alias, or `None`. Case does not matter.
    #[must_use]
    pub fn from_name(name: &str) -> Option<CurveId> {
        let called = |id: &&CurveId| {
            [id.name()].iter().chain(id.aliases()).any(|known| known.eq_ignore_ascii_case(name))
        };
        Self::ALL.iter().find(called).copied()
    }

    /// Returns the curve with this object identifier, or `None`.
    #[must_use]
    pub fn from_oid(oid: ObjectIdentifier) -> Option<CurveId> {
        Self::ALL.iter().find(|id| id.oid() == Some(oid)).copied()
    }

    /// Returns the object identifier, or `None` for curves from research, which have none.
    #[must_use]
    pub fn oid(self) -> Option<ObjectIdentifier> {
        self.oid_text().and_then(|oid| ObjectIdentifier::new(oid).ok())
    }
}

impl fmt::Display for CurveId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::format;
    use std::vec::Vec;

    #[test]
    fn names_and_identifiers_are_unique() {
        let (mut names, mut oids) = (BTreeSet::new(), BTreeSet::new());
        for id in CurveId::ALL {
            for name in [id.name()].iter().chain(id.aliases()) {
                assert!(names.insert(name.to_ascii_lowercase()), "{name}");
                assert_eq!(CurveId::from_name(&name.to_ascii_uppercase()), Some(*id), "{name}");
            }
            if let Some(text) = id.oid_text() {
                let oid = ObjectIdentifier::new(text).expect("an object identifier");
                assert!(oids.insert(text), "{text}");
                assert_eq!(CurveId::from_oid(oid), Some(*id), "{text}");
            }
        }
        assert_eq!((CurveId::ALL.len(), oids.len()), (37, 23));
        for (nist, secg) in [("k-163", "sect163k1"), ("B-163", "sect163r2"), ("b-571", "sect571r1")] {
            assert_eq!(CurveId::from_name(nist), CurveId::from_name(secg), "{nist}");
        }
        assert_eq!(CurveId::from_name("P-256"), None);
    }

    #[test]
    fn features_name_two_curves_of_each_degree() {
        macro_rules! nist {
            ($($name:ident),*) => {
                [$((curve::$name::NAME, is_of_nist(curve::$name::ALIASES))),*]
            };
        }
        let nist = carryless_gf2::for_each_curve! { nist };
        let names: Vec<_> = nist.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
        let of_each_degree =
            ["163k1", "163r2", "233k1", "233r1", "283k1", "283r1", "409k1", "409r1", "571k1", "571r1"];
        assert_eq!(names, of_each_degree.map(|digits| format!("sect{digits}")));
    }

    /// The visitor runs for the curves of the build and for no other.
    #[test]
    fn the_curves_of_the_build_are_dispatched() {
        struct Name;
        impl CurveVisitor for Name {
            type Output = &'static str;
            fn visit<C: BinaryCurve>(self) -> &'static str {
                C::NAME
            }
        }
        for id in CurveId::ALL {
            assert_eq!(id.dispatch(Name), id.name());
            assert_eq!(id.dispatch_built(Name), id.is_built().then_some(id.name()), "{id}");
        }
        let built = CurveId::ALL.iter().filter(|id| id.is_built()).count();
        // Two curves of NIST for each feature, one of DSTU 4145.
        let count = |list: &[(usize, bool)]| list.iter().filter(|(_, is_on)| *is_on).count();
        let of_standards = 2 * count(NIST) + count(DSTU);
        assert_eq!(built, if cfg!(feature = "all-curves") { CurveId::ALL.len() } else { of_standards });
        let dstu: Vec<usize> = DSTU.iter().map(|(degree, _)| *degree).collect();
        let mut named = CurveId::ALL.iter().filter_map(|id| id.name().strip_prefix("dstu-m"));
        assert!(dstu.iter().map(|degree| format!("{degree}")).eq(&mut named), "{dstu:?}");
    }
}
