"""Arrays of elements of GF(2^m): see :mod:`carryless.fields`."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

from . import _computing, _functions, _linear, _protocol
from ._carryless import GF2X
from ._text import format_array

if TYPE_CHECKING:
    from .fields import Field

__all__ = ["FieldArray", "Words"]

Words: TypeAlias = NDArray[np.unsignedinteger[Any]]


class FieldArray(NDArrayOperatorsMixin):
    """Elements of one field in an array of any shape, made by a :class:`Field`.

    What stands beside such an array in an operator or a function of numpy is converted by its field, or is a TypeError.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, field: Field, words: Words) -> None:
        if not isinstance(words, np.ndarray):
            raise TypeError("a Field makes arrays of elements: F(...), F.from_words(...)")
        self._field = field
        self._words = words

    @property
    def field(self) -> Field:
        """The field."""
        return self._field

    @property
    def words(self) -> Words:
        """The memory, of shape (*shape, ceil(m / 64)): of numpy.uint8, uint16 or uint32 for m up to 8, 16 or 32, above of uint64. Who writes to it keeps every
        element below 2^m."""
        return self._words

    @property
    def _items(self) -> NDArray[Any]:
        """The same memory with an item for each element, so that numpy's shapes, axes and indices are those of the elements."""
        return self._words.view(self._field._item)[..., 0]

    @classmethod
    def _of_items(cls, field: Field, items: Any) -> FieldArray:
        """The inverse of `_items`, also of a scalar of numpy."""
        return cls(field, np.asarray(items, dtype=field._item).view(field._row))

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

    def __contains__(self, value: Any) -> bool:
        return bool(np.any(self == value))

    def _at(self, index: Any) -> tuple[tuple[Any, ...], bool]:
        """The index of the words of these elements, and whether the caller's has an ellipsis."""
        parts = index if isinstance(index, tuple) else (index,)
        ellipsis = any(part is Ellipsis for part in parts)
        return ((*parts, slice(None)) if ellipsis else (*parts, Ellipsis, slice(None))), ellipsis

    def __getitem__(self, index: Any) -> FieldArray:
        """As numpy's: views for slices, copies for single elements and for arrays of indices or booleans."""
        at, ellipsis = self._at(index)
        try:
            words = self._words[at]
        except IndexError:
            # The same error in terms of the axes of the elements.
            return self._of_items(self._field, self._items[index])
        # numpy returns a scalar for a single element: `a[0], a[1] = a[1], a[0]` relies on the copy.
        return FieldArray(self._field, words.copy() if words.ndim == 1 and not ellipsis else words)

    def __setitem__(self, index: Any, value: Any) -> None:
        elements = self._field._element(value)
        try:
            self._words[self._at(index)[0]] = elements.words
        except (IndexError, ValueError):
            self._items[index] = elements._items

    def copy(self) -> FieldArray:
        """A contiguous copy."""
        return FieldArray(self._field, np.array(self._words, order="C"))

    def __copy__(self) -> FieldArray:
        return self.copy()

    def reshape(self, *shape: Any, order: Any = "C") -> FieldArray:
        """Another shape, as a view where numpy's is one."""
        return self._of_items(self._field, self._items.reshape(*shape, order=order))

    def ravel(self) -> FieldArray:
        """One axis."""
        return self.reshape(-1)

    def flatten(self, order: Any = "C") -> FieldArray:
        """A copy of one axis."""
        return self.reshape(-1, order=order).copy()

    def item(self, *index: Any) -> int:
        """A single element as int, by its index as numpy's `item` takes it."""
        at = index[0] if len(index) == 1 else index
        return int(self if not index else self[at] if isinstance(at, tuple) else self.ravel()[at])

    def transpose(self, *axes: Any) -> FieldArray:
        """Axes in another order, as a view."""
        return self._of_items(self._field, self._items.transpose(*axes))

    def tolist(self) -> Any:
        """Nested lists of int; an int for a single element."""
        return self.to_numpy().tolist()

    def to_numpy(self) -> NDArray[Any]:
        """An array of integers: of numpy.uint64 up to m = 64, of int above."""
        if self._field.element_words == 1:
            return self._words[..., 0].astype(np.uint64)
        size = 8 * self._field.element_words
        flat = self.to_bytes(size)
        out = np.empty(self.size, dtype=object)
        out[:] = [int.from_bytes(flat[i : i + size], "little") for i in range(0, len(flat), size)]
        return out.reshape(self.shape)

    def to_bytes(self, element: int | None = None) -> bytes:
        """The bytes of all elements side by side, ceil(m / 8) each."""
        size = self._field.element_bytes if element is None else element
        octets = np.ascontiguousarray(self._words, dtype=self._field._dtype.newbyteorder("<")).view(np.uint8)
        return octets.reshape(-1, self._field._item.itemsize)[:, :size].tobytes()

    def to_galois(self, galois_field: Any) -> Any:
        """An array of this class of `galois`, whose f must be the same."""
        f = getattr(galois_field, "irreducible_poly", None)
        if f is None:
            raise TypeError(f"galois_field is a class of galois, not {galois_field!r}")
        if int(f) != int(self._field.modulus):
            raise ValueError("the class of galois has another modulus")
        return galois_field(self.to_numpy())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Refuses: functions that ask for an array of numbers would compute with integers where elements are meant."""
        raise TypeError("elements of a field are no integers for numpy: to_numpy() makes an array of integers of them")

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

    def __format__(self, form: str) -> str:
        """The elements as "int", as "hex", as "poly" in z, or as "power" of the field's primitive element g, for which `log` has limits.

        >>> from carryless import GF
        >>> print(f"{GF(2, 8)([0, 1, 83]):poly}")
        [0, 1, z^6 + z^4 + z + 1]
        """
        return format_array(self, form) if form else str(self)

    def multiplicative_order(self) -> Any:
        """The least e from 1 on with a^e = 1, for each element. A ValueError for 0, and for m above 64."""
        return _protocol.integers_of(self, self._field._orders, "0 has no multiplicative order")

    def is_primitive_element(self) -> Any:
        """For each element whether it has the order 2^m - 1, so that its powers are all elements but 0. A ValueError for m above 64."""
        orders = np.zeros((*self.shape, 1), dtype=np.uint64)
        self._field._orders(np.ascontiguousarray(self._words), orders)
        return (orders[..., 0] == self._field.order - 1)[()]

    def log(self, base: Any = None) -> Any:
        """The least e from 0 on with base^e = a, for each element; the base is by default the field's primitive element.

        A ValueError for what is no power of the base, for m above 64, and for a base whose order has a prime divisor above 2^40: the time is its square
        root (Pohlig and Hellman). Up to m = 16 logarithms are read from a table: the time shows which, as with `galois`.

        >>> from carryless import GF
        >>> GF(2, 8)([1, 3, 5, 7]).log().tolist()
        [0, 1, 2, 198]
        """
        root = self._field.primitive_element if base is None else self._field._element(base)
        return _protocol.integers_of(self, self._field._logarithms(int(root)).of, f"an element is no power of {int(root):#x}")

    def minimal_poly(self) -> Any:
        """The monic polynomial of least degree of which this single element is a root, over F2 as GF2X, or this square matrix, over the field.

        >>> from carryless import GF
        >>> GF(2, 8)([[2, 0], [0, 2]]).minimal_poly().coefficients.tolist()
        [2, 1]
        """
        if self.ndim == 2:
            return _linear.minimal_poly(self)
        return GF2X(self._single()).min_poly_mod(self._field.modulus)

    def characteristic_poly(self) -> Any:
        """The characteristic polynomial of this square matrix, over the field; or of the product by this single element, over F2: GF2X of degree m, a power of the minimal one.

        >>> from carryless import GF
        >>> GF(2, 8)([[0, 2], [1, 3]]).characteristic_poly().coefficients.tolist()
        [2, 3, 1]
        """
        if self.ndim == 2:
            return _linear.characteristic_poly(self)
        return (minimal := self.minimal_poly()) ** (self._field.degree // minimal.degree)

    def field_trace(self, degree: SupportsIndex = 1) -> FieldArray:
        """The trace over the subfield of this degree, which divides m, for each element: the sum of the conjugates a^(2^(degree i))."""
        return _computing.join_conjugates(self, degree, operator.add)

    def field_norm(self, degree: SupportsIndex = 1) -> FieldArray:
        """The norm over the subfield of this degree, which divides m, for each element: the product of the conjugates a^(2^(degree i))."""
        return _computing.join_conjugates(self, degree, operator.mul)

    def is_zero(self) -> NDArray[np.bool_]:
        """Where elements are 0."""
        zero: NDArray[np.bool_] = _protocol.each_word(self._field, self._words == 0)
        return zero

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
        kernels = self._field._kernels
        # Packed products take less than squares of one element at a time.
        return self._map(lambda a, out: kernels.mul(a, a, out), out) if kernels.width < 8 else self.frobenius(1, out)

    def frobenius(self, k: SupportsIndex = 1, out: FieldArray | None = None) -> FieldArray:
        """a^(2^k) for each element."""
        reduced = operator.index(k) % self._field.degree
        return self._map(lambda a, out: self._field._kernels.frobenius(a, reduced, out), out)

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

    def _axes(self, axis: Any) -> tuple[int, ...]:
        """The axes that `axis` names, from 0 on: all for None. numpy's AxisError for one that does not exist."""
        if axis is None:
            return tuple(range(self.ndim))
        if isinstance(axis, tuple):
            return normalize_axis_tuple(axis, self.ndim)
        # numpy lets a single element have the axes 0 and -1 here.
        return () if self.ndim == 0 and operator.index(axis) in (0, -1) else normalize_axis_tuple(operator.index(axis), self.ndim)

    def sum(self, axis: Any = None, out: FieldArray | None = None, keepdims: bool = False) -> FieldArray:
        """The sum of all elements, or along an axis or axes."""
        # Its types know one axis only.
        reduce: Any = np.bitwise_xor.reduce
        words = reduce(self._words, axis=self._axes(axis), keepdims=keepdims)
        return _protocol.deliver(FieldArray(self._field, words), out)

    def prod(self, axis: Any = None, out: FieldArray | None = None, keepdims: bool = False) -> FieldArray:
        """The product of all elements, or along an axis or axes: by halves."""
        axes = self._axes(axis)
        factors = np.moveaxis(self._items, axes, range(len(axes)))
        count, rest = math.prod(factors.shape[: len(axes)]), factors.shape[len(axes) :]
        array = self._of_items(self._field, factors.reshape(count, *rest))
        while len(array) > 1:
            half = len(array) // 2
            product: FieldArray = array[:half] * array[half : 2 * half]
            if len(array) % 2:
                product[0] = product[0] * array[-1]
            array = product
        result = array[0].copy() if len(array) else self._field.ones(rest)
        if keepdims:
            result = result.reshape(tuple(1 if i in axes else n for i, n in enumerate(self.shape)))
        return _protocol.deliver(result, out)

    def dot(self, other: Any, out: FieldArray | None = None) -> FieldArray:
        """The product of matrices, of a matrix and a vector, or of two vectors, as `@`; beyond two axes and for single elements that of numpy.dot."""
        return _protocol.dot(self, self._field._element(other), out)

    def row_reduce(self, ncols: SupportsIndex | None = None) -> FieldArray:
        """The reduced row echelon form of a matrix, of its first `ncols` columns only if given: the others follow by the same operations on rows.

        >>> from carryless import GF
        >>> GF(2)([[1, 1, 0], [1, 0, 1]]).row_reduce().tolist()
        [[1, 0, 1], [0, 1, 1]]
        """
        return _linear.row_reduce(self, ncols)

    def row_space(self) -> FieldArray:
        """A basis of the space that the rows span, as rows in reduced row echelon form."""
        return _linear.row_space(self)

    def column_space(self) -> FieldArray:
        """A basis of the space that the columns span, as rows in reduced row echelon form."""
        return _linear.row_space(self.T)

    def null_space(self) -> FieldArray:
        """A basis of all x with A x = 0 for this matrix A, as rows in reduced row echelon form."""
        return _linear.null_space(self)

    def left_null_space(self) -> FieldArray:
        """A basis of all x with x A = 0 for this matrix A, as rows in reduced row echelon form."""
        return _linear.null_space(self.T)

    def lu_decompose(self) -> tuple[FieldArray, FieldArray]:
        """L with ones on its diagonal and U with A = L U; a ValueError if rows have to be exchanged."""
        order, lower, upper = _linear.triangles(self)
        if order != sorted(order):
            raise ValueError("rows have to be exchanged: plu_decompose() does")
        return lower, upper

    def plu_decompose(self) -> tuple[FieldArray, FieldArray, FieldArray]:
        """A permutation P, L with ones on its diagonal and U with A = P L U."""
        order, lower, upper = _linear.triangles(self)
        permutation = self._field.zeros((len(order), len(order)))
        permutation[order, list(range(len(order)))] = 1
        return permutation, lower, upper

    def _map(self, kernel: Callable[[Words, Words], None], out: FieldArray | None) -> FieldArray:
        """Runs a kernel that takes one array."""
        return _protocol.run(self._field, lambda words: kernel(np.ascontiguousarray(self._words), words), self.shape, [self], out)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        function = _protocol.UFUNCS.get(ufunc)
        if function is None:
            return NotImplemented
        if method != "__call__":
            return _protocol.method(self._field, ufunc, method, inputs, kwargs)
        (out,) = kwargs.pop("out", (None,))
        if kwargs:
            raise TypeError(f"numpy.{ufunc.__name__} of elements takes no argument {', '.join(kwargs)}")
        return function(self._field, *inputs, out=out)

    def __array_function__(self, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        return _functions.call(self._field, func, types, args, kwargs)
