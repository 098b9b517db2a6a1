//! Curves chosen at run time, by name or object identifier.
use carryless_gf2::curve::{self, BinaryCurve};
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
            /// Every visitor of a program compiles the arithmetic of all curves, which takes minutes.
            pub fn dispatch<V: CurveVisitor>(self, visitor: V) -> V::Output {
                match self {
                    $(CurveId::$name => visitor.visit::<curve::$name>()),*
                }
            }

            /// Returns the name in lower case, such as `sect233r1`. It is the name of SECG, if the curve has
            /// one.
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
        assert_eq!((CurveId::ALL.len(), oids.len()), (27, 23));
        for (nist, secg) in [("k-163", "sect163k1"), ("B-163", "sect163r2"), ("b-571", "sect571r1")] {
            assert_eq!(CurveId::from_name(nist), CurveId::from_name(secg), "{nist}");
        }
        assert_eq!(CurveId::from_name("P-256"), None);
    }
}
