"""Codes and shift registers against `galois`, `reedsolo`'s words, and searches through all codewords."""

from collections.abc import Callable
from typing import Any

import galois
import numpy as np
import pytest
from carryless import BCH, FLFSR, GF, GF2X, GLFSR, Field, FieldArray, ReedSolomon, berlekamp_massey
from test_gf2x import ends_by_a_signal


def same_field(G: Any) -> Field:
    return GF(G.order, None, int(G.irreducible_poly))


def add_errors(words: FieldArray, counts: list[int], rng: np.random.Generator) -> FieldArray:
    wrong = words.copy()
    for i, count in enumerate(counts):
        for place in rng.choice(words.shape[-1], count, replace=False):
            wrong[i, place] = wrong[i, place] + int(rng.integers(1, words.field.order))
    return wrong


def agree(ours: Any, theirs: Any, G: Any, counts: list[int]) -> None:
    """Words, errors and shortened words: the same here and there."""
    rng = np.random.default_rng(5)
    F: Field = ours.field
    assert (ours.n, ours.k, ours.d, ours.t, ours.c) == (theirs.n, theirs.k, theirs.d, theirs.t, theirs.c)
    assert ours.generator_poly.coefficients.tolist() == theirs.generator_poly.coeffs.tolist()[::-1]
    assert ours.roots.tolist() == theirs.roots.tolist() and ours.is_narrow_sense == theirs.is_narrow_sense
    messages = F.random((len(counts), ours.k), rng)
    for missing in (0, 1, ours.k - 1):
        part = messages[:, missing:]
        words = ours.encode(part)
        assert words.tolist() == theirs.encode(part.to_galois(G)).tolist()
        assert ours.encode(part, output="parity").tolist() == theirs.encode(part.to_galois(G), output="parity").tolist()
        wrong = add_errors(words, [min(count, words.shape[1]) for count in counts], rng)
        decoded, changed = ours.decode(wrong, errors=True)
        expected, numbers = theirs.decode(wrong.to_galois(G), errors=True)
        assert ours.detect(wrong).tolist() == theirs.detect(wrong.to_galois(G)).tolist()
        assert changed.tolist() == numbers.tolist() and any(changed > 0)
        for i in range(len(counts)):
            assert decoded[i].tolist() == (part[i] if counts[i] <= ours.t else F(np.asarray(expected[i]))).tolist()
    assert ours.G.tolist() == theirs.G.tolist() and (ours.G @ ours.generator_poly.field.zeros(ours.n)).is_zero().all()


@pytest.mark.parametrize(("n", "k", "c"), [(15, 9, 0), (31, 21, 3), (255, 223, 1)])
def test_reed_solomon_codes_of_galois(n: int, k: int, c: int) -> None:
    theirs: Any = galois.ReedSolomon(n, k, c=c)
    ours = ReedSolomon(n, k, field=same_field(theirs.field), alpha=int(theirs.alpha), c=c)
    agree(ours, theirs, theirs.field, [*range(ours.t + 3)])
    assert ours.H.tolist() == theirs.H.tolist()
    assert (ours.H @ ours.encode(ours.field.random((k, 4), 1).T).T).is_zero().all()


@pytest.mark.parametrize(("n", "k"), [(15, 7), (63, 45), (255, 231)])
def test_bch_codes_of_galois(n: int, k: int) -> None:
    theirs: Any = galois.BCH(n, k)
    ours = BCH(n, k, extension_field=same_field(theirs.extension_field), alpha=int(theirs.alpha))
    agree(ours, theirs, galois.GF2, [*range(ours.t + 1)])
    assert ours.H.shape == (n - k, n) and (ours.H @ ours.encode(GF(2).random((5, k), 1)).T).is_zero().all()
    assert BCH(n, d=ours.d, extension_field=ours.extension_field).k == k


def test_many_words_are_encoded_as_single_ones() -> None:
    code = BCH(63, 45)
    for missing in (0, 1, 44):
        messages = code.field.random((3, 700, code.k - missing), missing)
        words = code.encode(messages)
        assert words.shape == (3, 700, code.n - missing)
        assert words[1].tolist() == [code.encode(message).tolist() for message in messages[1]]
        assert code.encode(messages, output="parity").tolist() == words[..., code.k - missing :].tolist()


def test_defaults() -> None:
    code = ReedSolomon(255, 223)
    assert code.field == GF(2, 8, 0x11D) and (int(code.alpha), code.c, code.t) == (2, 1, 16) and code == ReedSolomon(255, d=33)
    assert (
        ReedSolomon(100, 80).field.degree == 7
        and ReedSolomon(16, 8).field.degree == 5
        and BCH(63, 51).extension_field.degree == 6
    )
    # In this field 2 has the order 51.
    assert int(ReedSolomon(255, 223, field=GF(2, 8)).alpha) == 3
    assert repr(BCH(15, 7)) == "BCH(15, 7, extension_field=GF(2, 4, [4, 1, 0]), alpha=0x2, c=1)" != repr(code)
    assert (code != BCH(255, 223)) and len({code, ReedSolomon(255, 223)}) == 1


def test_words_of_reedsolo() -> None:
    """CCSDS 131.0-B by `reedsolo` 1.7: fcr=112, prim=0x187, generator=0xad."""
    code = ReedSolomon(255, 223, field=GF(2, 8, 0x187), alpha=0xAD, c=112)
    message = [(7 * i + 1) % 256 for i in range(223)]
    parity = "a67eda07978d2c801c6925711f8f657f9bee2f2a871283d91232e98e1e1a3a29"
    assert code.encode(message, output="parity").to_bytes().hex() == parity
    # In a shortened code the first symbols are zeros.
    assert code.encode([0, 0, *message[:221]]).tolist() == [0, 0, *code.encode(message[:221]).tolist()]


def test_erasures() -> None:
    code, rng = ReedSolomon(20, 8), np.random.default_rng(3)
    F = code.field
    messages = F.random((13, 8), 1)
    words = code.encode(messages)
    erasures = np.zeros(words.shape, dtype=bool)
    wrong = words.copy()
    for erased in range(13):
        errors = (code.d - 1 - erased) // 2
        places = rng.choice(20, erased + errors, replace=False)
        erasures[erased, places[:erased]] = True
        for place in places:
            wrong[erased, place] = wrong[erased, place] + int(rng.integers(1, F.order))
    decoded, changed = code.decode(wrong, erasures, errors=True)
    assert decoded.tolist() == messages.tolist() and changed.tolist() == [erased + (12 - erased) // 2 for erased in range(13)]
    assert code.decode(wrong, erasures, "codeword").tolist() == words.tolist()
    # Without erasures most are beyond the bound.
    decoded, changed = code.decode(wrong, errors=True)
    assert changed[0] == 6 and (changed < 0).sum() > 6 and decoded[12].tolist() == wrong[12, :8].tolist()
    with pytest.raises(ValueError, match="more errors"):
        code.decode(wrong)
    every = np.ones(20, dtype=bool)
    assert code.decode(words[0], every, errors=True)[1] == -1


def test_every_word_of_a_small_code() -> None:
    code = BCH(7, 4)
    every = GF(2)([[i >> j & 1 for j in range(7)] for i in range(128)])
    # The Hamming code is perfect.
    decoded, changed = code.decode(every, errors=True, output="codeword")
    codewords = [word for word, number in zip(every.tolist(), changed) if number == 0]
    assert len(codewords) == 16 and changed.max() == 1 and (code.detect(every) == (changed == 1)).all()
    for word, nearest in zip(every.tolist(), decoded.tolist()):
        assert nearest == min(codewords, key=lambda codeword: sum(a != b for a, b in zip(word, codeword)))


def test_shapes() -> None:
    code = ReedSolomon(15, 11)
    messages = code.field.random((2, 3, 11), 1)
    words = code.encode(messages)
    assert words.shape == (2, 3, 15) and code.detect(words).shape == (2, 3) and code.encode(messages, "parity").shape == (2, 3, 4)
    assert code.decode(words, errors=True)[1].shape == (2, 3) and code.detect(words[0, 0]).shape == ()
    assert code.encode(code.field.zeros((0, 11))).shape == (0, 15) and code.decode(code.field.zeros((0, 15))).shape == (0, 11)
    before = words.copy()
    code.decode(words + code.field([1] + [0] * 14))
    assert (
        words.tolist() == before.tolist()
        and code.decode(words.transpose(1, 0, 2)).tolist() == messages.transpose(1, 0, 2).tolist()
    )


@pytest.mark.parametrize("order", [2, 2**8, 2**20])
def test_registers_of_galois(order: int) -> None:
    G: Any = galois.GF(order)
    F, rng = same_field(G) if order > 2 else GF(2), np.random.default_rng(2)
    for n in (1, 2, 5, 20):
        coefficients = [1, *F.random(n - 1, rng).tolist(), 1]
        state = F.random(n, rng).tolist()
        for ours_, theirs_ in ((FLFSR, galois.FLFSR), (GLFSR, galois.GLFSR)):
            f: Any = galois.Poly(coefficients[::-1], field=G)
            ours, theirs = ours_(F.poly(coefficients), state), theirs_(f, state=state)
            terms = ours.step(3 * n)
            assert terms.tolist() == theirs.step(3 * n).tolist() and ours.state.tolist() == theirs.state.tolist()
            assert (ours.order, ours.field, ours.feedback_poly.coefficients.tolist()) == (n, F, coefficients)
            assert ours_(F.poly(coefficients)).state.tolist() == [1] * n
            if terms.to_numpy().any():
                found = berlekamp_massey(terms)
                assert found.coefficients.tolist() == galois.berlekamp_massey(terms.to_galois(G)).coeffs.tolist()[::-1]
                again = berlekamp_massey(terms, output="feedback")
                assert again.coefficients.tolist() == found.coefficients.tolist()[::-1] or found.coefficients.tolist()[0] == 0


def test_what_is_refused() -> None:
    F = GF(2, 8, 0x11D)
    code, bch = ReedSolomon(15, 11), BCH(15, 7)
    wrong: list[tuple[Callable[[], Any], str]] = [
        (lambda: ReedSolomon(15, 15), "length 15 has dimension 15"), (lambda: ReedSolomon(15, 0), "dimension 0"), (lambda: ReedSolomon(15, d=17), "dimension 0"),
        (lambda: ReedSolomon(1, 1), "2 symbols or more"), (lambda: ReedSolomon(256, 9, field=F), "powers differ"), (lambda: ReedSolomon(9, 3, field=F, alpha=1), "powers differ"),
        (lambda: ReedSolomon(9, 3, field=GF(2, 100), alpha=2), "degree 64"), (lambda: ReedSolomon(9, 3, c=-1), "from 0 on"), (lambda: BCH(15, 8), "no code of length 15 has dimension 8"),
        (lambda: BCH(15, d=16), "distance 16"), (lambda: code.encode([1] * 12), "11 symbols"), (lambda: code.encode(1), "11 symbols"), (lambda: code.decode([1] * 4), "15 symbols"),
        (lambda: code.encode([16] * 11), "below 2"), (lambda: bch.encode([2] * 7), "below 2"), (lambda: code.encode([1] * 11, output="all"), "'codeword' or 'parity'"),
        (lambda: code.decode([1] * 15, output="parity"), "'message' or 'codeword'"), (lambda: code.decode([1] * 15, erasures=np.zeros(14, dtype=bool)), "broadcast"),
        (lambda: FLFSR(F.poly([2, 1])), "constant term 1"), (lambda: FLFSR(F.poly([1, 1]), [1, 2]), "1 elements"), (lambda: FLFSR(F.poly([1])), "0 elements"),
        (lambda: FLFSR(GF(2, 100).poly([1, 1])), "degree 64"), (lambda: FLFSR(F.poly([1, 1])).step(-1), "not negative"), (lambda: berlekamp_massey(F([[1]])), "one axis"),
        (lambda: berlekamp_massey(GF(2, 100)([1])), "degree 64"), (lambda: GF(2, 100).primitive_element, "64"),
        (lambda: ReedSolomon(9, 3, field=GF(2, 100), alpha=1 << 70), "degree 64"), (lambda: BCH(9, 3, extension_field=GF(2, 100), alpha=1 << 70), "degree 64"),
        (lambda: FLFSR(GF(2, 100).poly([1, 1 << 70])), "degree 64"), (lambda: GLFSR(GF(2, 100).poly([1, 1]), [1 << 70]), "degree 64"),
    ]  # fmt: skip
    for call, message in wrong:
        with pytest.raises(ValueError, match=message):
            call()
    types: list[Callable[[], Any]] = [
        lambda: ReedSolomon(15), lambda: ReedSolomon(15, 11, 5), lambda: BCH(15), lambda: ReedSolomon(15.0, 11), lambda: ReedSolomon(15, 11, field=galois.GF(16)),  # type: ignore[arg-type]
        lambda: code.encode([1.5] * 11), lambda: code.encode(F.ones(11)), lambda: code.decode([1] * 15, erasures=[0] * 15), lambda: FLFSR(GF2X(7)),  # type: ignore[arg-type]
        lambda: berlekamp_massey([1, 0]), lambda: ReedSolomon(15, 11, alpha=F(2)),  # type: ignore[arg-type]
    ]  # fmt: skip
    for call in types:
        with pytest.raises(TypeError):
            call()


def test_a_signal_ends_long_calls() -> None:
    code = ReedSolomon(255, 127)
    words = np.broadcast_to(code.encode(code.field.ones(127)), (200_000, 255)).copy()
    words[:, :60] = 0
    terms = GF(2).random(400_000, 1)
    field = GF(2, 16)
    for call in (
        lambda: code.decode(words), lambda: code.encode(words[:, :127]), lambda: berlekamp_massey(terms), lambda: ReedSolomon(65_535, 15, field=field),
        lambda: BCH(65_535, 15, extension_field=field), lambda: BCH(65_535, d=30_000, extension_field=field),
    ):  # fmt: skip
        ends_by_a_signal(call)
