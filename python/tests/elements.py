"""Elements as numpy's arrays of objects have them: the reference of the tests of numpy's functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import galois
import numpy as np
import pytest
from carryless import GF, GF2X, Field, FieldArray

# The types of numpy's functions know its own arrays only.
NP: Any = np
GALOIS: Any = galois.GF(2**8)
F8 = GF(2, 8, int(GALOIS.irreducible_poly))
# Of one word and of two.
FIELDS = [F8, GF(2, 100)]
OTHER = GF(2, 9)
fields = pytest.mark.parametrize("F", FIELDS, ids=lambda F: str(F.degree))


@dataclass(frozen=True)
class Element:
    """An element as numpy's arrays of objects have it."""

    value: int
    field: Field

    def _of(self, value: GF2X) -> Element:
        return Element(int(value % self.field.modulus), self.field)

    def __add__(self, other: Element) -> Element:
        return Element(self.value ^ other.value, self.field)

    __sub__ = __add__

    def __mul__(self, other: Element) -> Element:
        return self._of(GF2X(self.value) * GF2X(other.value))

    def __truediv__(self, other: Element) -> Element:
        return self * self._of(GF2X(other.value).inverse(self.field.modulus))

    def __neg__(self) -> Element:
        return self

    def __pos__(self) -> Element:
        return self

    def __pow__(self, e: int) -> Element:
        return self._of(pow(GF2X(self.value), e, self.field.modulus))


def reference(F: Field, array: FieldArray) -> Any:
    """The same elements as objects."""
    objects = np.empty(array.shape, dtype=object)
    for index in np.ndindex(array.shape):
        objects[index] = Element(int(array[index]), F)
    return objects


def plain(value: Any) -> Any:
    """Nested lists of int and the shape, of whatever a call returned. numpy fills with 0, and gives 0 and 1 for sums and products of nothing."""
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, FieldArray):
        return value.shape, value.tolist()
    objects = np.asarray(value, dtype=object)
    flat = [part.value if isinstance(part, Element) else int(part) for part in objects.ravel()]
    numbers = np.empty(len(flat), dtype=object)
    numbers[:] = flat
    return objects.shape, numbers.reshape(objects.shape).tolist()


def outcome(call: Callable[[], Any]) -> Any:
    """What a call returns, or the class of what it raises."""
    try:
        return plain(call())
    except Exception as error:
        return TypeError if isinstance(error, TypeError) else type(error)


def nonzero(F: Field, shape: tuple[int, ...], seed: int) -> FieldArray:
    array = F.random(shape, seed)
    array[array.is_zero()] = 1
    return array
