"""What numpy's functions do with arrays of elements: `__array_ufunc__` and `__array_function__`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import arrays as _arrays

if TYPE_CHECKING:
    from .arrays import FieldArray, Words
    from .fields import Field


def _usable(out: FieldArray, operands: Sequence[FieldArray]) -> bool:
    """Whether a kernel can write there: contiguous, and apart from what it reads."""
    return out.words.flags.c_contiguous and not any(np.may_share_memory(out.words, a.words) for a in operands)


def run(
    field: Field, kernel: Callable[[Words], None], shape: tuple[int, ...], operands: Sequence[FieldArray], out: FieldArray | None
) -> FieldArray:
    """A kernel that writes to `out`, or to a new array if there is none."""
    if out is not None and (field._own(out).shape != shape):
        raise ValueError(f"the output has the shape {out.shape}, not {shape}")
    if out is not None and not out.words.flags.writeable:
        raise ValueError("the output is read-only")
    if out is not None and _usable(out, operands):
        kernel(out.words)
        return out
    words = np.empty((*shape, field.element_words), dtype=np.uint64)
    kernel(words)
    if out is None:
        return _arrays.FieldArray(field, words)
    out.words[...] = words
    return out


def _broadcast(a: FieldArray, b: FieldArray) -> tuple[tuple[int, ...], Words, Words]:
    """The common shape, and contiguous operands of it; the second may be one element."""
    shape = np.broadcast_shapes(a.shape, b.shape)
    if a.size == 1 and a.shape != shape:
        a, b = b, a
    full = (*shape, a.field.element_words)

    def spread(x: FieldArray) -> Words:
        return np.ascontiguousarray(np.broadcast_to(x.words, full) if x.shape != shape else x.words)

    return shape, spread(a), np.ascontiguousarray(b.words) if b.size == 1 else spread(b)


def _add(field: Field, a: Any, b: Any, out: FieldArray | None = None) -> FieldArray:
    x, y = field._element(a), field._element(b)
    if out is None:
        return _arrays.FieldArray(field, np.bitwise_xor(x.words, y.words))
    np.bitwise_xor(x.words, y.words, out=field._own(out).words)
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
    return field._element(a).power(e, out)


def _equal(field: Field, a: Any, b: Any, out: None = None) -> Any:
    return np.all(field._element(a).words == field._element(b).words, axis=-1)


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


UFUNCS: dict[np.ufunc, Callable[..., Any]] = {
    np.add: _add,
    np.subtract: _add,
    np.multiply: _multiply,
    np.true_divide: _divide,
    np.power: _power,
    np.negative: lambda field, a, out=None: _add(field, a, 0, out),
    np.positive: lambda field, a, out=None: _add(field, a, 0, out),
    np.square: lambda field, a, out=None: a.square(out),
    np.sqrt: lambda field, a, out=None: a.sqrt(out),
    np.reciprocal: lambda field, a, out=None: a.inv(out),
    np.equal: _equal,
    np.not_equal: lambda field, a, b, out=None: ~_equal(field, a, b),
    np.matmul: lambda field, a, b, out=None: matmul(field._element(a), field._element(b), out),
}


def _first(*arrays: Any) -> FieldArray:
    return next(array for array in arrays if isinstance(array, _arrays.FieldArray))


def _array_equal(a: Any, b: Any) -> bool:
    field = _first(a, b).field
    x, y = field._element(a), field._element(b)
    return x.shape == y.shape and bool(np.all(_equal(field, x, y)))


def _where(condition: Any, a: Any, b: Any) -> FieldArray:
    field = _first(a, b).field
    chosen = np.asarray(condition, dtype=np.bool_)[..., np.newaxis]
    return _arrays.FieldArray(field, np.where(chosen, field._element(a).words, field._element(b).words))


FUNCTIONS: dict[Callable[..., Any], Callable[..., Any]] = {
    np.array_equal: _array_equal,
    np.where: _where,
    np.dot: lambda a, b: _first(a, b).field._element(a).dot(b),
    np.sum: lambda a, axis=None: a.sum(axis),
    np.prod: lambda a, axis=None: a.prod(axis),
    np.shape: lambda a: a.shape,
    np.ndim: lambda a: a.ndim,
    np.size: lambda a: a.size,
    np.copy: lambda a: a.copy(),
    np.zeros_like: lambda a: a.field.zeros(a.shape),
    np.ones_like: lambda a: a.field.ones(a.shape),
    np.reshape: lambda a, shape: a.reshape(shape),
    np.ravel: lambda a: a.ravel(),
    np.transpose: lambda a, axes=None: a.transpose(axes),
}

# Functions that move elements without looking at them.
STRUCTURAL: frozenset[Callable[..., Any]] = frozenset({
    np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack, np.flip, np.roll, np.tile, np.repeat, np.squeeze, np.expand_dims,
    np.moveaxis, np.swapaxes, np.broadcast_to, np.rot90, np.diagonal, np.take, np.atleast_1d, np.atleast_2d, np.tril, np.triu,
})  # fmt: skip


def structural(func: Callable[..., Any], args: Any, kwargs: Any) -> FieldArray:
    """Applies such a function to the numbers of the elements, and takes the elements with the numbers that it returns. Number 0 is the element 0, which
    some of them put in."""
    arrays: list[FieldArray] = []

    def number(value: Any) -> Any:
        if isinstance(value, _arrays.FieldArray):
            start = 1 + sum(array.size for array in arrays)
            arrays.append(value)
            return np.arange(start, start + value.size).reshape(value.shape)
        return type(value)(map(number, value)) if isinstance(value, (list, tuple)) else value

    numbers = func(*[number(arg) for arg in args], **{name: number(arg) for name, arg in kwargs.items()})
    field = arrays[0].field
    flat = [field.zeros(1).words, *(field._own(array).ravel().words for array in arrays)]
    return _arrays.FieldArray(field, np.concatenate(flat)[numbers])
