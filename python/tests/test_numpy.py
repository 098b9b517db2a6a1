"""numpy's functions and operators on arrays of elements, on every axis, with operands of every kind.

The reference is numpy itself on arrays of objects that add and multiply by GF2X, and `galois` wherever it has the function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import galois
import numpy as np
import pytest
from carryless import GF2X, Field, FieldArray
from elements import F8, FIELDS, GALOIS, OTHER, fields, nonzero, outcome, plain, reference

AXES: list[Any] = [None, *range(-4, 5), (0, 1), (1, -1), (0, 0)]
SHAPES: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
    ((3,), (3,)), ((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 3), (3, 2)), ((3, 3), (3, 3)), ((2, 1, 3), (2, 1, 3)), ((2, 2, 3), (2, 3, 2)),
    ((0,), (0,)), ((2, 0), (0, 2)), ((), ()), ((3,), ()),
]  # fmt: skip

# Functions of one or two arrays and an axis.
ONE: dict[str, Callable[[Any, Any], Any]] = {
    "array_split": lambda x, axis: np.array_split(x, 2, axis),
    "atleast_1d": lambda x, axis: np.atleast_1d(x),
    "atleast_2d": lambda x, axis: np.atleast_2d(x),
    "atleast_3d": lambda x, axis: np.atleast_3d(x),
    "broadcast_to": lambda x, axis: np.broadcast_to(x, (4, 2, 3)),
    "concatenate of rows": lambda x, axis: np.concatenate(x, axis),
    "copy": lambda x, axis: np.copy(x),
    "delete": lambda x, axis: np.delete(x, 0, axis),
    "diagonal": lambda x, axis: np.diagonal(x, 0, axis, -1),
    "expand_dims": lambda x, axis: np.expand_dims(x, axis),
    "flip": lambda x, axis: np.flip(x, axis),
    "fliplr": lambda x, axis: np.fliplr(x),
    "flipud": lambda x, axis: np.flipud(x),
    "moveaxis": lambda x, axis: np.moveaxis(x, axis, 0),
    "moveaxis to": lambda x, axis: np.moveaxis(x, 0, axis),
    "ravel": lambda x, axis: np.ravel(x, order="F"),
    "repeat": lambda x, axis: np.repeat(x, 2, axis),
    "repeat each": lambda x, axis: np.repeat(x, [1, 0, 2], axis=axis),
    "reshape": lambda x, axis: np.reshape(x, (-1, 2), order="F"),
    "roll": lambda x, axis: np.roll(x, 1, axis),
    "rot90": lambda x, axis: np.rot90(x, 1, (0, axis)),
    "shape": lambda x, axis: [np.ndim(x), np.size(x, axis), *np.shape(x)],
    "split": lambda x, axis: np.split(x, [1], axis),
    "squeeze": lambda x, axis: np.squeeze(x, axis),
    "stack of rows": lambda x, axis: np.stack(x, axis),
    "swapaxes": lambda x, axis: np.swapaxes(x, axis, 0),
    "cumsum": lambda x, axis: np.cumsum(x, axis),
    "diag": lambda x, axis: np.diag(x, 1),
    "diff": lambda x, axis: np.diff(x, 2, axis),
    "full_like": lambda x, axis: np.full_like(x, x.ravel()[0]),
    "take": lambda x, axis: np.take(x, [0, -1], axis),
    "take one": lambda x, axis: np.take(x, 0, axis=axis),
    "take wrapped": lambda x, axis: np.take(x, [7, -9], axis, mode="wrap"),
    "take_along_axis": lambda x, axis: np.take_along_axis(x, np.zeros(np.shape(x), dtype=int), axis),
    "tile": lambda x, axis: np.tile(x, (2, 1)),
    "transpose": lambda x, axis: np.transpose(x, None if axis is None else (axis, 0)),
    "tril": lambda x, axis: np.tril(x),
    "triu": lambda x, axis: np.triu(x, 1),
    "vstack of rows": lambda x, axis: np.vstack(x),
    # Methods.
    ".T": lambda x, axis: x.T,
    ".transpose": lambda x, axis: x.transpose(axis, 0),
    ".reshape": lambda x, axis: x.reshape(2, -1),
    ".ravel": lambda x, axis: x.ravel(),
    "[axis]": lambda x, axis: x[axis],
    "[..., axis]": lambda x, axis: x[..., axis],
    "[:, axis]": lambda x, axis: x[:, axis],
    "[[0, axis]]": lambda x, axis: x[[0, axis]],
}  # fmt: skip
REDUCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda x, axis: np.sum(x, axis),
    "sum, keepdims": lambda x, axis: np.sum(x, axis=axis, keepdims=True),
    "prod": lambda x, axis: np.prod(x, axis),
    "prod, keepdims": lambda x, axis: np.prod(x, axis=axis, keepdims=True),
    "cumprod": lambda x, axis: np.cumprod(x, axis),
    "trace": lambda x, axis: np.trace(x, 0, axis, -1),
    "add.reduce": lambda x, axis: np.add.reduce(x, axis),
    "multiply.reduce": lambda x, axis: np.multiply.reduce(x, axis, keepdims=True),
    ".sum": lambda x, axis: x.sum(axis),
    ".prod": lambda x, axis: x.prod(axis=axis, keepdims=False),
}
TWO: dict[str, Callable[[Any, Any, Any], Any]] = {
    "append": lambda x, y, axis: np.append(x, y, axis),
    "choose": lambda x, y, axis: np.choose([1, 0, 1], [x, y]),
    "choose, clip": lambda x, y, axis: np.choose([7, 0, -1], (x, y), mode="clip"),
    "column_stack": lambda x, y, axis: np.column_stack((x, y)),
    "concatenate": lambda x, y, axis: np.concatenate([x, y], axis=axis),
    "dstack": lambda x, y, axis: np.dstack([x, y]),
    "hstack": lambda x, y, axis: np.hstack((x, y)),
    "insert": lambda x, y, axis: np.insert(x, 1, y, axis),
    "insert at": lambda x, y, axis: np.insert(x, [0, 1], y, axis),
    "stack": lambda x, y, axis: np.stack((x, y), axis),
    "vstack": lambda x, y, axis: np.vstack([x, y]),
    "where": lambda x, y, axis: np.where([True, False, True], x, y),
    "where, one": lambda x, y, axis: np.where(False, x, y),
}
ARITHMETIC: dict[str, Callable[[Any, Any, Any], Any]] = {
    "+": lambda x, y, axis: x + y,
    "-": lambda x, y, axis: x - y,
    "*": lambda x, y, axis: x * y,
    "/": lambda x, y, axis: x / y,
    "@": lambda x, y, axis: x @ y,
    "==": lambda x, y, axis: x == y,
    "!=": lambda x, y, axis: x != y,
    "dot": lambda x, y, axis: np.dot(x, y),
    "add": lambda x, y, axis: np.add(x, y),
    "multiply": lambda x, y, axis: np.multiply(x, y),
    "matmul": lambda x, y, axis: np.matmul(x, y),
    "array_equal": lambda x, y, axis: np.array_equal(x, y),
    "convolve": lambda x, y, axis: np.convolve(x, y),
    "kron": lambda x, y, axis: np.kron(x, y),
    "outer": lambda x, y, axis: np.outer(x, y),
    "add.outer": lambda x, y, axis: np.add.outer(x, y),
    "multiply.outer": lambda x, y, axis: np.multiply.outer(x, y),
}
# They have no axis, so that they run once.
WITHOUT_AXIS = {"choose", "choose, clip", "column_stack", "dstack", "hstack", "vstack", "where", "where, one", *ARITHMETIC}
# Functions that write to an array, which the reference and ours return here.
WRITTEN: dict[str, Callable[[Any, Any], Any]] = {
    "put": lambda x, y: np.put(x, [2, -3], y),
    "put, clip": lambda x, y: np.put(x, [7, 0], y, mode="clip"),
    "copyto": lambda x, y: np.copyto(x, y),
    "copyto, where": lambda x, y: np.copyto(x, y, where=[True, False, True]),
    "[...] =": lambda x, y: x.__setitem__(Ellipsis, y),
    "[0] =": lambda x, y: x.__setitem__(0, y),
    "[..., 1:] =": lambda x, y: x.__setitem__((Ellipsis, slice(1, None)), y),
    "[mask] =": lambda x, y: x.__setitem__(np.ones(np.shape(x), dtype=bool), y),
    "+=": lambda x, y: x.__iadd__(y),
    "*=": lambda x, y: x.__imul__(y),
}


def forms(array: FieldArray) -> Iterator[tuple[str, Any]]:
    """The same elements in every form that may be combined with an array."""
    yield "elements", array
    if 0 not in array.shape[:-1]:
        # Nested lists have no other shapes.
        yield "list", array.tolist()
    yield "integers", array.to_numpy()
    yield "objects", array.to_numpy().astype(object)
    if array.ndim and len(array):
        yield "list of arrays", list(array)
    elif array.ndim == 0:
        yield "GF2X", GF2X(int(array))
        if array.field.degree <= 64:
            yield "integer of numpy", np.uint64(int(array))


OF_ANOTHER_FIELD: list[Any] = [OTHER([1, 2, 3]), OTHER(1), [OTHER(1), 2, 3], ([OTHER(1)],), galois.GF(2**4)([1, 2, 3])]
NO_ELEMENTS: list[Any] = [
    None, "5", b"1", 1.5, 1j, [0.5], ["1"], [None, 1], np.zeros(3), np.array(["1"]), np.ma.masked_array([1, 2, 3], [False, True, False]), object(), {1: 2}, F8.poly([1]), F8,
]  # fmt: skip


@fields
@pytest.mark.parametrize("name", [*ONE, *REDUCTIONS])
def test_one_array(F: Field, name: str) -> None:
    call = (ONE | REDUCTIONS)[name]
    for (shape, _), axis in product(SHAPES, AXES):
        a = nonzero(F, shape, 1)
        expected, found = outcome(lambda: call(reference(F, a), axis)), outcome(lambda: call(a, axis))
        assert found == expected, (shape, axis)
        if F is F8:
            agrees_with_galois(lambda: call(a.to_galois(GALOIS), axis), found, (name, shape, axis))


def agrees_with_galois(call: Callable[[], Any], found: Any, where: Any) -> None:
    expected = outcome(call)
    assert isinstance(expected, type) or expected == found, where


@fields
@pytest.mark.parametrize("name", [*TWO, *ARITHMETIC])
def test_two_arrays(F: Field, name: str) -> None:
    call = (TWO | ARITHMETIC)[name]
    for (left, right), axis in product(SHAPES, AXES[:1] if name in WITHOUT_AXIS else AXES):
        a, b = nonzero(F, left, 1), nonzero(F, right, 2)
        a.ravel()[:1] = b.ravel()[:1]
        expected = outcome(lambda: call(reference(F, a), reference(F, b), axis))
        for form, other in forms(b):
            assert outcome(lambda: call(a, other, axis)) == expected, (left, right, axis, form)
        for form, other in forms(a):
            if name not in ("@", "matmul", "dot") or form in ("elements", "integers"):
                assert outcome(lambda: call(other, b, axis)) == expected, (form, left, right, axis)
        if F is F8:
            agrees_with_galois(lambda: call(a.to_galois(GALOIS), b.to_galois(GALOIS), axis), expected, (name, left, right, axis))


@fields
@pytest.mark.parametrize("name", WRITTEN)
def test_writing(F: Field, name: str) -> None:
    call = WRITTEN[name]
    for left, right in SHAPES:
        a, b = nonzero(F, left, 1), nonzero(F, right, 2)
        expected = reference(F, a)
        result = outcome(lambda: call(expected, reference(F, b)))
        for form, other in forms(b):
            found = a.copy()
            assert isinstance(result, type) == isinstance(outcome(lambda: call(found, other)), type), (left, right, form)
            assert isinstance(result, type) or plain(found) == plain(expected), (left, right, form)


@pytest.mark.parametrize("name", [*TWO, *ARITHMETIC, *WRITTEN])
def test_what_is_no_element_is_a_type_error(name: str) -> None:
    """Comparisons refuse elements of another field only."""
    for F, wrong in product(
        FIELDS, OF_ANOTHER_FIELD if name in ("==", "!=", "array_equal") else [*OF_ANOTHER_FIELD, *NO_ELEMENTS]
    ):
        a = F([1, 2, 3])
        if name in WRITTEN:
            assert outcome(lambda: WRITTEN[name](a.copy(), wrong)) is TypeError, (F, wrong)
            continue
        call = (TWO | ARITHMETIC)[name]
        assert outcome(lambda: call(a, wrong, 0)) is TypeError, (F, wrong)
        # An array of galois that comes first decides, and raises what it likes.
        refused = outcome(lambda: call(wrong, a, 0))
        assert refused is TypeError or (isinstance(wrong, galois.FieldArray) and isinstance(refused, type)), (F, wrong)
