//! Curves over tiny fields, all points and all scalars; fields and extensions by their laws.
use super::{Curve, DecodeError, Domain, Field, Point};
use num_bigint::BigUint;

/// Returns the fields GF(2^5) to GF(2^9), by the exponents of f.
fn fields() -> [Field; 5] {
    [&[5, 2, 0][..], &[6, 1, 0], &[7, 1, 0], &[8, 4, 3, 1, 0], &[9, 1, 0]].map(Field::new)
}

/// Curves over each of the fields: a = 0 and 1, b = 1 and some others.
fn curves() -> Vec<Curve> {
    let of = |field: Field| {
        let pairs = [(0, 1), (1, 1), (0, 2), (1, 3), (7, 19)];
        pairs.map(|(a, b)| Curve { field: field.clone(), a: vec![a], b: vec![b] })
    };
    fields().into_iter().flat_map(of).collect()
}

#[test]
fn inverses_roots_and_solutions() {
    for field in fields() {
        let degree = field.degree();
        let mut solved = 0;
        for a in field.elements() {
            assert_eq!(field.square(&a), field.mul(&a, &a));
            assert_eq!(field.square(&field.sqrt(&a)), a);
            assert_eq!(field.frobenius(&a, degree), a);
            assert_eq!(field.from_bytes(&field.to_bytes(&a)), Some(a.clone()));
            match field.invert(&a) {
                None => assert_eq!(a, field.zero()),
                Some(inverse) => assert_eq!(field.mul(&a, &inverse), field.one()),
            }
            let solution = field.solve_quadratic(&a);
            assert_eq!(solution.is_none(), field.trace(&a), "{a:?} in GF(2^{degree})");
            solved += usize::from(solution.is_some());
        }
        // The trace is linear and not constant, so half of all elements have trace 0.
        assert_eq!(solved, 1 << (degree - 1));
    }
}

/// GF(2^5)[u]: every element, by the laws that the extension must obey.
#[test]
fn extensions() {
    let field = Field::extended(&[5, 2, 0]);
    let elements = || (0..1 << 10).map(|i: u64| vec![i & 31, i >> 5]);
    let mut solved = 0;
    for a in elements() {
        assert!(field.contains(&a));
        assert_eq!(field.square(&a), field.mul(&a, &a));
        assert_eq!(field.frobenius(&a, 10), a);
        assert_eq!(field.from_bytes(&field.to_bytes(&a)), Some(a.clone()));
        match field.invert(&a) {
            None => assert_eq!(a, field.zero()),
            Some(inverse) => assert_eq!(field.mul(&a, &inverse), field.one()),
        }
        let solution = field.solve_quadratic(&a);
        assert_eq!(solution.is_none(), field.trace(&a));
        solved += usize::from(solution.is_some());
        let c = field.add(&field.square(&a), &a);
        let x = field.solve_quadratic(&c).expect("a solution");
        assert!(x == a || x == field.add(&a, &field.one()));
    }
    assert_eq!(solved, 1 << 9);
    assert!(!field.contains(&[32, 0]) && !field.contains(&[0, 32]) && !field.contains(&[0]));
}

#[test]
#[should_panic(expected = "the degree of f is odd")]
fn extensions_of_even_degree_are_refused() {
    let _ = Field::extended(&[6, 1, 0]);
}

/// The number of points obeys Hasse's bound. For Koblitz curves the formula gives it: V_0 = 2, V_1 = mu,
/// V_(i+1) = mu V_i - 2 V_(i-1).
#[test]
fn numbers_of_points() {
    for curve in curves() {
        let q = 1_i64 << curve.field.degree();
        let count = curve.points().len() as i64;
        assert!((count - q - 1).pow(2) <= 4 * q, "{count} points over GF({q})");
        if curve.b == curve.field.one() && curve.a[0] <= 1 {
            let mu = if curve.a[0] == 1 { 1 } else { -1 };
            let (mut before, mut v) = (2, mu);
            for _ in 1..curve.field.degree() {
                (before, v) = (v, mu * v - 2 * before);
            }
            assert_eq!(count, q + 1 - v);
        }
    }
}

/// Sums are on the curve, commute and are undone by the opposite; a sum of three does not depend on the order.
#[test]
fn group_laws() {
    for curve in curves() {
        let points = curve.points();
        for (i, p) in points.iter().enumerate() {
            assert!(curve.contains(p) && curve.contains(&curve.negate(p)));
            assert_eq!(curve.add(p, &curve.negate(p)), Point::Infinity);
            // All pairs of points would take minutes on the larger curves.
            for q in points.iter().step_by(1 + points.len() / 40) {
                let sum = curve.add(p, q);
                assert!(curve.contains(&sum));
                assert_eq!(sum, curve.add(q, p));
                let third = &points[(7 * i + 3) % points.len()];
                assert_eq!(curve.add(&sum, third), curve.add(p, &curve.add(q, third)));
            }
        }
    }
}

/// Compares k P, for all k up to a little more than the order, with repeated additions. The order of each
/// point divides the number of points.
#[test]
fn multiples() {
    for curve in curves() {
        let points = curve.points();
        for p in points.iter().step_by(if points.len() > 100 { 31 } else { 1 }) {
            let order = curve.order(p);
            assert!((points.len() as u64).is_multiple_of(order));
            let mut multiple = Point::Infinity;
            // Beyond the order, since nothing requires scalars to be reduced.
            for k in 0..order + 3 {
                assert_eq!(curve.mul(&BigUint::from(k), p), multiple);
                assert_eq!(multiple == Point::Infinity, k % order == 0);
                multiple = curve.add(&multiple, p);
            }
        }
    }
}

/// Both forms of all points, and of all x that no point has.
#[test]
fn encodings() {
    for curve in curves() {
        let points = curve.points();
        for p in &points {
            for compressed in [false, true] {
                assert_eq!(curve.decode(&curve.encode(p, compressed)).as_ref(), Ok(p));
            }
        }
        let xs = curve.field.elements().filter(|x| points.iter().all(|p| p.x() != Some(x)));
        for x in xs {
            let bytes = curve.encode(&Point::Affine(x, curve.field.zero()), true);
            assert_eq!(curve.decode(&bytes), Err(DecodeError::NotOnCurve));
        }
    }
}

#[test]
fn malformed_encodings() {
    let [field, ..] = fields();
    let curve = Curve { a: field.one(), b: field.one(), field };
    for (bytes, error) in [
        (&[][..], DecodeError::Tag),
        (&[1], DecodeError::Tag),
        (&[5, 0, 1], DecodeError::Tag),
        (&[6, 0, 1], DecodeError::Tag),
        (&[7, 0, 1], DecodeError::Tag),
        (&[0, 0], DecodeError::Length),
        (&[2], DecodeError::Length),
        (&[3, 0, 1], DecodeError::Length),
        (&[4, 0], DecodeError::Length),
        (&[4, 0, 1, 0], DecodeError::Length),
        (&[2, 32], DecodeError::Coordinate),
        (&[4, 32, 1], DecodeError::Coordinate),
        (&[4, 0, 33], DecodeError::Coordinate),
        (&[4, 0, 2], DecodeError::NotOnCurve),
        (&[3, 0], DecodeError::Sign),
    ] {
        assert_eq!(curve.decode(bytes), Err(error), "{bytes:?}");
    }
    assert_eq!(curve.decode(&[4, 0, 1]), Ok(Point::Affine(vec![0], vec![1])));
    assert_eq!(curve.decode(&[2, 0]), Ok(Point::Affine(vec![0], vec![1])));
}

/// Tries all keys of groups of prime order over GF(2^7), with every fifth nonce. Signatures verify, and
/// almost none does with another hash.
#[test]
fn signatures_of_a_tiny_group() {
    let mut groups = 0;
    for curve in curves().into_iter().filter(|curve| curve.field.degree() == 7) {
        let points = curve.points();
        let orders: Vec<u64> = points.iter().map(|p| curve.order(p)).collect();
        // ECDSA divides modulo n, so n must be prime. Below 20, too many signatures would verify by chance.
        let Some(i) = orders.iter().position(|&n| n > 20 && (2..n).all(|d| !n.is_multiple_of(d))) else {
            continue;
        };
        let (order, cofactor) = (BigUint::from(orders[i]), BigUint::from(points.len() as u64 / orders[i]));
        let domain = Domain { generator: points[i].clone(), curve, order, cofactor };
        check_signatures(&domain, orders[i], &points);
        groups += 1;
    }
    assert!(groups > 1, "{groups} groups of prime order");
}

fn check_signatures(domain: &Domain, n: u64, points: &[Point]) {
    let (generator, mut made, mut of_another_hash) = (&domain.generator, 0, 0);
    for (d, k) in (0..=n).flat_map(|d| (0..=n).step_by(5).map(move |k| (d, k))) {
        let (d, k) = (BigUint::from(d), BigUint::from(k));
        let hash = [d.to_bytes_be()[0], 0x5a];
        let q = domain.curve.mul(&d, generator);
        assert_eq!(domain.is_public_key(&q), domain.is_scalar(&d));
        let Some((r, s)) = domain.sign(&d, &k, &hash) else { continue };
        made += 1;
        of_another_hash += usize::from(domain.verify(&q, &[hash[0] ^ 0x40, 0], &r, &s));
        assert!(domain.verify(&q, &hash, &r, &s));
        assert!(!domain.verify(&q, &hash, &r, &(&domain.order + &s)));
        assert!(!domain.verify(&q, &hash, &BigUint::ZERO, &s));
        assert!(!domain.verify(&Point::Infinity, &hash, &r, &s));
    }
    // By chance about one in n of the wrong signatures verifies.
    assert!(made > 100 && 10 * of_another_hash < made, "{of_another_hash} of {made}");
    let d = BigUint::from(3_u8);
    for q in points {
        let secret = domain.shared_secret(&d, q);
        assert_eq!(secret.is_some(), domain.is_public_key(q));
        assert!(domain.shared_secret(&domain.order, q).is_none());
    }
}
