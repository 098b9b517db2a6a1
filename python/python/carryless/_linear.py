"""Linear algebra over arrays of elements: methods of `FieldArray` and `numpy.linalg`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.linalg import LinAlgError

from . import _carryless, _protocol

if TYPE_CHECKING:
    from .arrays import FieldArray
    from .fields import Field
    from .polynomials import FieldPoly


def _matrix(a: FieldArray) -> tuple[int, int]:
    """The shape of a matrix; a LinAlgError for what is none."""
    if a.ndim != 2:
        raise LinAlgError(f"a matrix has two axes, not {a.ndim}")
    return a.shape[0], a.shape[1]


def _square(a: FieldArray) -> int:
    """Rows of a square matrix, or of each in a stack; a LinAlgError for any other shape."""
    if a.ndim < 2 or a.shape[-2] != a.shape[-1]:
        raise LinAlgError(f"square matrices are needed, not an array of shape {a.shape}")
    return a.shape[-1]


def reduce(a: FieldArray, until: int | None = None) -> tuple[FieldArray, list[int]]:
    """The matrix with its first columns, by default all, in reduced row echelon form, and the columns with pivots."""
    shape = _matrix(a)
    out = a.field.zeros(shape)
    pivots = _carryless.row_reduce(
        a.field._kernels, np.ascontiguousarray(a.words), shape, shape[1] if until is None else until, out.words
    )
    return out, pivots


def row_reduce(a: FieldArray, ncols: SupportsIndex | None) -> FieldArray:
    columns = _matrix(a)[1]
    until = columns if ncols is None else operator.index(ncols)
    if not 0 <= until <= columns:
        raise ValueError(f"ncols is a number of columns from 0 to {columns}, not {until}")
    return reduce(a, until)[0]


def row_space(a: FieldArray) -> FieldArray:
    reduced, pivots = reduce(a)
    return reduced[: len(pivots)].copy()


def null_space(a: FieldArray) -> FieldArray:
    reduced, pivots = reduce(a)
    free = np.setdiff1d(np.arange(a.shape[1]), pivots)
    basis = a.field.zeros((len(free), a.shape[1]))
    # x has any value in a free column, and in the column of pivot i the sum of row i's entries times these.
    basis[np.arange(len(free)), free] = 1
    basis[:, pivots] = reduced[: len(pivots)][:, free].T
    return row_space(basis)


def triangles(a: FieldArray) -> tuple[list[int], FieldArray, FieldArray]:
    """Row numbers, L and U: the rows of `a` in the order of the numbers are L U."""
    rows, columns = _matrix(a)
    lower, upper = a.field.zeros((rows, rows)), a.field.zeros((rows, columns))
    order = _carryless.plu(a.field._kernels, np.ascontiguousarray(a.words), (rows, columns), lower.words, upper.words)
    return order, lower, upper


def characteristic_poly(a: FieldArray) -> FieldPoly:
    n = _square(a)
    coefficients = a.field.zeros(n + 1)
    _carryless.characteristic_poly(a.field._kernels, np.ascontiguousarray(a.words), n, coefficients.words)
    return a.field.poly(coefficients)


def minimal_poly(a: FieldArray) -> FieldPoly:
    """The least common multiple of those of vectors whose images span everything: powers of `a` times a vector, up to the first that depends on those before."""
    n, field = _square(a), a.field
    every, spanned, least = field.identity(n), field.zeros((0, n)), field.poly([1])
    hstack: Any = np.hstack
    vstack: Any = np.vstack
    while len(spanned) < n:
        # A vector outside of what is spanned: a column without pivot.
        free = np.setdiff1d(np.arange(n), reduce(spanned)[1])[0]
        images = every[:, free : free + 1]
        power = a
        while images.shape[1] <= n:
            # Twice as many: A^k times the k images before.
            images = hstack([images, power @ images])
            power = power @ power
        reduced, pivots = reduce(images)
        degree = len(pivots)
        # The first image without a pivot is the sum of those before, by the entries of its column.
        annihilator = field.poly(hstack([reduced[:degree, degree], [1]]))
        least = least * annihilator // least.gcd(annihilator)
        spanned = row_space(vstack([spanned, images[:, :degree].T]))
    return least


def _each(a: FieldArray, shape: tuple[int, ...], function: Callable[[Any], Any]) -> FieldArray:
    """The results of a function, of this shape, for each matrix of a stack."""
    stack = a.shape[:-2]
    results = a.field.zeros((*stack, *shape))
    for i in np.ndindex(stack):
        results[i] = function(i)
    return results


def solve(field: Field, a: FieldArray, b: FieldArray) -> FieldArray:
    n, vector = _square(a), b.ndim == 1
    right = b.reshape(-1, 1) if vector else b
    if right.ndim < 2 or right.shape[-2] != n:
        raise ValueError(f"shapes {a.shape} and {b.shape} do not fit")
    stack, k = np.broadcast_shapes(a.shape[:-2], right.shape[:-2]), right.shape[-1]
    spread: Any = np.broadcast_to
    lefts, rights = spread(a, (*stack, n, n)), spread(right, (*stack, n, k))
    hstack: Any = np.hstack

    def one(i: tuple[int, ...]) -> FieldArray:
        both, pivots = reduce(hstack([lefts[i], rights[i]]), n)
        if len(pivots) < n:
            raise LinAlgError("the matrix is singular")
        return both[:, n:]

    x = _each(lefts, (n, k), one)
    return x[..., 0] if vector else x


def inv(field: Field, a: FieldArray) -> FieldArray:
    return solve(field, a, field.identity(_square(a)))


def det(field: Field, a: FieldArray) -> FieldArray:
    n = _square(a)

    def one(i: tuple[int, ...]) -> Any:
        if field.degree == 1:
            return int(len(reduce(a[i])[1]) == n)
        diagonal = np.arange(n)
        return triangles(a[i])[2][diagonal, diagonal].prod()

    return _each(a, (), one)


def matrix_rank(field: Field, a: FieldArray) -> Any:
    if a.ndim < 2:
        return int(not a.is_zero().all())
    ranks = np.zeros(a.shape[:-2], dtype=np.intp)
    for i in np.ndindex(ranks.shape):
        ranks[i] = len(reduce(a[i])[1])
    return ranks[()]


def matrix_power(field: Field, a: FieldArray, n: SupportsIndex) -> FieldArray:
    size, e = _square(a), operator.index(n)
    spread: Any = np.broadcast_to
    power: FieldArray = spread(field.identity(size), a.shape).copy()
    base = a if e >= 0 else inv(field, a)
    for bit in f"{abs(e):b}":
        power = _protocol.matmul(power, power, None)
        if bit == "1":
            power = _protocol.matmul(power, base, None)
    return power
