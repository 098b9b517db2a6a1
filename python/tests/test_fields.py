"""Arrays over GF(2^m) against the vector files, `galois`, and arithmetic by GF2X."""

import pickle
from collections.abc import Callable
from typing import Any

import galois
import numpy as np
import pytest
import vectors
from carryless import GF, GF2X, Element, Field, FieldArray
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

# The types of numpy's functions know its own arrays only.
NP: Any = np

# Sparse and dense f, of one word and of several; galois's own f for 2^100 has 33 terms.
DENSE_100 = "X^100 + X^57 + X^56 + X^55 + X^52 + X^48 + X^47 + X^46 + X^45 + X^44 + X^43 + X^41 + X^37 + X^36 + X^35 + X^34 + X^31 + X^30 + X^27 + X^25 + X^24 + X^22 + X^20 + X^19 + X^16 + X^15 + X^11 + X^9 + X^8 + X^6 + X^5 + X^3 + 1"
FIELDS = [
    GF(2),
    GF(2, 2),
    GF(2, 8),
    GF(2, 8, 0x11D),
    GF(2, 32),
    GF(2, 61),
    GF(2, 64),
    GF(2, 100),
    GF(2, 100, DENSE_100),
    GF(2, 233),
    GF(2, 1279),
]
fields = pytest.mark.parametrize("F", FIELDS, ids=lambda F: f"{F.degree}-{F.modulus.weight}")


def ints(F: Field, shape: Any, seed: int = 1) -> FieldArray:
    """Random elements, 0 and 1 among them."""
    array = F.random(shape, seed)
    array.ravel()[:2] = [0, 1]
    return array


def one_by_one(F: Field, a: FieldArray, b: FieldArray) -> list[int]:
    return [int(GF2X(x) * GF2X(y) % F.modulus) for x, y in zip(a.ravel().tolist(), b.ravel().tolist())]


def test_vectors() -> None:
    count = 0
    for test in vectors.tests("gf2m"):
        if "mul" not in test or test["result"] != "valid":
            continue
        F = GF(2, test["m"], test["poly"])
        value = {
            name: F.from_bytes(vectors.hex_of(test, name)) for name in ("a", "b", "mul", "sqr", "sqrt", "inv") if test.get(name)
        }
        a = value["a"]
        assert np.array_equal(a * value["b"], value["mul"]), test["tcId"]
        assert np.array_equal(a.square(), value["sqr"]) and np.array_equal(a.sqrt(), value["sqrt"]), test["tcId"]
        assert a.is_zero().any() or np.array_equal(a.inv(), value["inv"]), test["tcId"]
        assert a.trace().tolist() == [test["trace"]]
        count += 1
    assert count > 100


@fields
def test_operations_follow_polynomials(F: Field) -> None:
    a, b = ints(F, (5, 7)), ints(F, (5, 7), 2)
    assert (a * b).ravel().tolist() == one_by_one(F, a, b)
    assert np.array_equal(a + b, a - b) and (a + b).tolist() == [
        [int(GF2X(x) + GF2X(y)) for x, y in zip(*rows)] for rows in zip(a.tolist(), b.tolist())
    ]
    nonzero: Any = np.where(a.is_zero(), 1, a)
    assert np.array_equal(nonzero * nonzero.inv(), F.ones((5, 7)))
    assert np.array_equal(b / nonzero * nonzero, b)
    assert np.array_equal(a.sqrt().square(), a) and np.array_equal(np.sqrt(a), a.sqrt())
    assert np.array_equal(a**3, a * a * a) and np.array_equal(nonzero**-2, (nonzero * nonzero).inv())
    assert np.array_equal(a ** (F.order - 1), np.where(a.is_zero(), 0, F.ones((5, 7))))
    assert np.array_equal(a**0, F.ones((5, 7)))
    assert np.array_equal(a.frobenius(F.degree), a)
    c = a.square() + a
    assert not c.trace().any()
    x = c.solve()
    assert np.array_equal(x.square() + x, c)
    with pytest.raises(ZeroDivisionError):
        a.inv()
    with pytest.raises(ZeroDivisionError):
        b / a


@fields
def test_products_of_matrices(F: Field) -> None:
    a, b, v = ints(F, (3, 4)), ints(F, (4, 5), 2), ints(F, 4, 3)
    by_sums = (a.reshape(3, 4, 1) * b.reshape(1, 4, 5)).sum(axis=1)
    assert np.array_equal(a @ b, by_sums)
    assert np.array_equal(a @ v, (a * v).sum(axis=1)) and np.array_equal(v @ b, (v.reshape(4, 1) * b).sum(axis=0))
    assert np.array_equal(v @ v, (v * v).sum()) and np.array_equal(np.dot(v, v), v.dot(v))
    stack = ints(F, (2, 1, 3, 4), 4) @ ints(F, (6, 4, 2), 5)
    assert stack.shape == (2, 6, 3, 2)
    assert (F.zeros((2, 0)) @ F.zeros((0, 3))).tolist() == F.zeros((2, 3)).tolist()
    with pytest.raises(ValueError, match="do not fit"):
        a @ a


@settings(max_examples=60, deadline=None)
@given(shapes=npst.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4), data=st.data())
def test_shapes_are_numpys(shapes: Any, data: st.DataObject) -> None:
    F = FIELDS[data.draw(st.integers(0, len(FIELDS) - 1))]
    left, right = shapes.input_shapes
    a, b = F.random(left, 1), F.random(right, 2)
    for operation in (NP.add, NP.multiply):
        result = operation(a, b)
        assert result.shape == shapes.result_shape
        out = F.zeros(shapes.result_shape)
        assert operation(a, b, out=out) is out and np.array_equal(out, result)
    full = NP.broadcast_to(a, shapes.result_shape)
    index = data.draw(npst.basic_indices(full.shape))
    assert full[index].tolist() == np.asarray(full.to_numpy()[index], dtype=object).tolist()
    assert full.sum().tolist() == (np.bitwise_xor.reduce(full.to_numpy(), axis=None) if full.size else 0)


def test_structure() -> None:
    F = GF(2, 100)
    a = ints(F, (2, 3))
    as_ints = a.to_numpy()
    for function in (
        lambda x: np.concatenate([x, x], axis=1), lambda x: np.stack([x, x]), lambda x: np.flip(x, 0), lambda x: np.roll(x, 1),
        lambda x: np.tile(x, 2), lambda x: np.repeat(x, 3, axis=0), lambda x: np.moveaxis(x, 0, 1), lambda x: np.rot90(x),
        lambda x: np.expand_dims(x, 1), lambda x: np.transpose(x), lambda x: np.reshape(x, (3, 2)), lambda x: np.ravel(x), lambda x: x.T,
        lambda x: np.take(x, [0, 5]), lambda x: x[:, ::-1], lambda x: x[x.shape[0] - 1], lambda x: x[[1, 0]], lambda x: x[..., 1:],
    ):  # fmt: skip
        assert function(a).tolist() == function(as_ints).tolist()
    assert a.prod().tolist() == 0 and np.prod(a[1:]).tolist() == int(a[1, 0] * a[1, 1] * a[1, 2])
    assert np.array_equal(a.prod(axis=0), a[0] * a[1])
    with pytest.raises(TypeError):
        np.sin(a)
    with pytest.raises(TypeError):
        np.add.at(a, [0], a[0])
    with pytest.raises(TypeError):
        np.median(a)


def test_memory_is_shared() -> None:
    F = GF(2, 100)
    words = np.zeros((3, 2), dtype=np.uint64)
    a = F.from_words(words)
    assert a.words is words
    a[1] = 7
    assert words[1, 0] == 7
    a[0:2].words[0, 0] = 5
    assert a.tolist() == [5, 7, 0]
    before = a.copy()
    NP.multiply(a, a, out=a)
    assert np.array_equal(a, before.square())
    NP.add(a[::2], 1, out=a[::2])
    assert a.tolist() == [16, 21, 1]
    with pytest.raises(ValueError, match="element 1 has bits from z\\^100"):
        F.from_words(np.array([[0, 0], [0, 1 << 40]], dtype=np.uint64))
    frozen = a.copy()
    frozen.words.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        NP.multiply(a, a, out=frozen)


def test_small_fields_have_narrow_elements() -> None:
    """Kernels take 1, 2 and 4 bytes an element as they are; results are those of words of single elements."""
    rng = np.random.default_rng(4)
    for m, dtype in (
        (1, np.uint8),
        (8, np.uint8),
        (9, np.uint16),
        (16, np.uint16),
        (17, np.uint32),
        (32, np.uint32),
        (33, np.uint64),
    ):
        F = GF(2, m)
        a, b = F.random((30, 7), rng), F.random((30, 7), rng)
        assert a.words.dtype == dtype and a.words.shape == (30, 7, 1)
        a[a.is_zero()] = 1
        pairs = [(F.element(x), F.element(y)) for x, y in zip(a.ravel().tolist(), b.ravel().tolist())]
        cases: list[tuple[FieldArray, Callable[[Element, Element], Any]]] = [
            (a + b, lambda x, y: x + y), (a * b, lambda x, y: x * y), (b / a, lambda x, y: y / x), (a.inv(), lambda x, y: x.inv()), (a**5, lambda x, y: x**5),
            (a[:, ::2] * b[0, 0], lambda x, y: x * pairs[0][1]), (a.square(), lambda x, y: x * x), (a.sqrt(), lambda x, y: x.sqrt()), (a.T.copy().T * 1, lambda x, y: x),
        ]  # fmt: skip
        for found, function in cases:
            chosen = np.reshape(np.arange(210), (30, 7))[:, :: 2 if found.shape[1] == 4 else 1].ravel()
            assert found.words.dtype == dtype and found.ravel().tolist() == [int(function(*pairs[i])) for i in chosen]
        identity = F.identity(7)
        assert np.array_equal(a @ identity, a) and (a @ b.T)[3, 4].tolist() == (a[3] * b[4]).sum().tolist()
        out = F.zeros((30, 7))
        NP.multiply(a, b, out=out[::-1])
        assert np.array_equal(out[::-1], a * b) and np.array_equal(pickle.loads(pickle.dumps(a)), a)
        assert a.to_numpy().dtype == np.uint64 and np.array_equal(F(a.to_numpy()), a) and np.array_equal(F(a.tolist()), a)
        assert np.array_equal(F.from_bytes(a.to_bytes()).reshape(30, 7), a) and F.from_words(a.words).words is a.words
        for wrong in {np.uint8, np.uint16, np.uint32, np.uint64} - {dtype}:
            with pytest.raises(TypeError, match=f"numpy.{np.dtype(dtype)}"):
                F.from_words(a.words.astype(wrong))
        if m not in (8, 16, 32):
            with pytest.raises(ValueError, match=f"element 1 has bits from z\\^{m}"):
                F.from_words(np.array([[0], [1 << m]], dtype=dtype))


def test_lists_of_integers() -> None:
    F = GF(2, 12)
    assert F([5, 6]).tolist() == F((5, 6)).tolist() == F([5, True + 5]).tolist() == [5, 6] and F([]).shape == (0,)
    assert F([True, np.uint8(3), GF2X(7), F(2)]).tolist() == [1, 3, 7, 2] and F([[1, 2], [3, 4]]).shape == (2, 2)
    for wrong, error in (
        ([1, 4096], ValueError),
        ([1, -1], ValueError),
        ([1, 1 << 70], ValueError),
        ([1, 2.0], TypeError),
        ([1, "2"], TypeError),
    ):
        with pytest.raises(error):
            F(wrong)


def test_errors() -> None:
    F, G = GF(2, 100), GF(2, 101)
    for call, message in (
        (lambda: GF(3, 2), "characteristic 2"), (lambda: GF(2, 0), "from 1 to 1279"), (lambda: GF(2, 1280), "from 1 to 1279"), (lambda: GF(12), "characteristic 2"),
        (lambda: GF(2, 8, 0x100), "reducible"), (lambda: GF(2, 8, 0x13), "degree 4, not 8"), (lambda: F([1 << 100]), "below 2\\^100"),
        (lambda: F([-1]), "below 2\\^100"), (lambda: F(np.array([-1])), "below 2\\^100"), (lambda: F.from_bytes(b"1234"), "13 bytes"),
        (lambda: F.from_words(np.zeros(3, dtype=np.uint64)), "2 words"), (lambda: F([1 << i for i in range(100)]).solve(), "no solution"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            call()
    for wrong in (
        lambda: F([1]) + G([1]),
        lambda: F([1.5]),
        lambda: F(np.array([1.5])),
        lambda: F([1]) ** F([1]),
        lambda: int(F([1, 2])),
        lambda: len(F(1)),
        lambda: hash(F(1)),
    ):
        with pytest.raises(TypeError):
            wrong()
    assert F != G and GF(2, 233) is GF(2, 233) and pickle.loads(pickle.dumps(F)) == F


@given(st.integers(0, (1 << 100) - 1))
def test_forms(value: int) -> None:
    F = GF(2, 100)
    a = F(value)
    assert a.shape == () and int(a) == value and bool(a) == bool(value) and a.tolist() == value
    assert F.from_bytes(a.to_bytes()).tolist() == [value] and F(GF2X(value)).tolist() == value
    assert np.array_equal(pickle.loads(pickle.dumps(a)), a)
    assert eval(repr(F([value, 1])), {"GF": lambda *args: lambda values: [int(v) for v in values]}) == [value, 1]


@pytest.mark.parametrize("m", [8, 20, 32])
def test_galois_agrees(m: int) -> None:
    G: Any = galois.GF(2**m)
    F = GF(2, m, int(G.irreducible_poly))
    x, y = G.Random((4, 50), seed=1, low=1), G.Random((4, 50), seed=2, low=1)
    a, b = F.from_galois(x), F.from_galois(y)
    for ours, theirs in ((a * b, x * y), (a / b, x / y), (a + b, x + y), (a**5, x**5), (a @ b.T, x @ y.T)):
        assert np.array_equal(ours.to_galois(G), theirs) and ours.tolist() == np.asarray(theirs).tolist()
    assert a.trace().tolist() == np.asarray(x.field_trace()).tolist()
    with pytest.raises(ValueError, match="same modulus"):
        GF(2, m + 1).from_galois(x)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 255), max_size=6), st.lists(st.integers(0, 255), max_size=6), st.integers(0, 255))
def test_polynomials(left: list[int], right: list[int], point: int) -> None:
    F = GF(2, 8)
    a, b = F.poly(left), F.poly(right)
    x = F([point, 0, 1])
    assert np.array_equal((a + b)(x), a(x) + b(x)) and np.array_equal((a * b)(x), a(x) * b(x))
    assert a - a == F.poly([]) and hash(a) == hash(F.poly(left + [0])) and a == F.poly(left + [0])
    if b.degree < 0:
        with pytest.raises(ZeroDivisionError):
            divmod(a, b)
        return
    quotient, rest = divmod(a, b)
    assert (quotient * b + rest == a and rest.degree < b.degree) or b.degree == 0
    common = (a * b).gcd(b)
    assert common.degree == b.degree and int(common.coefficients[-1]) == 1 and b % common == F.poly([])


def test_elements_as_text() -> None:
    F = GF(2, 4)
    a = F([[0, 1, 2], [3, 8, 15]])
    assert f"{a:int}" == "[[0, 1, 2],\n [3, 8, 15]]"
    assert f"{a[1]:hex}" == "[0x3, 0x8, 0xf]"
    assert f"{a[1]:poly}" == "[z + 1, z^3, z^3 + z^2 + z + 1]"
    g = F.primitive_element
    powers = F([0, 1, int(g), int(g**2), int(g**14)])
    assert f"{powers:power}" == "[0, 1, g, g^2, g^14]"
    assert (f"{a[0, 0]:power}", f"{a[0, 2]:poly}", f"{F.zeros(0):poly}") == ("0", "z", "[]")
    assert (f"{a}", f"{GF(2, 233)(1 << 232):poly}") == (repr(a), "z^232")
    with pytest.raises(ValueError, match="int, hex, poly, power, not as '.3f'"):
        f"{a:.3f}"
    with pytest.raises(ValueError, match="64"):
        f"{GF(2, 233)(2):power}"
