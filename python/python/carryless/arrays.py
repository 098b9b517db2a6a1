"""Arrays of elements of GF(2^m): see :mod:`carryless.fields`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

from . import _protocol

if TYPE_CHECKING:
    from .fields import Field

__all__ = ["FieldArray", "Words"]

Words: TypeAlias = NDArray[np.uint64]


class FieldArray(NDArrayOperatorsMixin):
    """Elements of one field in an array of any shape, made by a :class:`Field`."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, field: Field, words: Words) -> None:
        self._field = field
        self._words = words

    @property
    def field(self) -> Field:
        """The field."""
        return self._field

    @property
    def words(self) -> Words:
        """The memory, of shape (*shape, ceil(m / 64)). Who writes to it keeps every element below 2^m."""
        return self._words

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape, without the axis of words."""
        return self._words.shape[:-1]

    @property
    def ndim(self) -> int:
        """How many axes there are."""
        return self._words.ndim - 1

    @property
    def size(self) -> int:
        """How many elements there are."""
        return self._words.size // self._field.element_words

    @property
    def T(self) -> FieldArray:
        """The axes turned round, as a view."""
        return self.transpose()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single element has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[FieldArray]:
        return (self[i] for i in range(len(self)))

    def _at(self, index: Any) -> tuple[Any, ...]:
        index = index if isinstance(index, tuple) else (index,)
        return index if any(part is Ellipsis for part in index) else (*index, Ellipsis)

    def __getitem__(self, index: Any) -> FieldArray:
        """As numpy's: views for slices, copies for arrays of indices or booleans."""
        return FieldArray(self._field, self._words[(*self._at(index), slice(None))])

    def __setitem__(self, index: Any, value: Any) -> None:
        self._words[(*self._at(index), slice(None))] = self._field._element(value).words

    def copy(self) -> FieldArray:
        """A contiguous copy."""
        return FieldArray(self._field, np.array(self._words, order="C"))

    def reshape(self, *shape: Any) -> FieldArray:
        """Another shape, as a view where numpy's is one."""
        new = shape[0] if len(shape) == 1 else shape
        new = np.empty(self.shape, dtype=np.bool_).reshape(new).shape
        return FieldArray(self._field, self._words.reshape(*new, self._field.element_words))

    def ravel(self) -> FieldArray:
        """One axis."""
        return self.reshape(-1)

    def transpose(self, *axes: Any) -> FieldArray:
        """Axes in another order, as a view."""
        order = axes[0] if len(axes) == 1 and axes[0] is not None else axes or None
        order = tuple(reversed(range(self.ndim))) if order is None or order == (None,) else tuple(order)
        order = tuple(axis % self.ndim for axis in order)
        return FieldArray(self._field, self._words.transpose(*order, self.ndim))

    def tolist(self) -> Any:
        """Nested lists of int; an int for a single element."""
        return self.to_numpy().tolist()

    def to_numpy(self) -> NDArray[Any]:
        """An array of integers: of numpy.uint64 up to m = 64, of int above."""
        if self._field.element_words == 1:
            return self._words[..., 0].copy()
        flat = self.to_bytes(8 * self._field.element_words)
        size = 8 * self._field.element_words
        out = np.empty(self.size, dtype=object)
        out[:] = [int.from_bytes(flat[i : i + size], "little") for i in range(0, len(flat), size)]
        return out.reshape(self.shape)

    def to_bytes(self, element: int | None = None) -> bytes:
        """The bytes of all elements side by side, ceil(m / 8) each."""
        size = self._field.element_bytes if element is None else element
        octets = np.ascontiguousarray(self._words, dtype="<u8").view(np.uint8)
        return octets.reshape(-1, 8 * self._field.element_words)[:, :size].tobytes()

    def to_galois(self, galois_field: Any) -> Any:
        """An array of this class of `galois`, whose f must be the same."""
        if int(galois_field.irreducible_poly) != int(self._field.modulus):
            raise ValueError("the class of galois has another modulus")
        return galois_field(self.to_numpy())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("integers are a copy; FieldArray.words is not")
        array = self.to_numpy()
        return array if dtype is None else array.astype(dtype)

    def _single(self) -> int:
        if self.size != 1:
            raise TypeError("only a single element is an int")
        return int.from_bytes(self.to_bytes(), "little")

    def __int__(self) -> int:
        return self._single()

    def __bool__(self) -> bool:
        return self._single() != 0

    def __repr__(self) -> str:
        if self.size > 1000:
            return f"<{self.size} elements of {self._field!r}, shape {self.shape}>"
        digits = np.asarray(np.frompyfunc(hex, 1, 1)(self.to_numpy().astype(object)), dtype=object)
        text = np.array2string(digits, formatter={"all": str}, separator=", ")
        return f"{self._field!r}({text})"

    def is_zero(self) -> NDArray[np.bool_]:
        """Where elements are 0."""
        return ~np.any(self._words, axis=-1)

    def inv(self, out: FieldArray | None = None) -> FieldArray:
        """1 / a for each element; a ZeroDivisionError if one is 0."""
        if bool(self.is_zero().any()):
            raise ZeroDivisionError("0 has no inverse")
        return self._map(self._field._kernels.invert, out)

    def sqrt(self, out: FieldArray | None = None) -> FieldArray:
        """The square root of each element."""
        return self._map(self._field._kernels.sqrt, out)

    def square(self, out: FieldArray | None = None) -> FieldArray:
        """The square of each element."""
        return self.frobenius(1, out)

    def frobenius(self, k: int = 1, out: FieldArray | None = None) -> FieldArray:
        """a^(2^k) for each element."""
        return self._map(lambda a, out: self._field._kernels.frobenius(a, k % self._field.degree, out), out)

    def trace(self) -> NDArray[np.uint8]:
        """The trace of each element over F2, 0 or 1."""
        traces = self._field._kernels.trace(np.ascontiguousarray(self._words))
        return np.frombuffer(bytes(traces), dtype=np.uint8).reshape(self.shape).copy()

    def solve(self, out: FieldArray | None = None) -> FieldArray:
        """x with x^2 + x = a for each element, the other solution being x + 1; a ValueError if a trace is 1."""
        if bool(self.trace().any()):
            raise ValueError("x^2 + x = a has no solution where the trace of a is 1")
        return self._map(self._field._kernels.solve, out)

    def power(self, exponent: SupportsIndex, out: FieldArray | None = None) -> FieldArray:
        """a^e for each element and one integer e; 0^0 is 1, and 0 to a negative power a ZeroDivisionError."""
        e = operator.index(exponent)
        if e < 0:
            return self.inv().power(-e, out)
        if e > 0:
            e = (e - 1) % (self._field.order - 1) + 1
        return self._map(lambda a, out: self._field._kernels.pow(a, e, out), out)

    def sum(self, axis: Any = None) -> FieldArray:
        """The sum of all elements, or along an axis or axes."""
        axes = tuple(range(self.ndim)) if axis is None else tuple(a % self.ndim for a in np.atleast_1d(axis))
        return FieldArray(self._field, np.bitwise_xor.reduce(self._words, axis=axes))

    def prod(self, axis: int | None = None) -> FieldArray:
        """The product of all elements, or along an axis: by halves."""
        array = self.ravel() if axis is None else FieldArray(self._field, np.moveaxis(self._words, axis % self.ndim, 0))
        if len(array) == 0:
            return self._field.ones(array.shape[1:])
        while len(array) > 1:
            half = len(array) // 2
            product: FieldArray = array[:half] * array[half : 2 * half]
            if len(array) % 2:
                product[0] = product[0] * array[-1]
            array = product
        return array[0].copy()

    def dot(self, other: Any) -> FieldArray:
        """The product of matrices, of a matrix and a vector, or of two vectors: the same as `@`."""
        return _protocol.matmul(self, self._field._element(other), None)

    def _map(self, kernel: Callable[[Words, Words], None], out: FieldArray | None) -> FieldArray:
        """Runs a kernel that takes one array."""
        return _protocol.run(self._field, lambda words: kernel(np.ascontiguousarray(self._words), words), self.shape, [self], out)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        function = _protocol.UFUNCS.get(ufunc)
        (out,) = kwargs.pop("out", (None,))
        if method != "__call__" or function is None or kwargs or not isinstance(out, (FieldArray, type(None))):
            return NotImplemented
        return function(self._field, *inputs, out=out)

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        if func in _protocol.FUNCTIONS:
            return _protocol.FUNCTIONS[func](*args, **kwargs)
        if func in _protocol.STRUCTURAL:
            return _protocol.structural(func, args, kwargs)
        return NotImplemented
