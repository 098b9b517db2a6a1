"""numpy's functions and operators on arrays of elements: outputs, options, comparisons, messages, exponents."""

# Most calls are what types refuse.
# mypy: ignore-errors

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np
import pytest
from carryless import GF, GF2X, Field, FieldArray
from elements import F8, FIELDS, GALOIS, NP, OTHER, fields, nonzero, outcome, plain, reference


def test_comparisons_do_not_raise() -> None:
    for F in FIELDS:
        a = F([1, 2, 3])
        for wrong in (None, "a", b"a", 1 << 300, -1, 256.5, object(), {}, mock.sentinel.x):
            assert (a == wrong).tolist() == [False] * 3 and (a != wrong).tolist() == [True] * 3, wrong
            assert wrong not in a and not np.array_equal(a, wrong)
        assert (a == [1, 1 << 300, None]).tolist() == [True, False, False] and (a != ["1", 2, 3]).tolist() == [True, False, False]
        assert (a == mock.ANY).all() and 2 in a and F(2) in a and 4 not in a
        assert bool(F(1) == 1) and F(1) != None  # noqa: E711
        with pytest.raises(ValueError, match=r"\(3,\).*\(2,\)"):
            NP.equal(a, [1, 2])

    @dataclass
    class Record:
        element: FieldArray | None

    assert Record(F8(1)) != Record(None) and Record(F8(1)) == Record(F8(1))
    called = mock.Mock()
    called(F8(3))
    called.assert_called_with(F8(3))
    with pytest.raises(AssertionError):
        called.assert_called_with("x")
    for value in (F8, F8.poly([1]), GF2X(1)):
        assert value == mock.ANY and value != 1 and value != None  # noqa: E711


def results(F: Field) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Calls that take `out`."""
    a, b = nonzero(F, (2, 3), 1), nonzero(F, (2, 3), 2)
    c = (a * a + a).copy()
    calls: dict[str, Callable[[Any], Any]] = {
        "concatenate": lambda out: NP.concatenate([a, b], out=out), "concatenate, positional": lambda out: NP.concatenate([a, b], 1, out),
        "stack": lambda out: NP.stack([a, b], out=out), "take": lambda out: NP.take(a, [1, 0, 1], axis=1, out=out),
        "choose": lambda out: NP.choose([1, 0, 1], [a, b], out=out), "sum": lambda out: NP.sum(a, axis=0, out=out),
        "sum, positional": lambda out: NP.sum(a, 1, None, out), "prod": lambda out: NP.prod(a, axis=0, out=out, keepdims=True), "dot": lambda out: NP.dot(a, b.T, out),
        "dot of stacks": lambda out: NP.dot(a, F.ones((2, 3, 2)), out=out), ".dot": lambda out: a.dot(b.T, out), ".sum": lambda out: a.sum(out=out),
        "+": lambda out: NP.add(a, b, out=out), "*": lambda out: NP.multiply(a, b, out=out), "/": lambda out: NP.divide(a, b, out=out), "@": lambda out: NP.matmul(a, b.T, out=out),
        "**": lambda out: NP.power(a, 3, out=out), "-": lambda out: NP.negative(a, out=out), "square": lambda out: NP.square(a, out=out), "sqrt": lambda out: NP.sqrt(a, out=out),
        "reciprocal": lambda out: NP.reciprocal(a, out=out), ".inv": lambda out: a.inv(out), ".frobenius": lambda out: a.frobenius(3, out), ".power": lambda out: a.power(-3, out),
        ".sqrt": lambda out: a.sqrt(out), ".square": lambda out: a.square(out), ".solve": lambda out: c.solve(out),
    }  # fmt: skip
    yield from calls.items()


@fields
def test_outputs_are_written_or_refused(F: Field) -> None:
    for name, call in results(F):
        expected = call(None)
        out = F.zeros(expected.shape)
        assert call(out) is out and np.array_equal(out, expected), name
        strided = F.zeros((*expected.shape, 2))[..., 0]
        assert call(strided) is strided and np.array_equal(strided, expected), name
        for wrong in (expected.to_numpy(), OTHER.zeros(expected.shape), expected.tolist(), 5, "out"):
            assert outcome(lambda: call(wrong)) is TypeError, (name, wrong)
        # numpy's choose raises TypeError.
        assert outcome(lambda: call(F.zeros((5, *expected.shape)))) in (ValueError, TypeError), name
        frozen = F.zeros(expected.shape)
        frozen.words.flags.writeable = False
        assert outcome(lambda: call(frozen)) is ValueError and not frozen.words.any(), name


def test_arguments_are_right_or_named() -> None:
    a = F8([[1, 2, 3], [4, 5, 6]])
    for call, name in (
        (lambda: np.sum(a, dtype=np.uint8), "dtype"), (lambda: np.sum(a, initial=1), "initial"), (lambda: NP.sum(a, where=[True, False, True]), "where"), (lambda: NP.prod(a, 0, np.uint8), "dtype"),
        (lambda: NP.prod(a, initial=2), "initial"), (lambda: np.concatenate([a, a], dtype=np.uint8), "dtype"), (lambda: np.concatenate([a, a], casting="unsafe"), "casting"),
        (lambda: np.stack([a, a], dtype=int), "dtype"), (lambda: np.vstack([a, a], casting="unsafe"), "casting"), (lambda: np.broadcast_to(a, (2, 2, 3), subok=True), "subok"),
        (lambda: NP.add(a, a, where=[True, False, True]), "where"), (lambda: NP.multiply(a, a, dtype=np.uint64), "dtype"), (lambda: NP.add(a, a, casting="unsafe"), "casting"),
        (lambda: NP.matmul(a, a.T, axes=[(0, 1), (0, 1), (0, 1)]), "axes"), (lambda: NP.matmul(a, a.T, order="F"), "order"), (lambda: np.zeros_like(a, dtype=int), "dtype"),
        (lambda: np.ones_like(a, shape=(1,)), "shape"), (lambda: np.copy(a, subok=True), "subok"), (lambda: NP.array_equal(a, a, equal_nan=True), "equal_nan"),
        (lambda: np.copyto(a, a, casting="unsafe"), "casting"), (lambda: NP.equal(a, a, out=np.zeros((2, 3), bool)), "out"), (lambda: NP.not_equal(a, a, out=a), "out"),
        (lambda: np.where(a, 1, 2), "condition"), (lambda: np.where(a), "condition"), (lambda: np.take(a, a), "indices"), (lambda: np.roll(a, F8(1)), "shift"),
        (lambda: np.tile([1], F8(2)), "reps"), (lambda: np.insert(a, F8(0), 1), "obj"), (lambda: np.choose(F8([0]), [a]), "a takes no elements"),
        (lambda: np.put(np.zeros(3, int), [0], F8(1)), "a is a FieldArray"), (lambda: np.copyto(np.zeros(3, int), F8(1)), "dst is a FieldArray"), (lambda: np.roll(a, 1, axis=F8(0)), "axis"),
        (lambda: np.reshape(a, [F8(3), 2]), "shape"), (lambda: NP.sum(a, axis=F8(0)), "axis"), (lambda: np.atleast_1d(a, a), "number 2"),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=name):
            call()
    assert np.array_equal(np.sum(a, None, None), a.sum()) and np.array_equal(
        np.concatenate([a, a], dtype=None), np.vstack([a, a])
    )
    for refused in (
        lambda: np.median(a), lambda: np.linalg.eig(a), lambda: np.sort(a), lambda: np.mean(a), lambda: np.add.reduceat(a, [0]), lambda: np.maximum.reduce(a), lambda: NP.less(a, a),
        lambda: np.asarray(a), lambda: np.array([a, a]), lambda: np.sum([a, a]), lambda: NP.add([a], [a]), lambda: np.arange(9)[a], lambda: np.take([1, 2], a), lambda: np.repeat(5, F8(2)), lambda: [1, 2][F8(1)], 
        lambda: a[F8(1)], lambda: NP.exp(a), lambda: np.random.default_rng(1).permutation(a), lambda: 2**a, lambda: a**2.0, lambda: a ** [1.0, 2, 3], lambda: np.add.reduce(a, initial=1), lambda: np.pad(a, 1, "mean"), lambda: GALOIS([1, 2, 3]) + OTHER([1, 2, 3]),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            refused()
    with pytest.raises(ValueError):
        NP.zeros(3)[0] = F8(1)


def test_single_elements_are_values() -> None:
    """`a[i]` is a copy, as numpy's scalars are: exchanges and shuffles need it."""
    for F in FIELDS:
        a = F(list(range(4)))
        a[0], a[3] = a[3], a[0]
        assert a.tolist() == [3, 1, 2, 0]
        random.Random(1).shuffle(a)
        assert sorted(a.tolist()) == [0, 1, 2, 3]
        first, view = a[0], a[0, ...]
        before = int(first)
        a[0] = 9
        assert (int(first), int(view)) == (before, 9)
        assert [int(x) for x in a] == a.tolist()


def test_arrays_of_galois() -> None:
    x, same, other = GALOIS([1, 2, 3]), F8([1, 2, 3]), GF(2, 8, 0x11B)
    assert np.array_equal(F8(x), same) and np.array_equal(same + x, F8.zeros(3)) and np.array_equal(F8([x, [4, 5, 6]])[0], same)
    for refused in (
        lambda: other(x),
        lambda: other([1, 2, 3]) + x,
        lambda: other([x, [1, 2, 3]]),
        lambda: np.concatenate([other([1]), x]),
    ):
        with pytest.raises(TypeError, match="another field"):
            refused()


def test_shapes_in_messages_are_those_of_the_elements() -> None:
    a, b = GF(2, 100)([1, 2]), GF(2, 100)([1, 2, 3])
    for call in (
        lambda: a + b, lambda: a * b, lambda: a / b, lambda: a == b, lambda: a @ b, lambda: NP.add(a, a, out=b), lambda: NP.multiply(a, a, out=b), lambda: np.where([True, False], a, b),
        lambda: a.__setitem__(slice(None), b), lambda: a.reshape(3), lambda: NP.dot(a, b),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"2.*3|3.*2") as caught:
            call()
        assert ",2)" not in str(caught.value) and ", 2)" not in str(caught.value)
    with pytest.raises(IndexError, match="1-dimensional, but 2 were indexed"):
        a[0, 0]
    with pytest.raises(np.exceptions.AxisError, match="axis 1 is out of bounds for array of dimension 1"):
        a.sum(axis=1)


def test_exponents() -> None:
    for F in FIELDS:
        a = nonzero(F, (5,), 1)
        for k in (0, 1, F.degree, 1 << 200, -1, -(1 << 200), (1 << 64) - 1, np.uint8(200), np.int64(-3), True):
            expected = a.copy()
            for _ in range(int(k) % F.degree):
                expected = expected.square()
            assert np.array_equal(a.frobenius(k), expected), k
        for e in (0, 1, F.order - 1, F.order, 1 << 3000, -1, -(1 << 3000) - 7, np.uint8(200), np.int64(-3), True):
            expected = pow(reference(F, a), int(e) % (F.order - 1))
            assert plain(a.power(e)) == plain(a**e) == plain(np.power(a, e)) == plain(expected), e
        zero = F([0])
        assert (zero**0).tolist() == [1] and (zero ** (F.order - 1)).tolist() == [0] == (zero ** (1 << 3000)).tolist()
        with pytest.raises(ZeroDivisionError):
            zero ** -(1 << 3000)
        for wrong in (1.0, None, "1", F(1)):
            for call in (lambda: a.frobenius(wrong), lambda: a.power(wrong), lambda: a**wrong):
                with pytest.raises(TypeError):
                    call()
        for exponents in (
            [3, 0, -5, 1, 1 << 70],
            np.arange(5),
            np.array(-2),
            [[7], [8]],
            np.uint8([255] * 5),
            [F.order - 1] * 5,
            [F.order] * 5,
        ):
            several, expected = np.asarray(exponents, dtype=object), reference(F, a)
            powers = [x ** (int(e) % (F.order - 1)) for x, e in np.broadcast(expected, several)]
            found = a**exponents
            assert found.shape == np.broadcast_shapes((5,), several.shape) and found.ravel().tolist() == [x.value for x in powers]
        assert (F([0, 0, 5]) ** [0, F.order - 1, 0]).tolist() == [1, 0, 1] and (F(3) ** [1, 2]).tolist() == [3, 5]
        with pytest.raises(ZeroDivisionError):
            F([0, 1]) ** [-1, 1]
        with pytest.raises(ValueError):
            a ** [1, 2]
        for wrong in ([1.0], ["1"], [None], np.array([1.5] * 5)):
            with pytest.raises(TypeError):
                a**wrong


@fields
def test_functions_of_numpy_that_compute(F: Field) -> None:
    a, b = nonzero(F, (7,), 1), nonzero(F, (3,), 2)
    x, y = reference(F, a), reference(F, b)
    for mode in ("full", "same", "valid"):
        assert plain(np.convolve(a, b, mode)) == plain(np.convolve(b, a, mode)) == plain(np.convolve(x, y, mode)), mode
    rows, stack = nonzero(F, (2, 3), 3), nonzero(F, (3, 4, 2), 4)
    for axes in (0, 1, ([0], [2]), ([1, 0], [0, 2]), (1, 0), (-1, 0)):
        found = outcome(lambda: np.tensordot(rows, stack, axes))
        assert found == outcome(lambda: np.tensordot(reference(F, rows), reference(F, stack), axes)), axes
    assert np.array_equal(np.vdot(rows, rows), (rows * rows).sum())
    # galois has the shape of a product element by element.
    assert np.array_equal(np.inner(rows, rows), rows @ rows.T)
    for axis in (0, 1, -1):
        assert np.array_equal(np.add.accumulate(rows, axis), np.cumsum(rows, axis))
        assert np.array_equal(np.multiply.accumulate(rows, axis), np.cumprod(rows, axis))
    for widths in (1, (1, 2), ((1, 2), (0, 3))):
        for mode in ("constant", "edge", "reflect", "symmetric", "wrap"):
            numbers = np.arange(1, 7).reshape(2, 3)
            assert np.pad(F(numbers), widths, mode).tolist() == np.pad(numbers, widths, mode).tolist()
    assert np.pad(b, 1, constant_values=7).tolist() == [7, *b.tolist(), 7]
    some = F([[3, 0, 5], [0, 3, 3]])
    numbers = some.to_numpy().astype(object)
    for name in ("any", "all", "nonzero", "count_nonzero", "argwhere", "flatnonzero"):
        assert np.array_equal(getattr(np, name)(some), getattr(np, name)(numbers.astype(bool)))
    assert np.any(some, axis=0).tolist() == [True] * 3 and np.count_nonzero(some, 1).tolist() == [2, 2]
    values, where, counts = np.unique(some, return_inverse=True, return_counts=True)
    assert (
        values.tolist() == [0, 3, 5]
        and values.field == F
        and counts.tolist() == [2, 3, 1]
        and np.array_equal(values[where].reshape(2, 3), some)
    )
    assert np.unique(some).tolist() == [0, 3, 5] and np.isin(some, [3, 5]).tolist() == [[True, False, True], [False, True, True]]
    assert (
        np.isin(some, 0, invert=True).tolist() == np.isin(some, [3, 5]).tolist()
        and np.array_equiv(some, some)
        and not np.array_equiv(some, 1)
    )
    assert np.vander(F([1, 2]), 3).tolist() == [[1, 1, 1], [4, 2, 1]] and np.vander(F([2, 3]), increasing=True).tolist() == [
        [1, 2],
        [1, 3],
    ]
    assert np.array_repr(some) == repr(some) and np.array_str(some) == str(some) and np.empty_like(some).shape == (2, 3)
    assert some.flatten("F").tolist() == [3, 0, 0, 3, 5, 3] and (
        some.item(2),
        some.item(0, 2),
        some.item((1, 1)),
        F(5).item(),
    ) == (5, 5, 3, 5)
    for function, reason in (
        (lambda: np.sort(a), "no order"), (lambda: np.mean(a), "characteristic 2"), (lambda: np.save("file", a), "from_words"), (lambda: np.linalg.svd(a), "no numbers"),
        (lambda: np.histogram2d(a, a), "to_numpy"),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=reason):
            function()
    if F is F8:
        for n in (3, 5, 15, 255):
            signal = nonzero(F, (n,), n)
            assert np.fft.fft(signal).tolist() == np.fft.fft(signal.to_galois(GALOIS)).tolist()
            assert np.array_equal(np.fft.ifft(np.fft.fft(signal)), signal)
        assert np.fft.fft(nonzero(F, (2, 4), 1), 5, 0).shape == (5, 4)
        with pytest.raises(ValueError, match="order 4"):
            np.fft.fft(F([1, 2, 3, 4]))
