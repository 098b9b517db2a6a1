"""Polynomials over GF(2^m): see :mod:`carryless.fields`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .arrays import FieldArray

if TYPE_CHECKING:
    from .fields import Field

__all__ = ["FieldPoly"]


class FieldPoly:
    """A polynomial over a field, immutable: `coefficients[i]` is that of X^i. Products take a kernel's run for each coefficient of the shorter one.

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
        value = self.field.zeros(x.shape)
        for coefficient in self._coefficients[::-1]:
            value = value * x + coefficient
        return value

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
        short, long = sorted((self._coefficients, self._other(other)), key=len)
        product = self.field.zeros(max(len(short) + len(long) - 1, 0))
        for i, coefficient in enumerate(short):
            product[i : i + len(long)] = product[i : i + len(long)] + coefficient * long
        return FieldPoly(product)

    def __divmod__(self, other: FieldPoly) -> tuple[FieldPoly, FieldPoly]:
        divisor = self._other(other)
        if len(divisor) == 0:
            raise ZeroDivisionError("division by the polynomial 0")
        rest, inverse = self._coefficients.copy(), divisor[-1].inv()
        quotient = self.field.zeros(max(len(rest) - len(divisor) + 1, 0))
        for i in reversed(range(len(quotient))):
            quotient[i] = rest[i + len(divisor) - 1] * inverse
            rest[i : i + len(divisor)] = rest[i : i + len(divisor)] + quotient[i] * divisor
        return FieldPoly(quotient), FieldPoly(rest)

    def __floordiv__(self, other: FieldPoly) -> FieldPoly:
        return divmod(self, other)[0]

    def __mod__(self, other: FieldPoly) -> FieldPoly:
        return divmod(self, other)[1]

    def gcd(self, other: FieldPoly) -> FieldPoly:
        """The monic greatest common divisor; 0 for 0 and 0."""
        a, b = self, FieldPoly(self._other(other))
        while b.degree >= 0:
            a, b = b, a % b
        return FieldPoly(a._coefficients * a._coefficients[-1].inv()) if a.degree >= 0 else a

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FieldPoly):
            return NotImplemented
        return self.field == other.field and bool(np.array_equal(self._coefficients, other._coefficients))

    def __hash__(self) -> int:
        return hash((self.field, self._coefficients.to_bytes()))

    def __repr__(self) -> str:
        return f"{self.field!r}.poly({[hex(c) for c in self._coefficients.tolist()]})"
