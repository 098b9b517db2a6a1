//! Polynomials with integer coefficients in named symbols.
use core::fmt;
use core::ops::{Add, Mul, Sub};
use num_bigint::BigInt;
use std::collections::{BTreeMap, HashMap};
use std::string::{String, ToString};
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::vec::Vec;
use std::{format, vec};

/// A name by its number in the process-wide register of names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Symbol(u32);

/// The register: all names, and the symbols of those that a user chose.
#[derive(Default)]
struct Names {
    all: Vec<String>,
    chosen: HashMap<String, Symbol>,
}

fn names() -> MutexGuard<'static, Names> {
    static NAMES: LazyLock<Mutex<Names>> = LazyLock::new(Mutex::default);
    // Names are only appended, so a panic of another test while it held the lock has damaged nothing.
    NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Names {
    fn push(&mut self, name: String) -> Symbol {
        self.all.push(name);
        Symbol((self.all.len() - 1) as u32)
    }
}

impl Symbol {
    /// The symbol of that name: the same one each time.
    fn named(name: &str) -> Symbol {
        let mut names = names();
        if let Some(&symbol) = names.chosen.get(name) {
            return symbol;
        }
        let symbol = names.push(name.to_string());
        names.chosen.insert(name.to_string(), symbol);
        symbol
    }

    /// A new symbol that equals no other; the remark is for readers of messages.
    pub(crate) fn fresh(remark: &str) -> Symbol {
        let mut names = names();
        let name = format!("c{}{{{remark}}}", names.all.len());
        names.push(name)
    }

    fn name(self) -> String {
        names().all[self.0 as usize].clone()
    }
}

/// A product of symbols in ascending order, with repetitions for powers; empty for 1.
type Monomial = Vec<Symbol>;

/// A polynomial with integer coefficients in named symbols.
///
/// ```
/// use carryless_lanes::Poly;
/// let (x, y) = (Poly::symbol("x"), Poly::symbol("y"));
/// assert_eq!((&x + &y) * (&x - &y), &x * &x - &y * &y);
/// assert_eq!(format!("{:?}", x.times(3) + Poly::constant(1)), "1 + 3*x");
/// // 2^130 = 5 modulo 2^130 - 5
/// assert!(x.times_power_of_two(130).equal_modulo(&x.times(5), 130, 5).is_ok());
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Poly(BTreeMap<Monomial, BigInt>);

impl Poly {
    /// The polynomial that has the constant term `c` only; zero for 0.
    pub fn constant(c: i128) -> Poly {
        Poly::monomial(Vec::new(), c.into())
    }

    /// The symbol of that name. The same name is the same symbol everywhere in the process.
    pub fn symbol(name: &str) -> Poly {
        Poly::of(Symbol::named(name))
    }

    /// The product of the polynomial and the integer `c`.
    pub fn times(&self, c: i128) -> Poly {
        if c == 0 {
            return Poly::default();
        }
        self.map(|k| k * c)
    }

    /// The product of the polynomial and 2^k, k of any size.
    pub fn times_power_of_two(&self, k: u32) -> Poly {
        self.map(|c| c << k)
    }

    /// The value of limbs: the sum of `limbs[i] * 2^(radix i)`.
    pub fn from_limbs(limbs: &[Poly], radix: u32) -> Poly {
        limbs.iter().rfold(Poly::default(), |sum, limb| sum.times_power_of_two(radix) + limb)
    }

    /// Whether all coefficients agree modulo `2^bits - minus`, so that the two agree for all values of the symbols.
    /// (They need not agree as polynomials to agree as functions: an error is a question, success is a proof.)
    ///
    /// # Errors
    /// The terms whose coefficients differ.
    pub fn equal_modulo(&self, other: &Poly, bits: u32, minus: u64) -> Result<(), Difference> {
        let p = (BigInt::from(1) << bits) - minus;
        let rest: BTreeMap<_, _> = (self - other)
            .0
            .into_iter()
            .map(|(m, c)| (m, residue(&c, &p)))
            .filter(|(_, c)| *c != zero())
            .collect();
        if rest.is_empty() { Ok(()) } else { Err(Difference(Poly(rest))) }
    }

    /// The number of terms, whose coefficients are not zero.
    pub fn terms(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn of(symbol: Symbol) -> Poly {
        Poly::monomial(vec![symbol], 1.into())
    }

    fn monomial(m: Monomial, c: BigInt) -> Poly {
        Poly(if c == zero() { BTreeMap::new() } else { BTreeMap::from([(m, c)]) })
    }

    /// Applies `f` to all coefficients. `f` must not make one zero: polynomials hold no zero terms, so that
    /// equality is that of maps.
    fn map(&self, f: impl Fn(&BigInt) -> BigInt) -> Poly {
        Poly(self.0.iter().map(|(m, c)| (m.clone(), f(c))).collect())
    }

    /// The symbol, if the polynomial is a symbol with coefficient 1 and nothing else.
    pub(crate) fn as_symbol(&self) -> Option<Symbol> {
        match self.0.first_key_value() {
            Some((m, c)) if self.0.len() == 1 && m.len() == 1 && *c == BigInt::from(1) => Some(m[0]),
            _ => None,
        }
    }

    /// The value, if no symbol occurs.
    pub(crate) fn as_constant(&self) -> Option<BigInt> {
        match self.0.first_key_value() {
            None => Some(zero()),
            Some((m, c)) if self.0.len() == 1 && m.is_empty() => Some(c.clone()),
            _ => None,
        }
    }

    pub(crate) fn from_bigint(c: BigInt) -> Poly {
        Poly::monomial(Vec::new(), c)
    }

    /// The least positive k such that 2^k is the exact power of two in some coefficient; `None` if all are odd.
    pub(crate) fn least_even_exponent(&self) -> Option<u32> {
        self.0.values().filter_map(BigInt::trailing_zeros).filter(|&z| z > 0).min().map(|z| z as u32)
    }

    /// `(a, b)` with `self = 2^k a + b`, where `b` has the terms whose coefficients 2^k does not divide.
    pub(crate) fn split(&self, k: u32) -> (Poly, Poly) {
        let (mut a, mut b) = (BTreeMap::new(), BTreeMap::new());
        for (m, c) in &self.0 {
            // `None`, for a coefficient of zero, does not occur.
            if c.trailing_zeros() >= Some(k.into()) {
                a.insert(m.clone(), c >> k);
            } else {
                b.insert(m.clone(), c.clone());
            }
        }
        (Poly(a), Poly(b))
    }

    /// The value for given values of the symbols.
    #[cfg(test)]
    pub(crate) fn evaluate(&self, value: &mut dyn FnMut(Symbol) -> BigInt) -> BigInt {
        self.0.iter().map(|(m, c)| m.iter().fold(c.clone(), |product, &s| product * value(s))).sum()
    }

    fn add_term(&mut self, m: Monomial, c: BigInt) {
        // A term whose coefficient becomes zero is dropped: equality is that of maps.
        let sum = self.0.remove(&m).unwrap_or_default() + c;
        if sum != zero() {
            self.0.insert(m, sum);
        }
    }
}

fn zero() -> BigInt {
    BigInt::ZERO
}

/// The least non-negative number that is `c` modulo `p`.
fn residue(c: &BigInt, p: &BigInt) -> BigInt {
    // `%` of a negative integer is negative or zero.
    ((c % p) + p) % p
}

/// The product of two monomials, with its symbols in order.
fn product(a: &Monomial, b: &Monomial) -> Monomial {
    let mut m = [a.as_slice(), b].concat();
    // One order for all products, so that equal monomials are equal keys of the map.
    m.sort_unstable();
    m
}

impl Add<&Poly> for Poly {
    type Output = Poly;
    fn add(mut self, other: &Poly) -> Poly {
        for (m, c) in &other.0 {
            self.add_term(m.clone(), c.clone());
        }
        self
    }
}

impl Sub<&Poly> for Poly {
    type Output = Poly;
    fn sub(mut self, other: &Poly) -> Poly {
        for (m, c) in &other.0 {
            self.add_term(m.clone(), -c);
        }
        self
    }
}

impl Mul<&Poly> for Poly {
    type Output = Poly;
    fn mul(self, other: &Poly) -> Poly {
        let mut sum = Poly::default();
        for (m, c) in &self.0 {
            for (n, d) in &other.0 {
                sum.add_term(product(m, n), c * d);
            }
        }
        sum
    }
}

/// Defines the operators for values and references, by those for a value and a reference.
macro_rules! by_reference {
    ($($op:ident $f:ident),*) => { $(
        impl $op<Poly> for Poly {
            type Output = Poly;
            fn $f(self, other: Poly) -> Poly {
                self.$f(&other)
            }
        }
        impl $op<&Poly> for &Poly {
            type Output = Poly;
            fn $f(self, other: &Poly) -> Poly {
                self.clone().$f(other)
            }
        }
        impl $op<Poly> for &Poly {
            type Output = Poly;
            fn $f(self, other: Poly) -> Poly {
                self.clone().$f(&other)
            }
        }
    )* };
}
by_reference!(Add add, Sub sub, Mul mul);

/// The largest number of terms that `Debug` writes; of others it gives the number.
const SHOWN: usize = 12;

impl fmt::Debug for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("0");
        }
        for (i, (m, c)) in self.0.iter().take(SHOWN).enumerate() {
            f.write_str(if i == 0 { "" } else { " + " })?;
            let one = !m.is_empty() && *c == BigInt::from(1);
            let coefficient = if one { None } else { Some(c.to_string()) };
            let factors: Vec<_> = coefficient.into_iter().chain(m.iter().map(|s| s.name())).collect();
            f.write_str(&factors.join("*"))?;
        }
        if self.0.len() > SHOWN { write!(f, " + ({} more terms)", self.0.len() - SHOWN) } else { Ok(()) }
    }
}

/// The terms in which two polynomials differ.
#[derive(Clone, PartialEq, Eq)]
pub struct Difference(Poly);

impl fmt::Debug for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} coefficients differ: {:?}", self.0.terms(), self.0)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl core::error::Error for Difference {}
