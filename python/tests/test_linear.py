"""Linear algebra against Gaussian elimination on int, and against `galois`."""

from collections.abc import Callable
from typing import Any

import galois
import numpy as np
import pytest
from carryless import GF, Field, FieldArray
from test_gf2x import ends_by_a_signal, mul

# The types of numpy's functions know its own arrays only.
NP: Any = np
LinAlgError = np.linalg.LinAlgError
Rows = list[list[int]]

GALOIS: list[Any] = [galois.GF(q) for q in (2, 4, 2**8, 2**32, 2**100)]
FIELDS = [GF(2), *(GF(G.order, None, int(G.irreducible_poly)) for G in GALOIS[1:])]
both = pytest.mark.parametrize(("F", "G"), list(zip(FIELDS, GALOIS)), ids=[str(F.degree) for F in FIELDS])
fields = pytest.mark.parametrize("F", FIELDS, ids=lambda F: str(F.degree))


def times(F: Field, a: int, b: int) -> int:
    product, f = mul(a, b), int(F.modulus)
    while product.bit_length() >= f.bit_length():
        product ^= f << product.bit_length() - f.bit_length()
    return product


def inverse(F: Field, a: int) -> int:
    power = 1
    for _ in range(F.degree - 1):
        a = times(F, a, a)
        power = times(F, power, a)
    return power if F.degree > 1 else a


def textbook(F: Field, rows: Rows, until: int) -> tuple[Rows, list[int]]:
    """The reduced row echelon form of the first columns, and the columns with pivots."""
    pivots: list[int] = []
    rows = [row[:] for row in rows]
    for column in range(until):
        top = len(pivots)
        found = next((i for i in range(top, len(rows)) if rows[i][column]), None)
        if found is None:
            continue
        rows[top], rows[found] = rows[found], rows[top]
        scale = inverse(F, rows[top][column])
        rows[top] = [times(F, scale, x) for x in rows[top]]
        for i in range(len(rows)):
            if i != top:
                factor = rows[i][column]
                rows[i] = [x ^ times(F, factor, y) for x, y in zip(rows[i], rows[top])]
        pivots.append(column)
    return rows, pivots


def product(F: Field, a: Rows, b: Rows) -> Rows:
    result = [[0] * len(b[0]) for _ in a]
    for i, row in enumerate(a):
        for k, x in enumerate(row):
            result[i] = [sum_ ^ times(F, x, y) for sum_, y in zip(result[i], b[k])]
    return result


def of_rank(F: Field, rows: int, columns: int, rank: int, seed: int) -> FieldArray:
    left, right = F.random((rows, rank), seed), F.random((rank, columns), seed + 1)
    return F(product(F, left.tolist(), right.tolist())) if rank else F.zeros((rows, columns))


SHAPES = [(1, 1, 1), (3, 3, 3), (3, 3, 2), (4, 7, 4), (7, 4, 3), (9, 9, 9), (5, 70, 5), (6, 6, 0)]


@both
def test_echelon_forms_and_spaces(F: Field, G: Any) -> None:
    for rows, columns, rank in SHAPES:
        a = of_rank(F, rows, columns, rank, 7)
        b = a.to_galois(G)
        for until in (columns, columns // 2, 0):
            assert a.row_reduce(until).tolist() == textbook(F, a.tolist(), until)[0], (rows, columns, until)
        reduced, pivots = textbook(F, a.tolist(), columns)
        assert a.row_reduce().tolist() == reduced == b.row_reduce().tolist()
        assert int(NP.linalg.matrix_rank(a)) == len(pivots)
        assert a.row_space().tolist() == reduced[: len(pivots)]
        for name in ("row_space", "column_space", "null_space", "left_null_space"):
            space = getattr(a, name)()
            assert space.shape == getattr(b, name)().shape and space.tolist() == getattr(b, name)().tolist(), name
        null = a.null_space()
        assert null.shape == (columns - len(pivots), columns) and (a @ null.T).is_zero().all()


@fields
def test_triangles(F: Field) -> None:
    for rows, columns, rank in SHAPES:
        a = of_rank(F, rows, columns, rank, 3)
        p, lower, upper = a.plu_decompose()
        assert product(F, product(F, p.tolist(), lower.tolist()), upper.tolist()) == a.tolist()
        assert p.sum(0).tolist() == p.sum(1).tolist() == [1] * rows
        assert all(lower[i, i] == 1 and not lower[i, i + 1 :].to_numpy().any() for i in range(rows))
        assert all(not upper[i, : min(i, columns)].to_numpy().any() for i in range(rows))
    lower, upper = F([[1, 1, 0], [1, 0, 1], [0, 1, 1]]).lu_decompose()
    assert (lower @ upper).tolist() == [[1, 1, 0], [1, 0, 1], [0, 1, 1]]
    with pytest.raises(ValueError, match="plu_decompose"):
        F([[0, 1], [1, 0]]).lu_decompose()


@both
def test_systems_and_determinants(F: Field, G: Any) -> None:
    singular = 0
    for n in (1, 2, 3, 5, 8, 65):
        a = F.random((n, n), n)
        rows = textbook(F, [row + [int(i == j) for j in range(n)] for i, row in enumerate(a.tolist())], n) if n < 20 else None
        determinant = NP.linalg.det(a)
        assert determinant.shape == () and int(determinant) == int(NP.linalg.det(a.to_galois(G)))
        if int(determinant) == 0:
            singular += 1
            no_inverse: list[Callable[[], Any]] = [
                lambda: NP.linalg.inv(a), lambda: NP.linalg.solve(a, F.ones(n)), lambda: NP.linalg.matrix_power(a, -1),
            ]  # fmt: skip
            for call in no_inverse:
                with pytest.raises(LinAlgError, match="singular"):
                    call()
            continue
        inv = NP.linalg.inv(a)
        assert (a @ inv).tolist() == F.identity(n).tolist() == (inv @ a).tolist()
        assert rows is None or inv.tolist() == [row[n:] for row in rows[0]]
        x, y = F.random(n, 5), F.random((n, 3), 6)
        assert np.array_equal(NP.linalg.solve(a, a @ x), x) and np.array_equal(NP.linalg.solve(a, a @ y), y)
        assert np.array_equal(NP.linalg.matrix_power(a, 3), a @ a @ a)
        assert np.array_equal(NP.linalg.matrix_power(a, -2), inv @ inv)
        assert np.array_equal(NP.linalg.matrix_power(a, 0), F.identity(n))
    assert F.degree > 1 or singular
    assert int(NP.linalg.det(F.zeros((2, 2)))) == 0 and int(NP.linalg.det(F.zeros((0, 0)))) == 1


def test_stacks_are_numpys() -> None:
    F = GF(2, 8)
    a, b = F.random((2, 3, 4, 4), 1), F.random((3, 4, 2), 2)
    a[0, 1] = 0
    ranks, determinants = NP.linalg.matrix_rank(a), NP.linalg.det(a)
    assert ranks.shape == determinants.shape == (2, 3) and ranks[0, 1] == 0 == int(determinants[0, 1])
    a[0, 1] = F.identity(4)
    x, inv = NP.linalg.solve(a, b), NP.linalg.inv(a)
    assert x.shape == (2, 3, 4, 2) and np.array_equal(a @ x, np.broadcast_to(b, x.shape))
    assert np.array_equal(inv[1, 2], NP.linalg.inv(a[1, 2])) and np.array_equal(NP.linalg.matrix_power(a, -1), inv)
    assert NP.linalg.inv(F.zeros((0, 3, 3))).shape == (0, 3, 3) and NP.linalg.solve(F.identity(2), [1, 2]).tolist() == [1, 2]
    assert int(NP.linalg.matrix_rank(F([0, 3]))) == 1 and int(NP.linalg.matrix_rank(F(0))) == 0


@fields
def test_matrices_without_entries(F: Field) -> None:
    wide, high = F.zeros((0, 2)), F.zeros((2, 0))
    assert wide.row_reduce().shape == (0, 2) and high.row_reduce().shape == (2, 0)
    assert wide.null_space().tolist() == F.identity(2).tolist() == high.left_null_space().tolist()
    assert high.null_space().shape == (0, 0) and wide.row_space().shape == (0, 2)
    p, lower, upper = high.plu_decompose()
    assert p.tolist() == lower.tolist() == F.identity(2).tolist() and upper.shape == (2, 0)
    assert [part.shape for part in wide.plu_decompose()] == [(0, 0), (0, 0), (0, 2)]
    assert NP.linalg.inv(F.zeros((0, 0))).shape == (0, 0)


def test_the_field_of_two() -> None:
    F = GF(2)
    assert F == GF(2, 1) == GF(2, 1, 3) and (F.degree, F.order, int(F.modulus)) == (1, 2, 3) and GF(2**8) == GF(2, 8)
    assert repr(F) == "GF(2, 1, [1, 0])" and int(F.primitive_element) == 1
    a, b = F([0, 0, 1, 1]), F([0, 1, 0, 1])
    assert ((a + b).tolist(), (a * b).tolist(), (a - b).tolist()) == ([0, 1, 1, 0], [0, 0, 0, 1], [0, 1, 1, 0])
    assert F(1).inv() == 1 and (b.power(5).tolist(), b.sqrt().tolist(), b.trace().tolist()) == ([0, 1, 0, 1],) * 3
    with pytest.raises(ZeroDivisionError):
        b.inv()
    with pytest.raises(ValueError, match="below 2"):
        F([2])
    rng = np.random.default_rng(4)
    for n, m, k in ((1, 1, 1), (3, 64, 5), (65, 130, 66), (200, 70, 300)):
        x, y = rng.integers(0, 2, (n, m)), rng.integers(0, 2, (m, k))
        assert (F(x) @ F(y)).tolist() == (x @ y % 2).tolist()
    x, y = rng.integers(0, 2, (4, 6, 7)), rng.integers(0, 2, 7)
    assert (F(x) @ F(y)).tolist() == (x @ y % 2).tolist() and (F(y) @ F(y)).tolist() == int(y @ y % 2)


def test_what_is_refused() -> None:
    F, other = GF(2, 8), GF(2, 8, 0x11D)
    a, vector = F.random((3, 4), 1), F.random(3, 2)
    for call in (a.row_reduce, a.null_space, a.plu_decompose):
        with pytest.raises(LinAlgError, match="two axes, not 1"):
            getattr(vector, call.__name__)()
    no_square: list[Callable[[], Any]] = [
        lambda: NP.linalg.inv(a), lambda: NP.linalg.det(a), lambda: NP.linalg.det(vector),
        lambda: NP.linalg.solve(a, vector), lambda: NP.linalg.matrix_power(a, 2),
    ]  # fmt: skip
    for call in no_square:
        with pytest.raises(LinAlgError, match="square"):
            call()
    square = F.identity(3)
    for wrong, error in (
        (lambda: NP.linalg.solve(square, F.ones(4)), "do not fit"), (lambda: NP.linalg.solve(square, F(1)), "do not fit"),
        (lambda: a.row_reduce(5), "from 0 to 4"), (lambda: a.row_reduce(-1), "from 0 to 4"), (lambda: NP.linalg.solve(square, [1, 2, 256]), "below 2"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=error):
            wrong()
    for refused in (
        lambda: NP.linalg.solve(square, other.ones(3)), lambda: NP.linalg.solve(square, [0.5] * 3), lambda: NP.linalg.solve([[1.0]], F([1])),
        lambda: NP.linalg.matrix_rank(a, 1e-9), lambda: NP.linalg.matrix_rank(a, hermitian=True), lambda: NP.linalg.matrix_power(square, 0.5),
        lambda: NP.linalg.eig(square), lambda: a.row_reduce(1.0), lambda: NP.linalg.matrix_power(square, F(1)),  # type: ignore[arg-type]
    ):  # fmt: skip
        with pytest.raises(TypeError):
            refused()
    words = np.full((2, 2, 1), 256, dtype=np.uint64)
    with pytest.raises(ValueError, match="element 0 has bits from"):
        FieldArray(F, words).row_reduce()


def test_a_signal_ends_long_eliminations() -> None:
    big, bits = GF(2, 233).random((700, 700), 1), GF(2).random((12_000, 12_000), 1)
    for call in (big.row_reduce, big.plu_decompose, bits.row_reduce, bits.plu_decompose):
        ends_by_a_signal(call)


@both
def test_characteristic_and_minimal_polynomials(F: Field, G: Any) -> None:
    for n in (1, 2, 3, 6):
        a = F.random((n, n), n)
        found = a.characteristic_poly()
        # galois takes no matrix of one row, and expands determinants by all permutations.
        if n in (2, 3):
            assert found.coefficients.tolist()[::-1] == a.to_galois(G).characteristic_poly().coeffs.tolist()
        # Blocks on a diagonal: those of the blocks, whose least common multiple is the minimal one.
        zero = F.zeros((n, n))
        twice = NP.vstack([NP.hstack([a, zero]), NP.hstack([zero, a])])
        assert twice.characteristic_poly() == found * found and twice.minimal_poly() == a.minimal_poly()
        for matrix in (a, twice, zero, F.identity(n)):
            least = matrix.minimal_poly()
            value = F.zeros(matrix.shape)
            for coefficient in least.coefficients[::-1]:
                value = value @ matrix + coefficient * F.identity(len(matrix))
            assert (
                value.is_zero().all() and (matrix.characteristic_poly() % least).degree == -1 and int(least.coefficients[-1]) == 1
            )
        assert zero.minimal_poly() == F.poly([0, 1]) and F.identity(n).minimal_poly() == F.poly([1, 1])
    # Of degree 2, but no vector of the basis shows both factors.
    mixed = F([[0, 1], [0, 1]])
    assert mixed.minimal_poly() == F.poly([0, 1, 1]) == mixed.characteristic_poly()
    for call in (F.zeros((2, 3)).characteristic_poly, F.zeros((2, 3)).minimal_poly):
        with pytest.raises(LinAlgError):
            call()
