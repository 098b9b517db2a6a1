"""Functions of numpy that compute with elements, each as numpy defines it, and the reasons why others cannot."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

if TYPE_CHECKING:
    from .arrays import FieldArray
    from .fields import Field

# The types of numpy's functions know its own arrays only.
NP: Any = np


def of_nonzero(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of truth values, given where elements are not 0."""
    return lambda field, a, *args, **kwargs: function(~a.is_zero(), *args, **kwargs)


def of_integers(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of integers, given those of the elements."""
    return lambda field, a, *args, **kwargs: function(a.to_numpy(), *args, **kwargs)


def outer(field: Field, a: FieldArray, b: FieldArray, out: FieldArray | None = None) -> FieldArray:
    return _protocol.deliver(a.reshape(-1, 1) * b.reshape(1, -1), out)


def inner(field: Field, a: FieldArray, b: FieldArray) -> FieldArray:
    return _protocol.dot(a, NP.moveaxis(b, -1, -2) if b.ndim > 1 else b, None)


def vdot(field: Field, a: FieldArray, b: FieldArray) -> FieldArray:
    return _protocol.matmul(a.ravel(), b.ravel(), None)


def kron(field: Field, a: FieldArray, b: FieldArray) -> FieldArray:
    axes = max(a.ndim, b.ndim)
    left = (1,) * (axes - a.ndim) + a.shape
    right = (1,) * (axes - b.ndim) + b.shape
    # Axes of `a` and of `b` in turn.
    spread: FieldArray = a.reshape([n for size in left for n in (size, 1)]) * b.reshape([n for size in right for n in (1, size)])
    return spread.reshape([m * n for m, n in zip(left, right)])


def tensordot(field: Field, a: FieldArray, b: FieldArray, axes: Any = 2) -> FieldArray:
    try:
        first, second = axes
    except TypeError:
        first, second = range(-axes, 0), range(axes)
    left = np.lib.array_utils.normalize_axis_tuple(first, a.ndim)
    right = np.lib.array_utils.normalize_axis_tuple(second, b.ndim)
    if [a.shape[i] for i in left] != [b.shape[i] for i in right]:
        raise ValueError(f"shapes {a.shape} and {b.shape} do not fit along the axes")
    over = math.prod(a.shape[i] for i in left)
    x = NP.moveaxis(a, left, range(a.ndim - len(left), a.ndim))
    y = NP.moveaxis(b, right, range(len(right)))
    rest = x.shape[: a.ndim - len(left)] + y.shape[len(right) :]
    rows, columns = math.prod(x.shape[: a.ndim - len(left)]), math.prod(y.shape[len(right) :])
    return _protocol.matmul(x.reshape(rows, over), y.reshape(over, columns), None).reshape(rest)


def convolve(field: Field, a: FieldArray, v: FieldArray, mode: str = "full") -> FieldArray:
    x, y = (part.reshape(1) if part.ndim == 0 else part for part in (a, v))
    if x.ndim != 1 or y.ndim != 1 or not x.size or not y.size:
        raise ValueError("convolve takes two arrays of one axis, not empty")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"mode is 'full', 'same' or 'valid', not {mode!r}")
    long, short = max(len(x), len(y)), min(len(x), len(y))
    full = field.zeros(long + short - 1)
    product = field.poly(x) * field.poly(y)
    full[: product.degree + 1] = product.coefficients
    start = {"full": 0, "same": (short - 1) // 2, "valid": short - 1}[mode]
    return full[start : start + {"full": len(full), "same": long, "valid": long - short + 1}[mode]].copy()


def trace(
    field: Field, a: FieldArray, offset: int = 0, axis1: int = 0, axis2: int = 1, out: FieldArray | None = None
) -> FieldArray:
    diagonal: FieldArray = NP.diagonal(a, offset, axis1, axis2)
    return diagonal.sum(axis=-1, out=out)


def cumsum(field: Field, a: FieldArray, axis: Any = None, out: FieldArray | None = None) -> FieldArray:
    return accumulate(field, np.add, a, axis, out)


def cumprod(field: Field, a: FieldArray, axis: Any = None, out: FieldArray | None = None) -> FieldArray:
    return accumulate(field, np.multiply, a, axis, out)


def accumulate(field: Field, ufunc: np.ufunc, a: FieldArray, axis: Any, out: FieldArray | None = None) -> FieldArray:
    """Sums or products of 1, 2, 3 and so on elements along an axis, by log2(n) operations on the whole array."""
    # numpy lets a single element have the axis 0.
    array = a.ravel() if axis is None or a.ndim == 0 else a
    place = np.lib.array_utils.normalize_axis_index(0 if axis is None else operator.index(axis), array.ndim)
    items = NP.moveaxis(array, place, 0).copy()
    step = 1
    while step < len(items):
        items[step:] = ufunc(items[step:], items[:-step])
        step *= 2
    return _protocol.deliver(NP.moveaxis(items, 0, place), out)


def diff(field: Field, a: FieldArray, n: int = 1, axis: int = -1) -> FieldArray:
    if n < 0:
        raise ValueError(f"n is a number of differences from 0 on, not {n}")
    if a.ndim == 0:
        raise ValueError("diff takes an array of one axis or more")
    place = np.lib.array_utils.normalize_axis_index(operator.index(axis), a.ndim)
    items = NP.moveaxis(a, place, 0)
    for _ in range(n):
        items = items[1:] + items[:-1]
    result: FieldArray = NP.moveaxis(items, 0, place)
    return result


def vander(field: Field, x: FieldArray, N: int | None = None, increasing: bool = False) -> FieldArray:
    if x.ndim != 1:
        raise ValueError("vander takes an array of one axis")
    columns = len(x) if N is None else N
    powers = field.ones((len(x), columns))
    powers[:, 1:] = x.reshape(-1, 1)
    rising = accumulate(field, np.multiply, powers, 1)
    return rising if increasing else rising[:, ::-1].copy()


def unique(
    field: Field, ar: FieldArray, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False
) -> Any:
    found = NP.unique(ar.to_numpy(), return_index, return_inverse, return_counts)
    return (field(found[0]), *found[1:]) if isinstance(found, tuple) else field(found)


def isin(field: Field, element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    return np.isin(element.to_numpy(), test_elements.to_numpy(), assume_unique, invert)


def pad(
    field: Field, array: FieldArray, pad_width: Any, mode: str = "constant", constant_values: Any = 0, reflect_type: str = "even"
) -> FieldArray:
    """numpy moves places, and place 0 is the element of the edge."""
    if mode not in ("constant", "edge", "reflect", "symmetric", "wrap") or reflect_type != "even":
        raise TypeError(f"numpy.pad of elements: mode {mode!r} computes with integers")
    constant = field._element(constant_values)
    if constant.size != 1:
        raise TypeError("numpy.pad of elements takes one constant")
    places = np.arange(1, array.size + 1).reshape(array.shape)
    every = NP.concatenate([constant.reshape(1), array.ravel()])
    result: FieldArray = every[np.pad(places, pad_width, mode)]  # type: ignore[call-overload]
    return result


def join_conjugates(a: FieldArray, degree: SupportsIndex, join: Callable[[Any, Any], Any]) -> FieldArray:
    """The conjugates a^(2^(degree i)) of each element over the subfield of this degree, joined by an operation."""
    d = operator.index(degree)
    if d < 1 or a.field.degree % d:
        raise ValueError(f"subfields have degrees that divide {a.field.degree}, not {d}")
    result = conjugate = a.copy()
    for _ in range(a.field.degree // d - 1):
        conjugate = conjugate.frobenius(d)
        result = join(result, conjugate)
    return result


def full_like(field: Field, a: FieldArray, fill_value: FieldArray) -> FieldArray:
    result: FieldArray = NP.broadcast_to(fill_value, a.shape).copy()
    return result


def fft(field: Field, a: FieldArray, n: int | None = None, axis: int = -1, inverse: bool = False) -> FieldArray:
    """The values of polynomials, with coefficients along an axis, at the powers of an element of order n: n^2 products each."""
    rows = NP.moveaxis(a, axis, -1)
    length = rows.shape[-1] if n is None else n
    if length < 1 or (field.order - 1) % length:
        raise ValueError(f"no element has the order {length}: it divides 2^{field.degree} - 1")
    known = field.zeros((*rows.shape[:-1], length))
    known[..., : rows.shape[-1]] = rows[..., :length]
    # 1 / n is 1: n is odd.
    root = field.primitive_element.power((-1 if inverse else 1) * (field.order - 1) // length)
    powers = vander(field, NP.broadcast_to(root, (length,)).copy(), length, True)[0]
    places = np.outer(np.arange(length), np.arange(length)) % length
    result: FieldArray = NP.moveaxis(known @ powers[places], -1, axis)
    return result


def ifft(field: Field, a: FieldArray, n: int | None = None, axis: int = -1) -> FieldArray:
    return fft(field, a, n, axis, True)


_ORDER = "elements have no order: to_numpy() makes integers"
_COUNT = "a mean divides by a count, which is 0 or 1 in characteristic 2"
_FILE = "save and load a.words, from which F.from_words makes elements"
_NUMBERS = "elements are no numbers"
# Names of functions that have a reason of their own.
_REASONS: dict[str, str] = {
    "sort argsort max min amax amin argmax argmin partition argpartition searchsorted lexsort ptp clip digitize histogram": _ORDER,
    "median percentile quantile nanmedian": _ORDER,
    "mean average std var cov corrcoef": _COUNT,
    "save savez savez_compressed savetxt": _FILE,
    "eig eigh eigvals eigvalsh svd qr cholesky norm cond lstsq pinv": _NUMBERS,
    "real imag angle isreal iscomplex isclose allclose round around fix nan_to_num interp": _NUMBERS,
}


def refusal(function: Callable[..., Any]) -> TypeError:
    """The error for a function that takes no elements."""
    name = function.__name__
    found = (reason for names, reason in _REASONS.items() if name in names.split())
    reason = next(found, "a.to_numpy() makes integers, a.words is the memory")
    return TypeError(f"numpy.{name} takes no elements of a field: {reason}")

# At the end: it imports `arrays`, which needs the functions above for its own table.
from . import _protocol  # noqa: E402
