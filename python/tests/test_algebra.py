"""Factorisation, roots, composition and power series of GF2X against arithmetic on int, `galois` and `python-flint`."""

from collections.abc import Callable
from typing import Any

import flint
import galois
import pytest
from carryless import GF2X
from hypothesis import given, settings
from hypothesis import strategies as st
from test_gf2x import ends_by_a_signal, mul

small = st.integers(min_value=0, max_value=255)
integers = st.integers(min_value=0, max_value=1 << 200) | small


def remainder(a: int, f: int) -> int:
    while a.bit_length() >= f.bit_length():
        a ^= f << a.bit_length() - f.bit_length()
    return a


def value(a: int, b: int, reduce: Callable[[int], int] = lambda c: c) -> int:
    """a(b) by Horner's rule."""
    result = 0
    for i in reversed(range(a.bit_length())):
        result = reduce(mul(result, b) ^ (a >> i & 1))
    return result


@settings(max_examples=60)
@given(integers.filter(bool))
def test_factors_multiply_to_the_polynomial(a: int) -> None:
    factors = GF2X(a).factor()
    product = 1
    for factor, multiplicity in factors:
        for _ in range(multiplicity):
            product = mul(product, int(factor))
    assert product == a
    assert [factor for factor, _ in factors] == sorted({factor for factor, _ in factors})
    expected = flint.nmod_poly([a >> i & 1 for i in range(a.bit_length())], 2).factor()[1]
    as_int: Callable[[Any], int] = lambda f: sum(int(c) << i for i, c in enumerate(f.coeffs()))
    assert {(int(factor), e) for factor, e in factors} == {(as_int(f), e) for f, e in expected}


@given(small.filter(bool), st.integers(0, 70), st.integers(0, 70))
def test_roots_are_counted(a: int, zeros: int, ones: int) -> None:
    f = a << zeros
    for _ in range(ones):
        f = mul(f, 3)
    expected = []
    for root, linear in ((0, 2), (1, 3)):
        rest, multiplicity = f, 0
        while rest.bit_length() > 1 and remainder(rest, linear) == 0:
            rest, multiplicity = int(GF2X(rest) // GF2X(linear)), multiplicity + 1
        if multiplicity:
            expected.append((root, multiplicity))
    assert GF2X(f).roots() == expected


@given(small, small)
def test_the_resultant_tells_common_factors(a: int, b: int) -> None:
    common = [d for d in range(2, 256) if a and b and remainder(a, d) == 0 == remainder(b, d)]
    assert GF2X(a).resultant(GF2X(b)) == int(bool(a and b and not common))


@given(small, integers, integers.filter(bool))
def test_compositions(a: int, b: int, f: int) -> None:
    assert int(GF2X(a).compose(GF2X(b))) == value(a, b)
    assert int(GF2X(a).compose_mod(GF2X(b), GF2X(f))) == value(a, b, lambda c: remainder(c, f))


@settings(max_examples=40)
@given(small, small.filter(bool))
def test_minimal_polynomials_and_traces(a: int, f: int) -> None:
    reduce: Callable[[int], int] = lambda c: remainder(c, f)
    least = next(m for m in range(1, 512) if value(m, a, reduce) == 0)
    assert int(GF2X(a).min_poly_mod(GF2X(f))) == least
    n = f.bit_length() - 1
    diagonal = [reduce(mul(1 << i, a)) >> i & 1 for i in range(n)]
    assert GF2X(a).trace_mod(GF2X(f)) == sum(diagonal) % 2


@given(integers, integers, st.integers(0, 300))
def test_power_series(a: int, b: int, n: int) -> None:
    low = (1 << n) - 1
    assert int(GF2X(a).mul_trunc(GF2X(b), n)) == mul(a, b) & low
    d = GF2X(b | 1)
    assert mul(int(d.inverse_series(n)), int(d)) & low == 1 & low
    assert mul(int(GF2X(a).div_series(d, n)), int(d)) & low == a & low


def test_irreducible_and_primitive_polynomials_are_those_of_galois() -> None:
    for n in range(2, 25):
        assert int(GF2X.find_irreducible(n)) == int(galois.irreducible_poly(2, n, terms="min")), n
        assert int(GF2X.find_primitive(n)) == int(galois.primitive_poly(2, n, terms="min")), n
    for a in range(4, 600):
        assert GF2X(a).is_primitive() == galois.Poly.Int(a).is_primitive(), a
    assert (GF2X.find_irreducible(1), GF2X.find_primitive(1)) == (GF2X(2), GF2X(3))


def test_what_has_no_answer() -> None:
    zero, one = GF2X(0), GF2X(1)
    none: list[Callable[[], Any]] = [
        zero.factor,
        zero.roots,
        lambda: GF2X(2).inverse_series(5),
        lambda: one.div_series(GF2X(6), 1),
    ]
    for call in none:
        with pytest.raises(ValueError, match=r"^(0 has no factorisation|everything is a root of 0|not invertible.*)$"):
            call()
    modulo_zero: list[Callable[[], Any]] = [
        lambda: one.compose_mod(one, zero),
        lambda: one.min_poly_mod(zero),
        lambda: one.trace_mod(zero),
    ]
    for call in modulo_zero:
        with pytest.raises(ZeroDivisionError):
            call()
    no_order: list[Callable[[], Any]] = [
        lambda: GF2X.find_primitive(0),
        lambda: GF2X.find_primitive(65),
        GF2X((1 << 65) + 1).is_primitive,
    ]
    for call in no_order:
        with pytest.raises(ValueError, match="from 1 to 64"):
            call()
    with pytest.raises(ValueError, match="degree 0"):
        GF2X.find_irreducible(0)
    for n in (1 << 62, 1 << 70):
        with pytest.raises(MemoryError):
            GF2X.find_irreducible(n)
        with pytest.raises(MemoryError):
            one.inverse_series(n)
    with pytest.raises(MemoryError):
        GF2X.from_exponents([1 << 31]).compose(GF2X.from_exponents([1 << 31]))
    with pytest.raises(ValueError, match="negative"):
        one.mul_trunc(one, -1)


def test_a_signal_ends_a_long_search() -> None:
    f = GF2X.from_exponents([400_000, 1279, 216, 3, 0])
    for call in (f.factor, lambda: GF2X.find_irreducible(400_000)):
        ends_by_a_signal(call)
