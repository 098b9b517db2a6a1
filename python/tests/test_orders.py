"""Orders, logarithms, minimal polynomials, traces and norms, interpolation and remainders against `galois`."""

from collections.abc import Callable
from typing import Any

import galois
import numpy as np
import pytest
from carryless import GF, GF2X, Field, FieldArray, FieldPoly, crt, lagrange_poly

# The types of numpy's functions know its own arrays only.
NP: Any = np
GALOIS: list[Any] = [galois.GF(2), galois.GF(2**4), galois.GF(2**8, irreducible_poly=0x11B), galois.GF(2**12)]


def same_field(G: Any) -> Field:
    return GF(G.order, None, int(G.irreducible_poly))


both = pytest.mark.parametrize(("F", "G"), [(same_field(G), G) for G in GALOIS], ids=[str(G.degree) for G in GALOIS])


def poly(f: FieldPoly, G: Any) -> Any:
    return galois.Poly(f.coefficients.tolist()[::-1] or [0], field=G)


@both
def test_orders_and_logarithms(F: Field, G: Any) -> None:
    every = F(np.arange(1, F.order))
    theirs = G(np.arange(1, F.order))
    assert every.multiplicative_order().tolist() == np.atleast_1d(theirs.multiplicative_order()).tolist()
    found = [int(element) for element in every if element.is_primitive_element()]
    assert found == sorted(map(int, G.primitive_elements)) == F.primitive_elements.tolist()
    assert int(F.primitive_element) == found[0] and every.is_primitive_element().tolist() == [int(a) in found for a in every]
    assert not F(0).is_primitive_element() and F(0).is_primitive_element().shape == ()
    for base in (None, found[-1]):
        logs = every.log(base)
        root = F(found[0] if base is None else base)
        assert logs.tolist() == theirs.log(G(int(root))).tolist() and logs.dtype == np.int64
        assert all(root.power(int(e)) == a for e, a in list(zip(logs, every))[:300])
    assert NP.log(every).tolist() == every.log().tolist()
    assert every.reshape(-1, 1).log().shape == (F.order - 1, 1)


def test_logarithms_in_large_fields() -> None:
    for m in (20, 36, 48, 64):
        F = GF(2, m, GF2X.find_primitive(m))
        exponents = [0, 1, F.order - 2, 123456789 % (F.order - 1)]
        assert F([int(F(2).power(e)) for e in exponents]).log(2).tolist() == exponents
    F = GF(2**8, None, 0x11B)
    assert F([1, 2, 4]).log(2).tolist() == [0, 1, 2] and F(3).log() == 1
    for call, message in (
        (lambda: F([1, 3]).log(2), "no power of 0x2"), (lambda: F([1, 0]).log(), "no power of 0x3"), (lambda: F([1, 0]).multiplicative_order(), "0 has no"),
        (lambda: F(3).log(0), "base"), (lambda: GF(2, 61)(2).log(2), "up to 2\\^40"), (lambda: GF(2, 65)(1).log(), "degree 64"),
        (lambda: GF(2, 65)(1).multiplicative_order(), "degree 64"), (lambda: GF(2, 21).primitive_elements, "above 20"), (lambda: F(3).log(256), "below 2"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError):
        F(3).log(GF(2, 9)(2))


@both
def test_polynomials_of_elements(F: Field, G: Any) -> None:
    for a in range(0, F.order, 1 + F.order // 50):
        assert F(a).minimal_poly() == GF2X(int(G(a).minimal_poly()))
        assert F(a).characteristic_poly() == GF2X(int(G(a).characteristic_poly()))
    with pytest.raises(TypeError, match="single"):
        F([1, 1]).minimal_poly()


def test_traces_and_norms_to_subfields() -> None:
    F = GF(2, 12)
    every = F(np.arange(F.order))
    assert every.field_trace().tolist() == every.trace().tolist()
    assert every.field_norm().tolist() == [int(a != 0) for a in range(F.order)]
    assert every.field_trace(12).tolist() == every.tolist() == every.field_norm(12).tolist()
    for d in (2, 3, 4, 6):
        for result in (every.field_trace(d), every.field_norm(d)):
            assert np.array_equal(result.frobenius(d), result) and len(set(result.tolist())) == 1 << d
        # The trace over F2 is that of the trace over the subfield, its sum of conjugates.
        inner = total = every.field_trace(d)
        for _ in range(d - 1):
            inner = inner.square()
            total = total + inner
        assert total.tolist() == every.trace().tolist()
        a, b = F.random(50, 1), F.random(50, 2)
        assert np.array_equal((a * b).field_norm(d), a.field_norm(d) * b.field_norm(d))
    for wrong in (0, 5, -1, 24):
        with pytest.raises(ValueError, match="divide 12"):
            every.field_trace(wrong)


@both
def test_interpolation_and_remainders(F: Field, G: Any) -> None:
    rng = np.random.default_rng(3)
    for n in (1, 2, 3, 8):
        if n > F.order:
            continue
        points = F(rng.choice(F.order, n, replace=False))
        values = F.random(n, rng)
        found = lagrange_poly(points, values)
        assert np.array_equal(found(points), values) and found.degree < n
        if n > 1:
            assert poly(found, G) == galois.lagrange_poly(points.to_galois(G), values.to_galois(G))
    assert lagrange_poly(F([]), []).degree == -1
    # Coprime moduli, and some with a common factor.
    f = F.poly(F.random(9, 4))
    moduli = [F.poly([1, 1]), F.poly([0, 0, 1]), F.poly([1, 1, 1])]
    found = crt([f % modulus for modulus in moduli], moduli)
    assert found == f % (moduli[0] * moduli[1] * moduli[2])
    assert poly(found, G) == galois.crt([poly(f % modulus, G) for modulus in moduli], [poly(modulus, G) for modulus in moduli])
    common = [F.poly([0, 1, 1]), F.poly([1, 0, 1])]
    least = crt([f % modulus for modulus in common], common)
    assert least.degree < 3 and [least % modulus for modulus in common] == [f % modulus for modulus in common]
    a, b = F.poly([1, 1, 0, 1]), F.poly([0, 1, 1])
    d, s, t = a.xgcd(b)
    assert d == a.gcd(b) == s * a + t * b and F.poly([]).xgcd(F.poly([]))[0].degree == -1
    with pytest.raises(ValueError, match="common factor"):
        crt([F.poly([0]), F.poly([1])], [common[0], common[0]])


@both
def test_factors_roots_and_derivatives(F: Field, G: Any) -> None:
    for seed in range(2):
        a, b, c = (F.poly([*F.random(n, seed).tolist(), 1]) for n in (1, 3, 6))
        for f in (a * a * b, b * c, a * b * b * b * b * c * c, F.poly([F.order - 1]) * c):
            theirs = poly(f, G)
            monic = theirs // galois.Poly([int(theirs.coeffs[0])], field=G)
            assert {(poly(factor, G), e) for factor, e in f.factor()} == set(zip(*monic.factors()))
            assert f.is_irreducible() == (monic.is_irreducible() if monic.degree else False)
            roots, multiplicities = f.roots(multiplicity=True)
            expected, numbers = theirs.roots(multiplicity=True)
            assert (roots.tolist(), multiplicities.tolist()) == (np.asarray(expected).tolist(), numbers.tolist())
            assert f.roots().tolist() == roots.tolist() and poly(f.derivative(), G) == theirs.derivative()
    for short in (F.poly([]), F.poly([1])):
        assert not short.is_irreducible() and short.derivative() == F.poly([])
    assert F.poly([1]).factor() == [] and F.poly([1]).roots().shape == (0,)
    for call in (F.poly([]).factor, F.poly([]).roots):
        with pytest.raises(ValueError, match="0 has no factors"):
            call()


def test_factors_over_a_large_field() -> None:
    F = GF(2, 100)
    f = F.poly(F.random(4, 1)) * F.poly([5, 1]) * F.poly([5, 1])
    product = F.poly(f.coefficients[-1:])
    for factor, e in f.factor():
        assert factor.is_irreducible()
        product = product * factor**e
    assert product == f and f(f.roots()).is_zero().all() and 5 in f.roots().tolist()


def test_what_is_refused() -> None:
    F, other = GF(2, 8), GF(2, 9)
    wrong: list[tuple[Callable[[], Any], str]] = [
        (lambda: lagrange_poly(F([1, 1]), [2, 3]), "twice"), (lambda: lagrange_poly(F([1, 2]), [2, 3, 4]), "as many values"), (lambda: lagrange_poly(F([[1]]), [[2]]), "one axis"),
        (lambda: crt([], []), "at least one"), (lambda: crt([F.poly([1])], []), "as many"),
    ]  # fmt: skip
    for call, message in wrong:
        with pytest.raises(ValueError, match=message):
            call()
    types: list[Callable[[], Any]] = [
        lambda: lagrange_poly([1, 2], [3, 4]), lambda: lagrange_poly(F([1]), other([1])), lambda: F.poly([1]).xgcd(other.poly([1])),  # type: ignore[arg-type]
        lambda: F(3).field_trace(1.0), lambda: NP.log(F([1]), out=F([1])), lambda: NP.log2(F([1])),  # type: ignore[arg-type]
    ]  # fmt: skip
    for call in types:
        with pytest.raises(TypeError):
            call()
    with pytest.raises(ZeroDivisionError):
        crt([F.poly([1]), F.poly([1])], [F.poly([0]), F.poly([1, 1])])
    assert isinstance(F(3).field_norm(), FieldArray)


@both
def test_polynomials_over_the_field(F: Field, G: Any) -> None:
    rng = np.random.default_rng(7)
    for m, n in ((1, 1), (5, 3), (40, 60), (200, 100), (600, 300)):
        a, b, c = (F.poly([*rng.integers(0, F.order, size), 1]) for size in (m, n, 4))
        x, y, z = (poly(f, G) for f in (a, b, c))
        assert poly(a * b, G) == x * y and [poly(f, G) for f in divmod(a, b)] == list(divmod(x, y))
        assert (a * c).gcd(b * c) % c == F.poly([]) and poly((a * c).gcd(b * c), G) == galois.gcd(x * z, y * z)
        points = np.arange(min(F.order, 256))
        assert a(points).tolist() == x(G(points)).tolist() and poly(pow(a, 13, b), G) == pow(x, 13, y)
        assert c**3 == c * c * c and c**0 == F.poly([1])
    for call in (lambda: divmod(a, F.poly([])), lambda: pow(a, 2, F.poly([]))):
        with pytest.raises(ZeroDivisionError):
            call()
    with pytest.raises(ValueError, match="negative"):
        a**-1
    zero = F.poly([])
    assert (a * zero).degree == (zero + zero).degree == zero.gcd(zero).degree == -1 and zero(F([1])).tolist() == [0]
    assert divmod(zero, a) == (zero, zero) and divmod(c, a * a) == (zero, c) and a(F.zeros((2, 0))).shape == (2, 0)


def test_conway_polynomials() -> None:
    for m in (1, 2, 8, 16, 64, 92, 100, 409):
        assert int(GF2X.conway(m)) == int(galois.conway_poly(2, m))
    for m in (0, 93, 410, 1 << 70):
        with pytest.raises(ValueError, match="no Conway"):
            GF2X.conway(m)


def test_orders_from_tables_and_without() -> None:
    for m in (16, 17):
        F = GF(2, m, GF2X.conway(m))
        every = F(np.arange(1, 3000))
        orders = every.multiplicative_order()
        assert (every**orders == 1).all() and orders.dtype == np.int64
        for p in (3, 5, 17, 257, 131071):
            smaller = orders % p == 0
            assert (every[smaller] ** (orders[smaller] // p) != 1).all()
        logs = every.log()
        assert np.array_equal(F.primitive_element**logs, every)
