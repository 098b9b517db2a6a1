"""GF2X against `python-flint`, `galois` and arithmetic on int, bit by bit."""

import pickle
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import flint
import galois
import numpy as np
import pytest
import vectors
from carryless import GF2X
from hypothesis import given, settings
from hypothesis import strategies as st

integers = st.integers(min_value=0, max_value=1 << 700) | st.integers(min_value=0, max_value=70)


def mul(a: int, b: int) -> int:
    product = 0
    for i in range(b.bit_length()):
        product ^= (b >> i & 1) * (a << i)
    return product


@given(integers, integers, integers)
def test_ring(a: int, b: int, c: int) -> None:
    x, y, z = GF2X(a), GF2X(b), GF2X(c)
    assert int(x + y) == int(x - y) == int(x ^ y) == a ^ b
    assert int(x * y) == mul(a, b)
    assert x * (y + z) == x * y + x * z
    assert x.square() == x * x == x**2
    assert -x == +x == x
    assert (x == y) == (a == b) and (x < y) == (a < b) and (x >= y) == (a >= b)
    assert bool(x) == bool(a) and x.degree == a.bit_length() - 1 and x.weight == a.bit_count()
    assert int(x << 77) == a << 77 and int(x >> 13) == a >> 13
    assert x.coefficient(3) == a >> 3 & 1


@given(integers, integers)
def test_division_and_euclid(a: int, b: int) -> None:
    x, y = GF2X(a), GF2X(b)
    if b == 0:
        for operation in (lambda: divmod(x, y), lambda: x // y, lambda: x % y, lambda: pow(x, 3, y), lambda: x.inverse(y)):
            with pytest.raises(ZeroDivisionError):
                operation()
        return
    quotient, rest = divmod(x, y)
    assert (quotient * y + rest == x and rest.degree < y.degree) or y.degree == 0
    assert (x // y, x % y) == (quotient, rest)
    divisor, s, t = x.xgcd(y)
    assert divisor == x.gcd(y) == s * x + t * y
    assert not x % divisor and not y % divisor
    if divisor == GF2X(1):
        assert pow(x, -1, y) * x % y == GF2X(1) % y
    else:
        with pytest.raises(ValueError, match="not invertible"):
            x.inverse(y)


@settings(max_examples=30)
@given(integers, st.integers(0, 40), integers.filter(bool))
def test_powers(a: int, e: int, f: int) -> None:
    expected = GF2X(1)
    for _ in range(e):
        expected = expected * GF2X(a)
    assert GF2X(a) ** e == expected
    assert pow(GF2X(a), e, GF2X(f)) == expected % GF2X(f)


@given(integers)
def test_forms(a: int) -> None:
    x = GF2X(a)
    for same in (
        GF2X(str(x)),
        GF2X(hex(a)),
        GF2X(x),
        GF2X.from_bytes(x.to_bytes()),
        GF2X.from_bytes(memoryview(x.to_bytes() + bytes(9))),
        GF2X.from_exponents(x.exponents()),
        GF2X.from_numpy(x.to_numpy()),
        pickle.loads(pickle.dumps(x)),
        eval(repr(x), {"GF2X": GF2X}),
    ):
        assert same == x and hash(same) == hash(x)
    assert x.reverse(x.degree).reverse(x.degree) == x if a & 1 else True
    assert x.truncate(20) == GF2X(a & 0xFFFFF)
    assert int(x.derivative()) == sum(1 << (i - 1) for i in x.exponents() if i % 2)


@given(integers, integers.filter(bool))
def test_flint_agrees(a: int, b: int) -> None:
    def to_flint(x: GF2X) -> Any:
        return flint.nmod_poly(x.to_numpy().tolist(), 2)

    x, y = GF2X(a), GF2X(b)
    assert to_flint(x * y) == to_flint(x) * to_flint(y)
    assert tuple(map(to_flint, divmod(x, y))) == divmod(to_flint(x), to_flint(y))
    assert to_flint(x.gcd(y)) == to_flint(x).gcd(to_flint(y))


@given(st.integers(2, 1 << 16))
def test_irreducibility_agrees_with_galois(a: int) -> None:
    assert GF2X(a).is_irreducible() == galois.Poly.Int(a).is_irreducible()


def test_vectors_of_irreducibility() -> None:
    tests = [test for test in vectors.tests("gf2m") if "irreducible" in test]
    for test in tests:
        f = GF2X.from_exponents(test["poly"])
        assert f.is_irreducible() == test["irreducible"], test


def test_errors() -> None:
    with pytest.raises(ValueError, match="negative"):
        GF2X(-1)
    with pytest.raises(ValueError, match="not a sum"):
        GF2X("X^2 + Y")
    with pytest.raises(TypeError, match="not of float"):
        GF2X(1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        GF2X(1) + 1  # type: ignore[operator]
    with pytest.raises((MemoryError, OverflowError)):
        GF2X(1) << (1 << 62)
    with pytest.raises((MemoryError, OverflowError)):
        GF2X(2) ** (1 << 70)
    with pytest.raises((MemoryError, OverflowError)):
        GF2X.from_exponents([1 << 62])
    with pytest.raises(ValueError, match="0 and 1"):
        GF2X.from_numpy(np.array([0, 2]))
    with pytest.raises(ValueError):
        GF2X(3) ** -1


def ends_by_a_signal(call: Callable[[], object]) -> None:
    """Ctrl-C after 0.3 s ends a call that would take much longer, in which other threads run."""
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        call()
    timer.join()
    assert time.monotonic() - start < 10


def test_a_signal_ends_products() -> None:
    """Products of 10^8 bits, of which one is not interrupted: within a second on current machines (`examples/measure.py`)."""
    a = GF2X((1 << 10**8) - 1)

    def products() -> None:
        for _ in range(1000):
            a * a

    ends_by_a_signal(products)


def test_a_signal_ends_a_long_call() -> None:
    """10^6 squares of 400,000 bits, and 400,000."""
    f = GF2X.from_exponents([400_000, 1279, 216, 3, 0])
    for call in (lambda: pow(GF2X(2), (1 << 1_000_000) - 1, f), f.is_irreducible):
        ends_by_a_signal(call)
