"""Fields GF(2^m) and arrays of their elements over numpy.

An array wraps one of ``numpy.uint64`` with one axis more, the words of an element: bit i of word j is the coefficient of z^(64 j + i). For m up to 8, 16 or 32
it is one of ``numpy.uint8``, ``uint16`` or ``uint32``, with one word. ``FieldArray.words`` is that array, without a copy.

>>> from carryless import GF
>>> F = GF(2, 8, [8, 4, 3, 1, 0])
>>> a = F([[0x53, 1], [2, 3]])
>>> (a[0] * 0xca).tolist()
[1, 202]
>>> (a @ a).shape
(2, 2)
>>> a.words.shape
(2, 2, 1)

While an operation runs, no other thread may write to the arrays that it reads: as with numpy's own functions, the GIL is released.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from typing import Any, SupportsIndex, TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

from ._carryless import GF2X, Element, Group, Kernels, Logarithms
from ._protocol import OtherField
from .arrays import FieldArray, Words
from .polynomials import FieldPoly

__all__ = ["GF", "Element", "Field", "FieldArray", "FieldPoly"]

Shape: TypeAlias = Union[int, tuple[int, ...]]
Modulus: TypeAlias = Union[SupportsIndex, str, GF2X, Iterable[SupportsIndex]]


def GF(p: SupportsIndex, m: SupportsIndex | None = None, modulus: Modulus | None = None) -> Field:
    """The field GF(2^m) = F2[z]/f for m from 1 to 1279: p is 2, or without m the order 2^m.

    f, the modulus, is given as an int (bit i is the coefficient of z^i), exponents, text or GF2X; without it, it is the irreducible trinomial or
    else pentanomial whose exponents are the smallest. A ValueError if it is reducible or of another degree.

    >>> GF(2, 233).modulus.exponents(), GF(2).modulus.exponents()
    ([233, 74, 0], [1, 0])
    """
    p = operator.index(p)
    if m is None and p > 1 and p & (p - 1) == 0:
        p, m = 2, p.bit_length() - 1
    if p != 2 or m is None:
        raise ValueError(f"fields of characteristic 2 only, GF(2, m) or GF(2**m), not {p}")
    m = operator.index(m)
    if not 1 <= m <= 1279:
        raise ValueError(f"a degree from 1 to 1279, not {m}")
    f = _default(m) if modulus is None else _polynomial(modulus)
    if f.degree != m:
        raise ValueError(f"the modulus has the degree {f.degree}, not {m}")
    return _field(f)


def _polynomial(value: Any) -> GF2X:
    # numpy's arrays have `__index__`, too, but only those of one element mean an integer by it.
    if isinstance(value, (str, GF2X)) or (hasattr(type(value), "__index__") and getattr(value, "ndim", 0) == 0):
        return GF2X(value)
    return GF2X.from_exponents(list(value))


@lru_cache(maxsize=64)
def _default(m: int) -> GF2X:
    if m == 1:
        return GF2X(3)
    trinomials = ([m, k, 0] for k in range(1, m))
    pentanomials = ([m, a, b, c, 0] for a in range(3, m) for b in range(2, a) for c in range(1, b))
    for candidates in (trinomials, pentanomials):
        for exponents in candidates:
            f = GF2X.from_exponents(exponents)
            if f.is_irreducible():
                return f
    raise ValueError(f"no irreducible polynomial of degree {m} with five terms or fewer")


@lru_cache(maxsize=64)
def _field(f: GF2X) -> Field:
    return Field(f)


class Field:
    """GF(2^m) = F2[z]/f: made by :func:`GF`, called to make arrays. Fields with the same f are equal."""

    def __init__(self, modulus: GF2X) -> None:
        self._kernels = Kernels(modulus)
        self._modulus = modulus
        self._tables: dict[int, Logarithms] = {}
        words = self._kernels.words
        # A word, an element as an item of an array, and as a row of words.
        self._dtype = np.dtype(f"u{self._kernels.width}")
        self._item = self._dtype if words == 1 else np.dtype((np.void, 8 * words))
        self._row = np.dtype((self._dtype, (words,)))

    @property
    def degree(self) -> int:
        """m."""
        return self._kernels.degree

    @property
    def order(self) -> int:
        """2^m, the number of elements."""
        return 1 << self.degree

    @property
    def modulus(self) -> GF2X:
        """f."""
        return self._modulus

    @property
    def element_words(self) -> int:
        """Words of an element, ceil(m / 64)."""
        return self._kernels.words

    @property
    def element_bytes(self) -> int:
        """Bytes of an element, ceil(m / 8)."""
        return -(-self.degree // 8)

    @property
    def primitive_element(self) -> FieldArray:
        """The element of order 2^m - 1, which generates all others but 0, that is least as an int. A ValueError for m above 64."""
        # A new array for each call: arrays can be written to.
        return self(self._generator)

    @cached_property
    def _generator(self) -> int:
        return self._group.generator()

    @property
    def primitive_elements(self) -> FieldArray:
        """All elements of order 2^m - 1, in ascending order. A ValueError for m above 20."""
        if self.degree > 20:
            raise ValueError(f"too many elements: m is {self.degree}, above 20")
        every = self(np.arange(1, self.order))
        return every[every.is_primitive_element()]

    @cached_property
    def _group(self) -> Group:
        return Group(self._kernels)

    @property
    def _orders(self) -> Callable[[Words, Words], bool]:
        """The kernel for orders: in small fields from a table of logarithms."""
        return self._logarithms(self._generator).orders if self._group.has_table else self._group.orders

    def _logarithms(self, base: int) -> Logarithms:
        tables = self._tables
        if base not in tables:
            # One table at a time: it may have some MB. Another thread may replace it at once.
            tables = self._tables = {base: self._group.logarithms(base)}
        return tables[base]

    def __call__(self, values: Any) -> FieldArray:
        """An array of integers below 2^m, nested in any way, GF2X and arrays of this field among them; or a copy of another array of this field."""
        if isinstance(values, FieldArray):
            return self._own(values).copy()
        if type(values) in (list, tuple) and self.element_words == 1:
            # Most lists hold int only, and their types need not be looked at twice.
            words = np.empty((len(values), 1), dtype=self._dtype)
            if len(values) and self._kernels.integers(values, words):
                return FieldArray(self, words)
        if isinstance(values, (list, tuple)) and _holds_arrays(values):
            return FieldArray._of_items(self, np.stack([self._element(value)._items for value in values]))
        array = values if isinstance(values, np.ndarray) else _array(values)
        self._check_kind(array)
        if array.dtype.kind in "iub":
            return self._of_machine_integers(array)
        if array.dtype != object:
            raise TypeError(f"elements are integers, not {array.dtype}")
        numbers = array.ravel().tolist()
        if not set(map(type, numbers)) <= {int}:
            numbers = list(map(self._number, numbers))
        if numbers and not (min(numbers) >= 0 and max(numbers) < self.order):
            wrong = next(number for number in numbers if not 0 <= number < self.order)
            raise ValueError(f"{wrong} is no element: elements are below 2^{self.degree}")
        size = 8 * self.element_words
        data = bytearray().join(number.to_bytes(size, "little") for number in numbers)
        words = np.frombuffer(data, dtype="<u8").astype(self._dtype, copy=False)
        return FieldArray(self, words.reshape(*array.shape, self.element_words))

    def _check_kind(self, array: NDArray[Any]) -> None:
        """Refuses arrays that are more than their integers: of another field in `galois`, with masks."""
        f = getattr(type(array), "irreducible_poly", None)
        if f is not None and int(f) != int(self.modulus):
            raise OtherField("elements of another field")
        if isinstance(array, np.ma.MaskedArray):
            raise TypeError("elements are integers, not masked ones")

    def _number(self, value: Any) -> int:
        """The integer that one value stands for."""
        if isinstance(value, Element) and value.field != self:
            raise OtherField("elements of another field")
        if isinstance(value, (GF2X, Element, FieldArray)):
            return int(self._own(value) if isinstance(value, FieldArray) else value)
        if hasattr(type(value), "__index__"):
            return operator.index(value)
        raise TypeError(f"elements are integers, not {type(value).__name__}")

    def _of_machine_integers(self, array: NDArray[Any]) -> FieldArray:
        out_of_range = bool(array.size) and (int(array.min()) < 0 or int(array.max()) >= self.order)
        if out_of_range:
            raise ValueError(f"an integer is no element: elements are below 2^{self.degree}")
        words = np.zeros((*array.shape, self.element_words), dtype=self._dtype)
        words[..., 0] = array
        return FieldArray(self, words)

    def element(self, value: Any) -> Element:
        """A single element, a value of its own: its operators take less than an array of one takes.

        >>> from carryless import GF
        >>> a = GF(2, 8, 0x11b).element(0x53)
        >>> int(a * 0xca), int(a.inv()), int(a**-1 + 1)
        (1, 202, 203)
        """
        return Element(self, self._kernels, self._number(value))

    def zeros(self, shape: Shape) -> FieldArray:
        """Zeros."""
        return FieldArray(self, np.zeros((*_tuple(shape), self.element_words), dtype=self._dtype))

    def ones(self, shape: Shape) -> FieldArray:
        """Ones."""
        array = self.zeros(shape)
        array.words[..., 0] = 1
        return array

    def identity(self, n: SupportsIndex) -> FieldArray:
        """The matrix of n rows and columns with ones on the diagonal."""
        size = operator.index(n)
        array = self.zeros((size, size))
        array[np.arange(size), np.arange(size)] = 1
        return array

    def random(self, shape: Shape, rng: np.random.Generator | int | None = None) -> FieldArray:
        """Uniform elements from a generator of numpy, or one with this seed. Not for keys."""
        generator = np.random.default_rng(rng)
        words = generator.integers(0, 1 << 64, (*_tuple(shape), self.element_words), dtype=np.uint64)
        words[..., -1] >>= np.uint64(-self.degree % 64)
        return FieldArray(self, words.astype(self._dtype, copy=False))

    def from_words(self, words: Words) -> FieldArray:
        """An array whose memory is that of `words`, of shape (..., ceil(m / 64)), without a copy; the words of an element lie side by side. A ValueError
        if an element has bits from z^m on."""
        if isinstance(words, np.ma.MaskedArray):
            raise TypeError("words are an array without a mask")
        if not isinstance(words, np.ndarray) or words.dtype != self._dtype:
            raise TypeError(f"words is an array of numpy.{self._dtype}, not {getattr(words, 'dtype', type(words).__name__)}")
        if words.ndim == 0 or words.shape[-1] != self.element_words:
            raise ValueError(f"an array whose last axis has {self.element_words} words is needed")
        if self.element_words > 1 and words.strides[-1] != words.itemsize:
            raise ValueError("the words of an element do not lie side by side")
        self._check(self._kernels.first_invalid(np.ascontiguousarray(words)))
        # A plain array: subclasses such as numpy.matrix have other rules for shapes.
        return FieldArray(self, words if type(words) is np.ndarray else words.view(np.ndarray))

    def from_bytes(self, data: bytes) -> FieldArray:
        """The elements whose bytes, ceil(m / 8) each and least significant first, stand side by side."""
        count, rest = divmod(memoryview(data).nbytes, self.element_bytes)
        if rest:
            raise ValueError(f"an element has {self.element_bytes} bytes, and {rest} are left over")
        words = np.empty((count, self.element_words), dtype=self._dtype)
        self._check(self._kernels.read(data, self.element_bytes, words))
        return FieldArray(self, words)

    def from_galois(self, array: Any) -> FieldArray:
        """The elements of an array of `galois`, whose field must have the same f."""
        f = getattr(type(array), "irreducible_poly", None)
        if f is None:
            raise TypeError(f"array is an array of galois, not {type(array).__name__}")
        if int(f) != int(self.modulus):
            raise ValueError("the array is not one of galois with the same modulus")
        return self(array.view(np.ndarray))

    def poly(self, coefficients: Any) -> FieldPoly:
        """The polynomial with these coefficients, that of X^0 first."""
        array = coefficients if isinstance(coefficients, FieldArray) else self(coefficients)
        return FieldPoly(self._own(array))

    def _own(self, array: FieldArray) -> FieldArray:
        if array.field != self:
            raise OtherField("elements of another field")
        return array

    def _element(self, value: Any) -> FieldArray:
        return self._own(value) if isinstance(value, FieldArray) else self(value)

    def _check(self, invalid: int | None) -> None:
        if invalid is not None:
            raise ValueError(f"element {invalid} has bits from z^{self.degree} on")

    def __eq__(self, other: object) -> bool:
        return self.modulus == other.modulus if isinstance(other, Field) else NotImplemented

    def __hash__(self) -> int:
        return hash(("carryless.Field", self.modulus))

    def __repr__(self) -> str:
        return f"GF(2, {self.degree}, {self.modulus.exponents()})"

    def __reduce__(self) -> tuple[Callable[[GF2X], Field], tuple[GF2X]]:
        return _field, (self.modulus,)


def _holds_arrays(values: list[Any] | tuple[Any, ...]) -> bool:
    """Whether arrays are among the values or nested in them: numpy would see their integers only, whatever their field."""
    kinds = set(map(type, values))
    if any(issubclass(kind, (FieldArray, np.ndarray)) for kind in kinds):
        return True
    return not kinds.isdisjoint((list, tuple)) and any(
        _holds_arrays(value) for value in values if isinstance(value, (list, tuple))
    )


def _array(values: Any) -> NDArray[Any]:
    """The array of integers, or of objects if not all are integers of one kind or shape: numpy would make one kind of an integer and a text."""
    try:
        array = np.array(values)
    except ValueError:
        array = np.array(values, dtype=object)
    return array if array.dtype.kind in "iu" else np.array(values, dtype=object)


def _tuple(shape: Shape) -> tuple[int, ...]:
    return tuple(shape) if isinstance(shape, (tuple, list)) else (operator.index(shape),)
