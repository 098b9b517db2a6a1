//! Orders of elements, primitive elements and discrete logarithms.
use super::DynField;
use crate::algebra::{divisors_of_order, order};
use alloc::vec;
use alloc::vec::Vec;

/// The largest prime divisor of an order in whose group logarithms are found: tables have up to the square root of it.
const LARGEST_PRIME: u64 = 1 << 40;

/// Up to this order all powers are in one table.
const TABLE: u64 = 1 << 16;

/// Up to this degree a table has the logarithms of all elements, which are below 2^16 - 1.
const DENSE: usize = 16;

/// What stands in a table for an element without a logarithm.
const NONE: u16 = u16::MAX;

/// The multiplicative group of a field GF(2^m) of m up to 64, for public elements: a word each, below 2^m.
///
/// ```
/// use carryless_gf2::field::{DynField, Group};
///
/// let group = Group::new(&DynField::from_exponents(&[8, 4, 3, 1, 0])?).expect("a field of 8 bits");
/// // AES's field: 2 generates a fifth of it, 3 all.
/// assert_eq!((group.order_of_vartime(2), group.generator_vartime()), (Some(51), 3));
/// let logarithms = group.logarithms_vartime(3).expect("small primes");
/// assert_eq!((logarithms.of_vartime(5), logarithms.of_vartime(0)), (Some(2), None));
/// # Ok::<(), carryless_gf2::field::DynFieldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Group {
    field: DynField,
    /// The primes that divide the order.
    primes: Vec<u64>,
}

impl Group {
    /// The group of a field; `None` for m above 64. Costs the factorisation of 2^m - 1, up to 0.1 s (for m = 61).
    #[must_use]
    pub fn new(field: &DynField) -> Option<Group> {
        let primes = || divisors_of_order(field.degree());
        (field.words() == 1).then(|| Group { field: field.clone(), primes: primes() })
    }

    /// The number 2^m - 1 of elements.
    #[must_use]
    pub fn order(&self) -> u64 {
        order(self.field.degree())
    }

    /// The primes that divide the order.
    #[must_use]
    pub fn prime_divisors(&self) -> &[u64] {
        &self.primes
    }

    /// Whether logarithms come from a table of all elements, for m up to 16: then [`Logarithms`] cost one look-up each.
    #[must_use]
    pub fn has_table(&self) -> bool {
        self.field.degree() <= DENSE
    }

    /// a^e, by squares for the bits of e from its highest 1 on, which are few in small fields.
    fn power(&self, a: u64, e: u64) -> u64 {
        (0..u64::BITS - e.leading_zeros()).rev().fold(1, |power, bit| {
            let square = self.field.product_of_words(power, power);
            if e >> bit & 1 == 1 { self.field.product_of_words(square, a) } else { square }
        })
    }

    /// The least e from 1 on with a^e = 1; `None` for 0. Takes about 2 m products for each prime divisor.
    #[must_use]
    pub fn order_of_vartime(&self, a: u64) -> Option<u64> {
        // Bits from z^m on are reduced by the first power.
        if self.power(a, 1) == 0 {
            return None;
        }
        let mut least = self.order();
        for &p in &self.primes {
            while least.is_multiple_of(p) && self.power(a, least / p) == 1 {
                least /= p;
            }
        }
        Some(least)
    }

    /// The least primitive element, as a number: its powers are all elements of the group.
    #[must_use]
    pub fn generator_vartime(&self) -> u64 {
        (1..=self.order()).find(|&a| self.order_of_vartime(a) == Some(self.order())).unwrap_or(1)
    }

    /// Tables for logarithms to this base (Pohlig and Hellman). `None` for base 0, and if the order of the base has a prime divisor above 2^40.
    ///
    /// For m up to 16 takes a table of 2^m logarithms (128 kB for m = 16), otherwise for each prime divisor p of the order a table of p powers up to
    /// p = 2^16, and of about sqrt(p) above. Up to the order 2^16 there is one table of all powers.
    #[must_use]
    pub fn logarithms_vartime(&self, base: u64) -> Option<Logarithms> {
        let order = self.order_of_vartime(base)?;
        let (mut parts, mut dense) = (Vec::new(), Vec::new());
        if self.has_table() {
            dense = self.table(base, order);
        } else if order <= TABLE {
            parts.push(Part::new(self, base, order, [order, 1]));
        } else {
            for &p in self.primes.iter().filter(|&&p| order.is_multiple_of(p)) {
                if p > LARGEST_PRIME {
                    return None;
                }
                let (mut rest, mut exponent) = (order, 0);
                while rest.is_multiple_of(p) {
                    (rest, exponent) = (rest / p, exponent + 1);
                }
                parts.push(Part::new(self, base, order, [p, exponent]));
            }
        }
        Some(Logarithms { group: self.clone(), base, order, dense, parts })
    }

    /// For each element its logarithm to a base of this order, in a field of up to [`DENSE`] bits.
    fn table(&self, base: u64, order: u64) -> Vec<u16> {
        let mut table = vec![NONE; 1 << self.field.degree()];
        let mut power = 1;
        for e in 0..order {
            table[power as usize] = e as u16;
            power = self.field.product_of_words(power, base);
        }
        table
    }
}

/// Logarithms to one base, made by [`Group::logarithms_vartime`].
#[derive(Clone, Debug)]
pub struct Logarithms {
    group: Group,
    base: u64,
    /// The order of the base.
    order: u64,
    /// The logarithm of each element, or empty above [`DENSE`] bits.
    dense: Vec<u16>,
    parts: Vec<Part>,
}

impl Logarithms {
    /// The least e from 0 on with base^e = a; `None` if a is no power of the base, or has bits from z^m on.
    ///
    /// For m up to 16 reads a table at the place a. Otherwise takes for each prime power p^k that divides the order of the base about 2 m k
    /// products, and k times up to the square root of p.
    #[must_use]
    pub fn of_vartime(&self, a: u64) -> Option<u64> {
        if !self.dense.is_empty() {
            let entry = usize::try_from(a).ok().and_then(|a| self.dense.get(a));
            return entry.filter(|&&e| e != NONE).map(|&e| e.into());
        }
        if a.checked_shr(self.group.field.degree() as u32).unwrap_or(0) != 0 {
            return None;
        }
        if let [part] = &self.parts[..]
            && part.exponent == 1
        {
            // The powers of the base itself.
            return part.small(&self.group, a);
        }
        // Remainders modulo coprime p^k give e modulo their product, the order.
        let e = self.parts.iter().try_fold(0, |e, part| {
            let term = times(part.remainder(&self.group, a)?, part.weight, self.order);
            Some(((u128::from(e) + u128::from(term)) % u128::from(self.order)) as u64)
        })?;
        // An element outside of the group that the base generates may have such remainders, too.
        (self.group.power(self.base, e) == self.group.power(a, 1)).then_some(e)
    }

    /// The order of a power of the base: that of the base divided by the gcd with the logarithm. `None` if a is no power of the base.
    ///
    /// Where logarithms are in a table, this is faster than [`Group::order_of_vartime`].
    #[must_use]
    pub fn order_of_vartime(&self, a: u64) -> Option<u64> {
        let (mut common, mut rest) = (self.order, self.of_vartime(a)?);
        while rest != 0 {
            (common, rest) = (rest, common % rest);
        }
        Some(self.order / common)
    }
}

/// The part of a group whose order is a power of a prime p, or a whole group of a small order p.
#[derive(Clone, Debug)]
struct Part {
    p: u64,
    exponent: u32,
    /// The order of the base divided by p^exponent.
    cofactor: u64,
    /// 1 / (base^cofactor), of order p^exponent.
    inverse: u64,
    /// The multiple of the cofactor that is 1 modulo p^exponent.
    weight: u64,
    /// The powers g^0, g^1, .. of g, of order p, with their exponents, sorted.
    table: Vec<(u64, u32)>,
    /// 1 / g^n, for n the length of the table.
    step: u64,
}

impl Part {
    fn new(group: &Group, base: u64, order: u64, [p, exponent]: [u64; 2]) -> Part {
        let exponent = exponent as u32;
        let power = p.pow(exponent);
        let cofactor = order / power;
        let g = group.power(base, order / p);
        let size = if p <= TABLE { p } else { p.isqrt() + 1 };
        let mut table = Vec::with_capacity(size as usize);
        let mut next = 1;
        for e in 0..size {
            table.push((next, e as u32));
            next = group.field.product_of_words(next, g);
        }
        table.sort_unstable();
        // By Euler's theorem the inverse of c modulo p^k is c^(phi - 1); of 1 it is 1, also where p is no prime.
        let inverse = power_modulo(cofactor % power, power / p * (p - 1) - u64::from(p > 1), power);
        Part {
            p,
            exponent,
            cofactor,
            inverse: group.power(base, order - cofactor),
            weight: times(cofactor, inverse, order),
            table,
            step: group.power(g, p - size % p),
        }
    }

    /// The logarithm of a modulo p^exponent, digit by digit in base p. `None` if there is none.
    fn remainder(&self, group: &Group, a: u64) -> Option<u64> {
        let (mut rest, mut found, mut place) = (group.power(a, self.cofactor), 0, 1);
        for k in 1..=self.exponent {
            let digit = self.small(group, group.power(rest, self.p.pow(self.exponent - k)))?;
            rest = group.field.product_of_words(rest, group.power(self.inverse, digit * place));
            found += digit * place;
            place = if k < self.exponent { place * self.p } else { place };
        }
        Some(found)
    }

    /// The e below p with g^e = a: a table's entry after some steps back (Shanks).
    fn small(&self, group: &Group, a: u64) -> Option<u64> {
        let (size, mut power) = (self.table.len() as u64, a);
        for steps in 0..self.p.div_ceil(size) {
            if let Ok(i) = self.table.binary_search_by_key(&power, |(power, _)| *power) {
                return Some(steps * size + u64::from(self.table[i].1));
            }
            power = group.field.product_of_words(power, self.step);
        }
        None
    }
}

/// a b mod n.
fn times(a: u64, b: u64, n: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(n)) as u64
}

/// a^e mod n.
fn power_modulo(a: u64, e: u64, n: u64) -> u64 {
    (0..64).rev().fold(1 % n, |power, bit| {
        let square = times(power, power, n);
        if e >> bit & 1 == 1 { times(square, a, n) } else { square }
    })
}
