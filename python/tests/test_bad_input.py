"""Every argument of every public function with values of every wrong kind: one TypeError, and never an exception of the inside or a result."""

# Most calls are what types refuse.
# mypy: ignore-errors

from __future__ import annotations

import array
import copy
import ctypes
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import carryless
import galois
import numpy as np
import pytest
from carryless import GF, GF2X, FieldArray, FieldPoly, ec, hqc
from carryless.tree import tag_tree, verify_tree

KEY = bytes(range(32))
F = GF(2, 8)
G = GF(2, 9)
# The types of numpy's functions know its own arrays only.
LINALG: Any = np.linalg
SECRET = ec.SecretKey.from_bytes("K-233", bytes(28) + b"\x05")
DECAPSULATION = hqc.DecapsulationKey.generate()
GALOIS: Any = galois.GF(2**8, irreducible_poly=int(F.modulus))


class Pair(ctypes.Structure):
    _fields_ = (("a", ctypes.c_uint8), ("b", ctypes.c_uint64))


class Numbers:
    """An iterable that may be used again."""

    def __iter__(self) -> Iterator[float]:
        return iter([1.5])


# Values by their kinds: what takes a kind is not tried with it.
WRONG: list[tuple[str, Any]] = [
    ("none", None), ("float", 1.5), ("float of numpy", np.float64(2.0)), ("complex", 1j), ("text", "text"), ("bytes", b"bytes"), ("object", object()), ("dict", {1: 2}), ("class", int),
    ("int", 7), ("int", np.uint8(7)), ("list", [1.5, "x"]), ("empty list", []), ("array", np.array([1.5, 2.5])), ("pointers", np.array(["a", 1], dtype=object)), ("characters", np.array(["a"])),
    ("structure", np.zeros(2, dtype=[("a", "u1"), ("b", "O")])), ("structure", np.zeros(2, dtype="u1,u8")), ("structure", Pair()), ("long double", np.zeros(2, dtype=np.longdouble)),
    ("characters", array.array("u", "ab")), ("elements", G([1, 2])), ("elements of another field", G(1)), ("polynomial", GF2X(3)), ("iterable", Numbers()),
]  # fmt: skip
BYTES = {"bytes", "array"}
TEXT, INTEGER, OPTIONAL = {"text"}, {"int"}, {"none"}

# A call with an argument that is right but for one parameter, and the kinds that this parameter takes.
Case = tuple[str, Callable[[Any], Any], set[str]]
HASHES = ["poly1305", "file_mac", "polyhash1305", "decbrwhash1305", "polyhash1271", "decbrwhash1271"]


def keys(name: str) -> bytes:
    return KEY if name in ("poly1305", "file_mac") else bytes(16)


def of_hashes() -> list[Case]:
    cases: list[Case] = []
    for name in HASHES:
        start, at_once = getattr(carryless, name), getattr(carryless, f"{name}_digest")
        cases += [
            (f"{name}(key)", start, BYTES), (f"{name}(data)", lambda x, s=start, n=name: s(keys(n), x), BYTES | OPTIONAL), (f"{name}_digest(key)", lambda x, d=at_once: d(x, b""), BYTES),
            (f"{name}_digest(data)", lambda x, d=at_once, n=name: d(keys(n), x), BYTES), (f"{name}.update", lambda x, s=start, n=name: s(keys(n)).update(x), BYTES),
            (f"{name}.verify", lambda x, s=start, n=name: s(keys(n)).verify(x), BYTES),
        ]  # fmt: skip
    prepared = carryless.PreparedKey("file_mac", KEY)
    return [
        *cases,
        ("wegman_carter(key)", lambda x: carryless.wegman_carter(x, KEY[:16]), BYTES), ("wegman_carter(nonce)", lambda x: carryless.wegman_carter(KEY, x), BYTES),
        ("wegman_carter(data)", lambda x: carryless.wegman_carter(KEY, KEY[:16], x), BYTES | OPTIONAL), ("wegman_carter_digest(key)", lambda x: carryless.wegman_carter_digest(x, KEY[:16], b""), BYTES),
        ("wegman_carter_digest(nonce)", lambda x: carryless.wegman_carter_digest(KEY, x, b""), BYTES), ("wegman_carter_digest(data)", lambda x: carryless.wegman_carter_digest(KEY, KEY[:16], x), BYTES),
        ("decbrwhash1305(streams)", lambda x: carryless.decbrwhash1305(bytes(16), streams=x), INTEGER), ("file_mac(algorithm)", lambda x: carryless.file_mac(KEY, algorithm=x), TEXT | OPTIONAL),
        ("poly1305_batch(keys)", lambda x: carryless.poly1305_batch(x, [b""]), {"empty list"}), ("poly1305_batch(messages)", lambda x: carryless.poly1305_batch([KEY], x), {"empty list"}),
        ("poly1305_batch(a key)", lambda x: carryless.poly1305_batch([x], [b""]), BYTES), ("poly1305_batch(a message)", lambda x: carryless.poly1305_batch([KEY], [x]), BYTES),
        ("PreparedKey(name)", lambda x: carryless.PreparedKey(x, KEY), TEXT), ("PreparedKey(key)", lambda x: carryless.PreparedKey("file_mac", x), BYTES),
        ("PreparedKey(streams)", lambda x: carryless.PreparedKey("decbrwhash1305", KEY[:16], streams=x), INTEGER | OPTIONAL),
        ("PreparedKey(algorithm)", lambda x: carryless.PreparedKey("file_mac", KEY, algorithm=x), TEXT | OPTIONAL), ("PreparedKey.digest", prepared.digest, BYTES),
        ("PreparedKey.batch", prepared.batch, {"list"}), ("PreparedKey.batch(a message)", lambda x: prepared.batch([b"", x]), BYTES),
        ("PreparedKey.verify(data)", lambda x: prepared.verify(x, bytes(16)), BYTES), ("PreparedKey.verify(tag)", lambda x: prepared.verify(b"", x), BYTES),
    ]  # fmt: skip


def of_polynomials() -> list[Case]:
    p = GF2X(0b1011)
    polynomial, one = {"polynomial"}, GF2X(1)
    cases: list[Case] = [
        ("GF2X", GF2X, TEXT | INTEGER | polynomial), ("GF2X.from_exponents", GF2X.from_exponents, {"bytes", "list", "dict"}), ("GF2X.from_bytes", GF2X.from_bytes, BYTES),
        ("GF2X.from_numpy", lambda x: GF2X.from_numpy(x), {"list", "int", "bytes"}), ("coefficient", p.coefficient, INTEGER), ("truncate", p.truncate, INTEGER),
        ("reverse", p.reverse, INTEGER), ("gcd", p.gcd, polynomial), ("xgcd", p.xgcd, polynomial), ("inverse", p.inverse, polynomial), ("<<", lambda x: p << x, INTEGER), (">>", lambda x: p >> x, INTEGER),
        ("**", lambda x: p**x, INTEGER), ("pow(e)", lambda x: pow(one, x, p), INTEGER), ("pow(f)", lambda x: pow(one, 3, x), polynomial | OPTIONAL),
    ]  # fmt: skip
    operators: dict[str, Callable[[Any, Any], Any]] = {
        "+": lambda a, b: a + b, "-": lambda a, b: a - b, "^": lambda a, b: a ^ b, "*": lambda a, b: a * b, "//": lambda a, b: a // b, "%": lambda a, b: a % b,
        "divmod": divmod, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b,
    }  # fmt: skip
    for name, operate in operators.items():
        # Arrays are elements' and numpy's to add: `array + polynomial` is theirs.
        theirs = {
            "array",
            "pointers",
            "elements",
            "elements of another field",
            "int",
            "float of numpy",
            "long double",
            "structure",
            "characters",
        }
        cases += [
            (f"p {name} x", lambda x, o=operate: o(p, x), polynomial | theirs),
            (f"x {name} p", lambda x, o=operate: o(x, p), polynomial | theirs | {"text", "bytes"}),
        ]
    return cases


def of_fields() -> list[Case]:
    a = F([[1, 2], [3, 4]])
    poly, elements = F.poly([1, 2]), {"int", "polynomial"}
    shape = INTEGER | {"list"}
    return [
        ("GF(p)", lambda x: GF(x, 8), INTEGER), ("GF(m)", lambda x: GF(2, x), INTEGER | OPTIONAL), ("GF(modulus)", lambda x: GF(2, 8, x), TEXT | INTEGER | OPTIONAL | {"polynomial", "list", "bytes", "dict"}),
        ("Field", carryless.Field, {"polynomial"}), ("F(values)", F, elements | {"list"}), ("F(a value)", lambda x: F([1, x]), elements), ("zeros", F.zeros, shape), ("ones", F.ones, shape),
        ("random(shape)", F.random, shape), ("random(rng)", lambda x: F.random(2, x), INTEGER | OPTIONAL | {"list", "pointers", "characters", "structure"}), ("from_words", lambda x: F.from_words(x), set()), ("from_bytes", F.from_bytes, BYTES),
        ("from_galois", F.from_galois, set()), ("to_galois", a.to_galois, set()), ("poly", F.poly, elements | {"list"}), ("FieldPoly", FieldPoly, {"elements", "elements of another field"}),
        ("FieldArray", lambda x: FieldArray(F, x), {"array", "pointers", "characters", "structure", "long double"}), ("poly(x)", poly, elements | {"list"}), ("poly + x", lambda x: poly + x, set()),
        ("poly * x", lambda x: poly * x, set()), ("poly // x", lambda x: poly // x, set()), ("poly % x", lambda x: poly % x, set()), ("divmod(poly, x)", lambda x: divmod(poly, x), set()),
        ("gcd", poly.gcd, set()), ("frobenius", lambda x: a.frobenius(x), INTEGER), ("power", lambda x: a.power(x), INTEGER), ("sum", lambda x: a.sum(x), INTEGER | OPTIONAL),
        ("prod", lambda x: a.prod(x), INTEGER | OPTIONAL), ("dot", a.dot, elements | {"list"}), ("inv(out)", lambda x: a.inv(x), OPTIONAL), ("sqrt(out)", lambda x: a.sqrt(x), OPTIONAL),
        ("square(out)", lambda x: a.square(x), OPTIONAL), ("frobenius(out)", lambda x: a.frobenius(1, x), OPTIONAL), ("power(out)", lambda x: a.power(2, x), OPTIONAL),
        ("solve(out)", lambda x: F([0, 0]).solve(x), OPTIONAL), ("sum(out)", lambda x: a.sum(out=x), OPTIONAL), ("prod(out)", lambda x: a.prod(out=x), OPTIONAL), ("dot(out)", lambda x: a.dot(a, x), OPTIONAL),
        ("reshape", lambda x: a.reshape(x), INTEGER | OPTIONAL | {"list", "bytes"}), ("transpose", lambda x: a.transpose(x), INTEGER | OPTIONAL | {"list", "bytes"}), ("a[0] = x", lambda x: a.__setitem__(0, x), elements | {"list"}),
        ("a + x", lambda x: a + x, elements | {"list"}), ("x + a", lambda x: x + a, elements | {"list"}), ("a * x", lambda x: a * x, elements | {"list"}), ("a @ x", lambda x: a @ x, elements | {"list"}),
        ("a ** x", lambda x: a**x, INTEGER), ("to_bytes", a.to_bytes, INTEGER | OPTIONAL),
    ]  # fmt: skip


def of_codes() -> list[Case]:
    code, vectors, poly = carryless.ReedSolomon(15, 1), {"list"}, F.poly([1, 1])
    single, square = {"int", "polynomial"}, F.identity(2)
    return [
        ("ReedSolomon(n)", lambda x: carryless.ReedSolomon(x, 2), INTEGER), ("ReedSolomon(k)", lambda x: carryless.ReedSolomon(200, x), INTEGER),
        ("ReedSolomon(field)", lambda x: carryless.ReedSolomon(15, 3, field=x), OPTIONAL), ("ReedSolomon(c)", lambda x: carryless.ReedSolomon(15, 3, c=x), INTEGER),
        ("BCH(n)", lambda x: carryless.BCH(x, 4), INTEGER), ("BCH(d)", lambda x: carryless.BCH(31, d=x), INTEGER), ("erasures", lambda x: code.decode([0] * 15, x), OPTIONAL),
        ("FLFSR", lambda x: carryless.FLFSR(x), set()), ("FLFSR(state)", lambda x: carryless.FLFSR(poly, x), OPTIONAL | single | vectors), ("step", lambda x: carryless.FLFSR(poly).step(x), INTEGER),
        ("berlekamp_massey", carryless.berlekamp_massey, {"elements", "elements of another field"}), ("log(base)", lambda x: F([1]).log(x), single | OPTIONAL), ("field_trace", lambda x: F([1]).field_trace(x), {"int"}),
        ("lagrange_poly(x)", lambda x: carryless.lagrange_poly(x, [1, 2]), {"elements", "elements of another field"}), ("xgcd", poly.xgcd, set()),
        ("row_reduce", lambda x: square.row_reduce(x), {"int"} | OPTIONAL), ("identity", F.identity, INTEGER),
        ("solve(b)", lambda x: LINALG.solve(square, x), {"list", "elements", "int", "polynomial"}), ("matrix_power", lambda x: LINALG.matrix_power(square, x), INTEGER),
    ]  # fmt: skip


def of_keys() -> list[Case]:
    public, encapsulation = SECRET.public_key, DECAPSULATION.encapsulation_key
    assert encapsulation == encapsulation
    return [
        ("SecretKey.generate", ec.SecretKey.generate, TEXT), ("SecretKey.from_bytes(curve)", lambda x: ec.SecretKey.from_bytes(x, KEY), TEXT),
        ("SecretKey.from_bytes(data)", lambda x: ec.SecretKey.from_bytes("K-233", x), BYTES), ("SecretKey.from_pem(curve)", lambda x: ec.SecretKey.from_pem(x, ""), TEXT | OPTIONAL),
        ("SecretKey.from_pem(text)", lambda x: ec.SecretKey.from_pem("K-233", x), TEXT), ("exchange", SECRET.exchange, set()), ("sign(hash)", SECRET.sign, BYTES),
        ("sign(function)", lambda x: SECRET.sign(KEY, x), TEXT | OPTIONAL), ("PublicKey.from_sec1(curve)", lambda x: ec.PublicKey.from_sec1(x, KEY), TEXT), ("PublicKey.from_sec1(data)", lambda x: ec.PublicKey.from_sec1("K-233", x), BYTES),
        ("PublicKey.from_pem(text)", lambda x: ec.PublicKey.from_pem("K-233", x), TEXT), ("PublicKey.verify(hash)", lambda x: public.verify(x, bytes(58)), BYTES),
        ("SecretKey.from_der(curve)", lambda x: ec.SecretKey.from_der(x, b""), TEXT | OPTIONAL), ("SecretKey.from_der(data)", lambda x: ec.SecretKey.from_der(None, x), BYTES),
        ("PublicKey.from_der(curve)", lambda x: ec.PublicKey.from_der(x, b""), TEXT | OPTIONAL), ("PublicKey.from_der(data)", lambda x: ec.PublicKey.from_der(None, x), BYTES),
        ("PublicKey.from_pem(curve)", lambda x: ec.PublicKey.from_pem(x, ""), TEXT | OPTIONAL), ("SecretKey.to_pem(form)", SECRET.to_pem, TEXT),
        ("SecretKey.to_der(form)", SECRET.to_der, TEXT), ("verify_dstu4145(hash)", lambda x: public.verify_dstu4145(x, bytes(58)), BYTES),
        ("verify_dstu4145(signature)", lambda x: public.verify_dstu4145(KEY, x), BYTES), ("sign_dstu4145(hash)", SECRET.sign_dstu4145, BYTES),
        ("PublicKey.verify(signature)", lambda x: public.verify(KEY, x), BYTES), ("DecapsulationKey.generate(scheme)", hqc.DecapsulationKey.generate, TEXT),
        ("DecapsulationKey.generate(profile)", lambda x: hqc.DecapsulationKey.generate("HQC-1", x), TEXT), ("DecapsulationKey.from_bytes", hqc.DecapsulationKey.from_bytes, BYTES),
        ("DecapsulationKey.from_seed", hqc.DecapsulationKey.from_seed, BYTES), ("DecapsulationKey.from_der", hqc.DecapsulationKey.from_der, BYTES),
        ("DecapsulationKey.from_pem", hqc.DecapsulationKey.from_pem, TEXT), ("DecapsulationKey.to_der(form)", DECAPSULATION.to_der, TEXT),
        ("DecapsulationKey.to_pem(form)", DECAPSULATION.to_pem, TEXT), ("EncapsulationKey.from_der", hqc.EncapsulationKey.from_der, BYTES),
        ("EncapsulationKey.from_pem", hqc.EncapsulationKey.from_pem, TEXT),
        ("EncapsulationKey.from_bytes", hqc.EncapsulationKey.from_bytes, BYTES), ("decapsulate", DECAPSULATION.decapsulate, BYTES),
    ]  # fmt: skip


def of_trees() -> list[Case]:
    path = TEXT | {"bytes", "array"}
    return [
        ("tag_tree(paths)", lambda x: tag_tree(x, KEY, "/nowhere/manifest"), {"list", "characters"}), ("tag_tree(key)", lambda x: tag_tree(["."], x, "/nowhere/manifest"), path),
        ("tag_tree(manifest)", lambda x: tag_tree(["."], KEY, x), TEXT), ("tag_tree(threads)", lambda x: tag_tree([], KEY, "/nowhere/manifest", threads=x), INTEGER | OPTIONAL),
        ("tag_tree(include)", lambda x: tag_tree([], KEY, "/nowhere/manifest", include=x), {"list", "characters"}), ("verify_tree(manifest)", lambda x: verify_tree(x, KEY), TEXT),
        ("verify_tree(key)", lambda x: verify_tree("/nowhere/manifest", x), path), ("verify_tree(paths)", lambda x: verify_tree("/nowhere/manifest", KEY, x), {"list", "characters"}),
    ]  # fmt: skip


CASES = [*of_hashes(), *of_polynomials(), *of_fields(), *of_codes(), *of_keys(), *of_trees()]


@pytest.mark.parametrize(("name", "call", "takes"), CASES, ids=[case[0] for case in CASES])
def test_a_wrong_kind_is_a_type_error(name: str, call: Callable[[Any], Any], takes: set[str]) -> None:
    tried = 0
    for kind, value in WRONG:
        if kind in takes or (kind == "empty list" and "list" in takes):
            continue
        tried += 1
        try:
            result = call(value)
        except TypeError as error:
            assert str(error) and "lambda" not in str(error) and "object has no attribute" not in str(error), (kind, error)
        except Exception as error:
            pytest.fail(f"{kind}: {error!r}")
        else:
            pytest.fail(f"{kind}: returned {result!r}")
    assert tried > 8


def test_what_no_buffer_may_hold() -> None:
    """Items that are pointers, characters or structures are refused by every function on bytes, numbers of any kind are their memory."""
    numbers = [*"bBhHiIqQ?efd", "c8", "c16", ">u4", "S3"]
    for kind in numbers:
        values = np.zeros(4, dtype=kind)
        for data in (values, memoryview(values)):
            assert carryless.poly1305_digest(KEY, data) == carryless.poly1305_digest(KEY, values.tobytes()), kind
    assert carryless.poly1305_digest(KEY, (ctypes.c_uint8 * 3)(1, 2, 3)) == carryless.poly1305_digest(KEY, bytes([1, 2, 3]))
    assert carryless.poly1305_digest(KEY, array.array("d", [1.0])) == carryless.poly1305_digest(KEY, np.array([1.0]).tobytes())
    for wrong in (
        np.array(["a"], dtype=object),
        memoryview(np.array([1], dtype=object)),
        np.zeros(3, dtype="O,u8"),
        np.zeros(2, "u1,u8"),
        (ctypes.c_void_p * 2)(),
        np.float64(1.5),
        (ctypes.py_object * 2)(1, 2),
        Pair(),
    ):
        for call in (
            lambda x: carryless.poly1305_digest(KEY, x),
            lambda x: carryless.poly1305(KEY).update(x),
            carryless.poly1305,
            GF2X.from_bytes,
            F.from_bytes,
        ):
            with pytest.raises(TypeError):
                call(wrong)


def test_right_values_beside_them() -> None:
    """What the table could have refused by mistake."""
    assert carryless.poly1305_batch(iter([KEY]), (m for m in [b"a"])) == [carryless.poly1305_digest(KEY, b"a")]
    assert carryless.PreparedKey("file_mac", KEY).batch(iter([b"a"])) == [carryless.file_mac_digest(KEY, b"a")]
    assert GF2X() == GF2X(0) == GF2X(value=False) and GF2X(True) == GF2X(1) == GF2X(np.uint64(1)) == GF2X(np.int8(1))
    assert GF2X(1) << np.int64(3) == GF2X(8) == GF2X(2) ** np.uint8(3) and GF2X(9) >> (1 << 90) == GF2X(0)
    assert GF2X(9).coefficient(1 << 90) == 0 and GF2X(9).truncate(1 << 90) == GF2X(9) and GF2X.from_exponents(range(3)) == GF2X(7)
    assert GF(2, np.int64(8), np.uint16(0x11B)) == GF(2, 8, 0x11B) and F(range(3)).tolist() == [0, 1, 2] and F(True).tolist() == 1
    assert F.from_words(np.ones((2, 1), dtype=np.uint8)).tolist() == [1, 1] and F.from_bytes(
        np.ones(2, dtype=np.uint8)
    ).tolist() == [1, 1]


def test_values_out_of_range() -> None:
    for call, message in (
        (lambda: GF2X(1) << -1, "negative"), (lambda: GF2X(1) >> -1, "negative"), (lambda: GF2X(1).coefficient(-1), "negative"), (lambda: GF2X(1).truncate(-1), "negative"), (lambda: GF2X(1).reverse(-1), "negative"),
        (lambda: GF2X.from_exponents([-1]), "negative"), (lambda: GF2X(1) ** -1, "negative"), (lambda: GF2X(-1), "negative"),
        (lambda: carryless.PreparedKey("poly1305", KEY), "there are polyhash1305, polyhash1271, decbrwhash1305, decbrwhash1271, file_mac"),
        (lambda: GF(2, 100).from_words(np.asfortranarray(np.zeros((3, 2), dtype=np.uint64))), "side by side"), (lambda: F.zeros(-1), "negative"), (lambda: F.from_galois(galois.GF(2**4)([1])), "same modulus"),
        (lambda: F([1]).to_galois(galois.GF(2**4)), "another modulus"), (lambda: GF(2, 100).from_bytes(np.zeros(3, dtype=np.uint16)), "6 are left over"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            call()
    for options, name in (
        ({"streams": 4}, "file_mac"),
        ({"streams": 4}, "polyhash1305"),
        ({"algorithm": "file_mac"}, "decbrwhash1305"),
        ({"algorithm": None, "streams": 1}, "polyhash1271"),
    ):
        with pytest.raises(TypeError, match=f"{name} takes no"):
            carryless.PreparedKey(name, keys(name), **options)
    for call in (lambda: GF2X(1) << (1 << 90), lambda: GF2X(1).reverse(1 << 90), lambda: GF2X.from_exponents([1 << 90])):
        with pytest.raises((MemoryError, OverflowError)):
            call()


def test_constants_of_a_field_cannot_be_changed() -> None:
    field = GF(2, 8)
    powers, x = [], field.primitive_element
    for _ in range(5):
        powers.append(int(x))
        x *= field.primitive_element
    assert powers == [3, 5, 15, 17, 51] == [int(field(3) ** e) for e in range(1, 6)]
    assert int(field.primitive_element) == 3


def test_masks_are_refused_and_subclasses_are_plain_arrays() -> None:
    field = GF(2, 8)
    words = np.array([[0], [1]], dtype=np.uint8)
    with pytest.raises(TypeError, match="mask"):
        field.from_words(np.ma.MaskedArray(words, mask=[[1], [0]]))
    with pytest.raises(TypeError, match="mask"):
        GF2X.from_numpy(np.ma.MaskedArray([1, 0, 1], mask=[1, 0, 0]))
    with pytest.raises(TypeError, match="mask"):
        carryless.ReedSolomon(15, 9).decode([0] * 15, erasures=np.ma.MaskedArray([True] * 15, mask=[1] * 15))
    assert field.from_words(np.asmatrix(words)).to_numpy().shape == (2,)
    assert GF(2, 8, np.array([8, 4, 3, 1, 0])) is GF(2, 8, [8, 4, 3, 1, 0])


def test_copies_share_no_memory() -> None:
    field = GF(2, 8)
    a = field([1, 2])
    b = copy.copy(a)
    b[0] = 7
    assert a.tolist() == [1, 2]
    for poly in (pickle.loads(pickle.dumps(field.poly([1, 2]))), copy.deepcopy(field.poly([1, 2]))):
        assert poly == field.poly([1, 2])
        with pytest.raises(ValueError):
            poly.coefficients[0] = 5


@pytest.mark.parametrize("n", [2**40, 2**61])
def test_codes_that_need_more_memory_than_there_is(n: int) -> None:
    with pytest.raises((MemoryError, ValueError)):
        carryless.ReedSolomon(n, n - 4)
    with pytest.raises((MemoryError, ValueError)):
        carryless.BCH(n, d=5)
