"""Polynomials over GF(2^m): see :mod:`carryless.fields`."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from . import _carryless
from .arrays import FieldArray

if TYPE_CHECKING:
    from .fields import Field

__all__ = ["FieldPoly", "crt", "lagrange_poly"]


class FieldPoly:
    """A polynomial over a field, immutable: `coefficients[i]` is that of X^i.

    >>> from carryless import GF
    >>> F = GF(2, 8)
    >>> a = F.poly([1, 1])
    >>> (a * a).coefficients.tolist()
    [1, 0, 1]
    >>> int(a(2))
    3
    """

    __slots__ = ("_coefficients",)

    def __init__(self, coefficients: FieldArray) -> None:
        if not isinstance(coefficients, FieldArray):
            raise TypeError("a Field makes polynomials: F.poly(...)")
        if coefficients.ndim != 1:
            raise ValueError("coefficients are an array of one axis")
        used = np.flatnonzero(~coefficients.is_zero())
        self._coefficients = coefficients[: int(used[-1]) + 1 if used.size else 0].copy()
        self._coefficients.words.flags.writeable = False

    def __reduce__(self) -> tuple[type[FieldPoly], tuple[FieldArray]]:
        # By the constructor, so that the coefficients of a copy are read-only, too.
        return FieldPoly, (self._coefficients,)

    @property
    def field(self) -> Field:
        """The field."""
        return self._coefficients.field

    @property
    def coefficients(self) -> FieldArray:
        """That of X^0 first, without zeros at the end; read-only."""
        return self._coefficients

    @property
    def degree(self) -> int:
        """The degree; -1 for 0."""
        return len(self._coefficients) - 1

    def __call__(self, points: Any) -> FieldArray:
        """The values at points, by Horner's rule for all of them at once."""
        x = self.field._element(points)
        values = self.field.zeros(x.shape)
        words = np.ascontiguousarray(x.words)
        _carryless.poly_values(self.field._kernels, self._coefficients.words, words, values.words)
        return values

    def _other(self, other: Any) -> FieldArray:
        if not isinstance(other, FieldPoly):
            raise TypeError("a polynomial is added to and multiplied by polynomials")
        return self.field._own(other._coefficients)

    def __add__(self, other: FieldPoly) -> FieldPoly:
        b = self._other(other)
        total = self.field.zeros(max(len(self._coefficients), len(b)))
        total[: len(self._coefficients)] = self._coefficients
        total[: len(b)] = total[: len(b)] + b
        return FieldPoly(total)

    __sub__ = __add__

    def __mul__(self, other: FieldPoly) -> FieldPoly:
        b = self._other(other)
        product = self.field.zeros(max(len(self._coefficients) + len(b) - 1, 0))
        _carryless.poly_mul(self.field._kernels, self._coefficients.words, b.words, product.words)
        return FieldPoly(product)

    def __divmod__(self, other: FieldPoly) -> tuple[FieldPoly, FieldPoly]:
        a, divisor = self._coefficients, self._other(other)
        quotient = self.field.zeros(max(len(a) - len(divisor) + 1, 0))
        rest = self.field.zeros(min(len(a), max(len(divisor) - 1, 0)))
        _carryless.poly_divmod(self.field._kernels, a.words, divisor.words, quotient.words, rest.words)
        return FieldPoly(quotient), FieldPoly(rest)

    def __pow__(self, exponent: SupportsIndex, modulus: FieldPoly | None = None) -> FieldPoly:
        """The power, or with `pow(a, e, f)` modulo f. An exponent is not negative."""
        e = operator.index(exponent)
        if e < 0:
            raise ValueError("a negative exponent")
        if modulus is not None:
            f = self._other(modulus)
            power = self.field.zeros(max(len(f) - 1, 0))
            _carryless.poly_pow(self.field._kernels, self._coefficients.words, e, f.words, power.words)
            return FieldPoly(power)
        result = self.field.poly([1])
        for bit in f"{e:b}" if e else "":
            result = result * result
            if bit == "1":
                result = result * self
        return result

    def __floordiv__(self, other: FieldPoly) -> FieldPoly:
        return divmod(self, other)[0]

    def __mod__(self, other: FieldPoly) -> FieldPoly:
        return divmod(self, other)[1]

    def gcd(self, other: FieldPoly) -> FieldPoly:
        """The monic greatest common divisor; 0 for 0 and 0."""
        b = self._other(other)
        divisor = self.field.zeros(max(len(self._coefficients), len(b)))
        _carryless.poly_gcd(self.field._kernels, self._coefficients.words, b.words, divisor.words)
        return FieldPoly(divisor)

    def xgcd(self, other: FieldPoly) -> tuple[FieldPoly, FieldPoly, FieldPoly]:
        """The gcd d, and s and t with d = s a + t b for this polynomial a and another b."""
        one, zero = self.field.poly([1]), self.field.poly([])
        (a, s, t), (b, u, v) = (self, one, zero), (FieldPoly(self._other(other)), zero, one)
        while b.degree >= 0:
            quotient, rest = divmod(a, b)
            (a, s, t), (b, u, v) = (b, u, v), (rest, s - quotient * u, t - quotient * v)
        scale = self.field.poly(a._coefficients[-1:].inv())
        return a * scale, s * scale, t * scale

    def derivative(self) -> FieldPoly:
        """The derivative."""
        below = self._coefficients[1:].copy()
        below[1::2] = 0
        return FieldPoly(below)

    def is_irreducible(self) -> bool:
        """Whether this has no factor of lower degree but elements, and is no element."""
        return _carryless.poly_is_irreducible(self.field._kernels, self._coefficients.words)

    def factor(self) -> list[tuple[FieldPoly, int]]:
        """The irreducible factors with the highest coefficient 1 and their multiplicities, by degree; a ValueError for 0.

        >>> from carryless import GF
        >>> F = GF(2, 8)
        >>> [(f.coefficients.tolist(), e) for f, e in (F.poly([5, 1]) ** 2 * F.poly([7, 1])).factor()]
        [([5, 1], 2), ([7, 1], 1)]
        """
        factors = _carryless.poly_factor(self.field._kernels, self._coefficients.words)
        return [(FieldPoly(self._of_words(words)), e) for words, e in factors]

    def roots(self, multiplicity: bool = False) -> Any:
        """The roots in the field, each once, ascending as integers; with multiplicity=True a pair of them and an array of their multiplicities. A
        ValueError for 0.

        >>> from carryless import GF
        >>> F = GF(2, 8)
        >>> (F.poly([5, 1]) ** 2 * F.poly([7, 1])).roots().tolist()
        [5, 7]
        """
        roots = _carryless.poly_roots(self.field._kernels, self._coefficients.words)
        elements = self._of_words([word for words, _ in roots for word in words])
        return (elements, np.array([e for _, e in roots], dtype=np.intp)) if multiplicity else elements

    def _of_words(self, words: list[int]) -> FieldArray:
        rows = np.array(words, dtype=np.uint64).reshape(-1, self.field.element_words)
        return FieldArray(self.field, rows.astype(self.field._dtype))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FieldPoly):
            return NotImplemented
        return self.field == other.field and bool(np.array_equal(self._coefficients, other._coefficients))

    def __hash__(self) -> int:
        return hash((self.field, self._coefficients.to_bytes()))

    def __repr__(self) -> str:
        return f"{self.field!r}.poly({[hex(c) for c in self._coefficients.tolist()]})"


def lagrange_poly(x: FieldArray, y: Any) -> FieldPoly:
    """The polynomial of degree below n with the values `y` at n different points `x`, by Newton's divided differences.

    >>> from carryless import GF, lagrange_poly
    >>> F = GF(2, 8)
    >>> lagrange_poly(F([1, 2, 3]), [5, 6, 7]).coefficients.tolist()
    [4, 1]
    """
    if not isinstance(x, FieldArray):
        raise TypeError(f"points are elements of a field, not {type(x).__name__}")
    field, values = x.field, x.field._element(y)
    if x.ndim != 1 or values.shape != x.shape:
        raise ValueError(f"one axis of points and as many values, not the shapes {x.shape} and {values.shape}")
    coefficients = field.zeros(len(x))
    points = np.ascontiguousarray(x.words)
    _carryless.poly_interpolate(field._kernels, points, np.ascontiguousarray(values.words), coefficients.words)
    return FieldPoly(coefficients)


def crt(remainders: Sequence[FieldPoly], moduli: Sequence[FieldPoly]) -> FieldPoly:
    """The polynomial of least degree with these remainders, one for each modulus. A ValueError if there is none, which needs moduli with common factors.

    >>> from carryless import GF, crt
    >>> F = GF(2, 8)
    >>> crt([F.poly([5]), F.poly([6])], [F.poly([1, 1]), F.poly([2, 1])]).coefficients.tolist()
    [4, 1]
    """
    if len(remainders) != len(moduli) or not moduli:
        raise ValueError(f"as many remainders as moduli, at least one, not {len(remainders)} and {len(moduli)}")
    result, product = remainders[0] % moduli[0], moduli[0]
    for remainder, modulus in zip(remainders[1:], moduli[1:]):
        common, factor, _ = product.xgcd(modulus)
        quotient, rest = divmod(remainder - result, common)
        if rest.degree >= 0:
            raise ValueError("remainders that differ modulo a common factor of two moduli")
        other = modulus // common
        result = result + product * (quotient * factor % other)
        product = product * other
    return result
