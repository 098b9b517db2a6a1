"""What operators and numpy's ufuncs do with arrays of elements, and where results are written."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import arrays as _arrays

if TYPE_CHECKING:
    from .arrays import FieldArray, Words
    from .fields import Field


class OtherField(TypeError):
    """Elements of another field."""


def _usable(out: FieldArray, operands: Sequence[FieldArray]) -> bool:
    """Whether a kernel can write there: contiguous, and apart from what it reads."""
    return out.words.flags.c_contiguous and not any(np.may_share_memory(out.words, a.words) for a in operands)


def _check_output(field: Field, out: Any, shape: tuple[int, ...]) -> None:
    """A TypeError or ValueError unless elements of this shape can be written to `out`."""
    if not isinstance(out, _arrays.FieldArray):
        raise TypeError(f"out is a FieldArray, not {type(out).__name__}")
    if field._own(out).shape != shape:
        raise ValueError(f"the output has the shape {out.shape}, not {shape}")
    if not out.words.flags.writeable:
        raise ValueError("the output is read-only")


def each_word(field: Field, found: NDArray[np.bool_]) -> Any:
    """For each element whether all its words are among those found. For one word numpy's reduction would take far longer than the rest."""
    return found[..., 0][()] if field.element_words == 1 else np.all(found, axis=-1)


def deliver(result: FieldArray, out: FieldArray | None) -> FieldArray:
    """The result, written to `out` if there is one."""
    if out is None:
        return result
    _check_output(result.field, out, result.shape)
    out.words[...] = result.words
    return out


def run(
    field: Field, kernel: Callable[[Words], None], shape: tuple[int, ...], operands: Sequence[FieldArray], out: FieldArray | None
) -> FieldArray:
    """A kernel that writes to `out`, or to a new array if there is none."""
    if out is not None:
        _check_output(field, out, shape)
        if _usable(out, operands):
            kernel(out.words)
            return out
    words = np.empty((*shape, field.element_words), dtype=field._dtype)
    kernel(words)
    return deliver(_arrays.FieldArray(field, words), out)


def _common_shape(a: FieldArray, b: FieldArray) -> tuple[int, ...]:
    """A ValueError, with the shapes that the caller knows, if they do not broadcast."""
    return a.shape if a.words.shape == b.words.shape else np.broadcast_shapes(a.shape, b.shape)


def _broadcast(a: FieldArray, b: FieldArray) -> tuple[tuple[int, ...], Words, Words]:
    """The common shape, and contiguous operands of it; the second may be one element."""
    shape = _common_shape(a, b)
    if a.size == 1 and a.shape != shape:
        a, b = b, a
    full = (*shape, a.field.element_words)

    def spread(x: FieldArray) -> Words:
        return np.ascontiguousarray(np.broadcast_to(x.words, full) if x.shape != shape else x.words)

    return shape, spread(a), np.ascontiguousarray(b.words) if b.size == 1 else spread(b)


def _add(field: Field, a: Any, b: Any, out: FieldArray | None = None) -> FieldArray:
    x, y = field._element(a), field._element(b)
    shape = _common_shape(x, y)
    if out is None:
        return _arrays.FieldArray(field, np.bitwise_xor(x.words, y.words))
    _check_output(field, out, shape)
    np.bitwise_xor(x.words, y.words, out=out.words)
    return out


def _multiply(field: Field, a: Any, b: Any, out: FieldArray | None = None) -> FieldArray:
    x, y = field._element(a), field._element(b)
    shape, left, right = _broadcast(x, y)
    return run(field, lambda words: field._kernels.mul(left, right, words), shape, [x, y], out)


def _divide(field: Field, a: Any, b: Any, out: FieldArray | None = None) -> FieldArray:
    return _multiply(field, a, field._element(b).inv(), out)


def _power(field: Field, a: Any, e: Any, out: FieldArray | None = None) -> FieldArray:
    if isinstance(e, _arrays.FieldArray):
        raise TypeError("an exponent is an integer")
    return field._element(a).power(e, out) if np.ndim(e) == 0 else deliver(_powers(field, field._element(a), e), out)


def _powers(field: Field, a: FieldArray, exponents: Any) -> FieldArray:
    """a^e for elements and as many integers, by squares of all at once."""
    e: Any = np.asarray(exponents)
    e = e.astype(object) if e.dtype.kind in "iu" else e
    if e.dtype != object or not all(hasattr(type(value), "__index__") for value in e.flat):
        raise TypeError("exponents are integers")
    shape, group = np.broadcast_shapes(a.shape, e.shape), field.order - 1
    base = _arrays.FieldArray(field, np.broadcast_to(a.words, (*shape, field.element_words)).copy())
    if bool((base.is_zero() & (e < 0).astype(bool)).any()):
        raise ZeroDivisionError("0 has no inverse")
    # Exponents from 1 on stay so, as 0^e is 0; a negative one is not of 0.
    reduced = np.broadcast_to(np.where(e > 0, (e - 1) % group + 1, e % group), shape)
    power = field.ones(shape)
    for bit in reversed(range(max(map(int, reduced.flat), default=0).bit_length())):
        power = power.square()
        chosen = (reduced >> bit & 1).astype(bool)
        power[chosen] = power[chosen] * base[chosen]
    return power


def method(field: Field, ufunc: np.ufunc, name: str, inputs: Any, kwargs: Any) -> Any:
    """numpy.add and numpy.multiply with `reduce`, `accumulate`, `outer`; a TypeError for other ufuncs and methods."""
    from . import _computing

    sums = {np.add: "sum", np.subtract: "sum", np.multiply: "prod"}
    if ufunc not in sums or name not in ("reduce", "accumulate", "outer"):
        raise TypeError(f"numpy.{ufunc.__name__}.{name} takes no elements of a field")
    (out,) = kwargs.pop("out", (None,))
    axis = kwargs.pop("axis", 0)
    keepdims = kwargs.pop("keepdims", False)
    if kwargs.pop("dtype", None) is not None or kwargs:
        raise TypeError(f"numpy.{ufunc.__name__}.{name} of elements takes no other arguments")
    a = field._element(inputs[0])
    if name == "outer":
        b = field._element(inputs[1])
        spread = a.reshape(a.shape + (1,) * b.ndim), b.reshape((1,) * a.ndim + b.shape)
        return UFUNCS[ufunc](field, *spread, out=out)
    if name == "accumulate":
        return _computing.accumulate(field, ufunc, a, axis, out)
    return getattr(a, sums[ufunc])(axis, out, keepdims)


def _log(field: Field, a: Any, out: None = None) -> Any:
    if out is not None:
        raise TypeError("logarithms of elements take no argument out")
    return field._element(a).log()


def integers_of(a: FieldArray, kernel: Callable[[Words, Words], bool], what: str) -> Any:
    """What a kernel finds for each element, a ValueError if one has none: numpy.int64, for m = 64 int."""
    found = np.empty((*a.shape, 1), dtype=np.uint64)
    if kernel(np.ascontiguousarray(a.words), found):
        raise ValueError(what)
    kind: Any = np.int64 if a.field.degree < 64 else object
    return found[..., 0].astype(kind)[()]


def integers(value: Any) -> NDArray[Any]:
    """An array of objects: of int for elements, of what numpy finds in anything else."""
    return value.to_numpy().astype(object) if isinstance(value, _arrays.FieldArray) else np.asarray(value, dtype=object)


def elements_or_none(field: Field, *values: Any) -> list[FieldArray] | None:
    """The values as elements, or None if one of them is none of any field."""
    try:
        return [field._element(value) for value in values]
    except OtherField:
        raise
    except (TypeError, ValueError):
        return None


def _equal(field: Field, a: Any, b: Any, out: None = None) -> Any:
    """Where elements are equal. What is no element is compared with them as integers: None, text and numbers that are too large equal none."""
    if out is not None:
        raise TypeError("comparisons of elements take no argument out")
    elements = elements_or_none(field, a, b)
    if elements is None:
        return np.bool_(integers(a) == integers(b))
    x, y = elements
    _common_shape(x, y)
    return each_word(field, x.words == y.words)


def _not_equal(field: Field, a: Any, b: Any, out: None = None) -> Any:
    return ~_equal(field, a, b, out)


def matmul(a: FieldArray, b: FieldArray, out: FieldArray | None) -> FieldArray:
    """Stacks of matrices broadcast, and vectors are rows on the left and columns on the right: numpy's rules."""
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError("a product of matrices has no operands of no axes")
    left = a if a.ndim > 1 else a.reshape(1, -1)
    right = b if b.ndim > 1 else b.reshape(-1, 1)
    rows, inner, columns = left.shape[-2], left.shape[-1], right.shape[-1]
    if right.shape[-2] != inner:
        raise ValueError(f"shapes {a.shape} and {b.shape} do not fit")
    field, stack = a.field, np.broadcast_shapes(left.shape[:-2], right.shape[:-2])

    def spread(x: FieldArray) -> Words:
        return np.broadcast_to(x.words, (*stack, *x.words.shape[-3:]))

    def kernel(words: Words) -> None:
        if inner == 0 or words.size == 0:
            words[...] = 0
            return
        lefts, rights, result = spread(left), spread(right), words.reshape(*stack, rows, columns, field.element_words)
        for i in np.ndindex(*stack):
            x, y = np.ascontiguousarray(lefts[i]), np.ascontiguousarray(rights[i])
            field._kernels.matmul(x, y, inner, result[i])

    shape = (*stack, *((rows,) if a.ndim > 1 else ()), *((columns,) if b.ndim > 1 else ()))
    return run(field, kernel, shape, [a, b], out)


def dot(a: FieldArray, b: FieldArray, out: FieldArray | None) -> FieldArray:
    """numpy.dot: the last axis of `a` by the last but one of `b`, or by the only one."""
    if a.ndim == 0 or b.ndim == 0:
        return _multiply(a.field, a, b, out)
    if b.ndim <= 2:
        return matmul(a, b, out)
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"shapes {a.shape} and {b.shape} do not fit")
    columns = np.moveaxis(b._items, -2, 0)
    rest = columns.shape[1:]
    product = matmul(a, b._of_items(b.field, columns.reshape(len(columns), math.prod(rest))), None)
    return deliver(product.reshape(*a.shape[:-1], *rest), out)


UFUNCS: dict[np.ufunc, Callable[..., Any]] = {
    np.add: _add,
    np.subtract: _add,
    np.multiply: _multiply,
    np.true_divide: _divide,
    np.power: _power,
    np.log: _log,
    np.negative: lambda field, a, out=None: _add(field, a, 0, out),
    np.positive: lambda field, a, out=None: _add(field, a, 0, out),
    np.square: lambda field, a, out=None: field._element(a).square(out),
    np.sqrt: lambda field, a, out=None: field._element(a).sqrt(out),
    np.reciprocal: lambda field, a, out=None: field._element(a).inv(out),
    np.equal: _equal,
    np.not_equal: _not_equal,
    np.matmul: lambda field, a, b, out=None: matmul(field._element(a), field._element(b), out),
}
