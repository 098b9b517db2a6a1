"""Single elements against arrays of one."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from carryless import GF, GF2X, Element, Field

FIELDS = [GF(2), GF(2, 8, 0x11B), GF(2, 64), GF(2, 233), GF(2, 1279)]
fields = pytest.mark.parametrize("F", FIELDS, ids=lambda F: str(F.degree))


@fields
def test_operators_are_those_of_arrays(F: Field) -> None:
    values = [0, 1, *F.random(6, 1).tolist(), F.order - 1]
    for x in values:
        a, one = F.element(x), F([x])
        assert int(a) == x and bool(a) == bool(x) and a == x and hash(a) == hash(x) and a.field == F and type(a) is Element
        assert (
            int(a.square()) == one.square().tolist()[0]
            and int(a.sqrt()) == one.sqrt().tolist()[0]
            and a.trace() == one.trace()[0]
        )
        assert -a == +a == a == F.element(GF2X(x)) == F.element(a) and pickle.loads(pickle.dumps(a)) == a
        for e in (0, 1, 5, 1 << 70, np.int64(3)):
            assert int(a**e) == (one**e).tolist()[0]
        if x:
            assert int(a.inv()) == one.inv().tolist()[0] and a**-3 == 1 / a / a / a
        for y in values:
            b, other = F.element(y), F([y])
            for form in (b, y, GF2X(y)):
                assert int(a + form) == int(form + a if form is b else a - form) == (one + other).tolist()[0]
                assert int(a * form) == (one * other).tolist()[0]
                if y:
                    assert int(a / form) == (one / other).tolist()[0]
            assert int(y * a) == int(a * y) and (a == b) == (x == y) and (a != y) == (x != y)
            assert (one + b).tolist() == (b + one).tolist() == (one + other).tolist() and (one * b).tolist() == (
                one * other
            ).tolist()
    assert F([F.element(1), 0]).tolist() == [1, 0] and F.element(F(1)) == 1
    assert eval(repr(F.element(1)), {"GF": GF}) == 1


@fields
def test_inverses_one_by_one_are_those_of_an_array(F: Field) -> None:
    # After some hundred the field inverts by matrices.
    values = F.random(600, 2)
    values[values.is_zero()] = 1
    assert [int(F.element(x).inv()) for x in values.tolist()] == values.inv().tolist()


def test_what_is_refused() -> None:
    F, other = GF(2, 8), GF(2, 9)
    a = F.element(3)
    # The types of `pow` know no modulus here.
    power: Any = pow
    types: list[Callable[[], Any]] = [
        lambda: a + other.element(3), lambda: a * other.element(3), lambda: a + 1.5, lambda: a * "3", lambda: a + None, lambda: a**1.5, lambda: power(a, 2, 5), lambda: 2**a,  # type: ignore[operator]
        lambda: F.element(1.0), lambda: F.element(other.element(3)), lambda: F([other.element(3)]), lambda: F([1]) + other.element(1), lambda: a < a, lambda: [1, 2][a],  # type: ignore[operator, call-overload]
    ]  # fmt: skip
    for call in types:
        with pytest.raises(TypeError):
            call()
    values: list[Callable[[], Any]] = [
        lambda: a + 256,
        lambda: a * -1,
        lambda: F.element(256),
        lambda: a * GF2X(1 << 80),
        lambda: F.element(-1),
    ]
    for call in values:
        with pytest.raises(ValueError):
            call()
    for call in (
        lambda: F.element(0).inv(),
        lambda: a / 0,
        lambda: a / F.element(0),
        lambda: 1 / F.element(0),
        lambda: F.element(0) ** -1,
    ):
        with pytest.raises(ZeroDivisionError):
            call()
    assert a != other.element(3) and a != "3" and a != None and a != 1 << 300  # noqa: E711
