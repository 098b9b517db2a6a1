"""Reed-Solomon and BCH codes, shift registers and the algorithm of Berlekamp and Massey over arrays of elements.

Names are those of `galois`. The last axis of an array is a word, its first symbol the coefficient of the highest power of x.

>>> from carryless import ReedSolomon
>>> code = ReedSolomon(255, 223)
>>> word = code.encode([1] * 223)
>>> received = word.copy()
>>> received[[3, 200]] = 0
>>> decoded, changed = code.decode(received, errors=True)
>>> decoded.tolist() == [1] * 223, int(changed)
(True, 2)
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from . import _carryless
from ._carryless import GF2X
from .arrays import FieldArray
from .fields import GF, Field
from .polynomials import FieldPoly

__all__ = ["BCH", "FLFSR", "GLFSR", "ReedSolomon", "berlekamp_massey"]


def _field_for(n: int) -> Field:
    """The least field with more than n elements, modulo its first primitive polynomial."""
    m = max(n.bit_length(), 1)
    return GF(2, m, GF2X.find_primitive(m))


class _Code:
    """What both kinds of codes have."""

    def __init__(
        self, code: _carryless.Code, shortened: Callable[[int], _carryless.Code], symbols: Field, roots: Field, alpha: int, c: int
    ) -> None:
        self._code = code
        # Making a code takes longer than coding a word.
        self._shortened = lru_cache(maxsize=4)(shortened)
        self._field, self._roots_field, self._alpha, self._c = symbols, roots, alpha, c

    def __eq__(self, other: object) -> bool:
        return repr(self) == repr(other) if isinstance(other, _Code) else NotImplemented

    def __hash__(self) -> int:
        return hash(repr(self))

    @property
    def field(self) -> Field:
        """The field of the symbols."""
        return self._field

    @property
    def n(self) -> int:
        """Symbols of a word."""
        return self._code.n

    @property
    def k(self) -> int:
        """Symbols of a message."""
        return self._code.k

    @property
    def d(self) -> int:
        """The designed distance: words differ in as many symbols at least."""
        return self._code.d

    @property
    def t(self) -> int:
        """Errors that are always corrected, (d - 1) // 2."""
        return (self.d - 1) // 2

    @property
    def alpha(self) -> FieldArray:
        """The element whose powers are the roots."""
        return self._roots_field(self._alpha)

    @property
    def c(self) -> int:
        """The exponent of the first root."""
        return self._c

    @property
    def is_narrow_sense(self) -> bool:
        """Whether c is 1."""
        return self._c == 1

    @property
    def roots(self) -> FieldArray:
        """alpha^c to alpha^(c + d - 2)."""
        field, alpha = self._roots_field, self.alpha
        powers = [alpha.power(self._c + i) for i in range(self.d - 1)]
        return field([int(power) for power in powers])

    @property
    def generator_poly(self) -> FieldPoly:
        """The generator polynomial."""
        return self._field.poly(self._code.generator())

    @property
    def G(self) -> FieldArray:
        """The generator matrix: a codeword is its message times this."""
        return self.encode(self._field.identity(self.k))

    @cached_property
    def _parity_rows(self) -> FieldArray:
        """The parity symbols of each symbol of a message. A shortened code has the last of these rows."""
        words = self._field.zeros((self.k, self.n))
        self._code.encode(self._field.identity(self.k).words, words.words)
        return words[:, self.k :].copy()

    def _words(self, values: Any, most: int, what: str) -> tuple[FieldArray, _carryless.Code]:
        """A contiguous copy, and the code of its words: shortened if they are."""
        array = self._field._element(values)
        missing = most - array.shape[-1] if array.ndim else most
        if not 0 <= missing < self.k:
            raise ValueError(f"{what} has {most} symbols in its last axis, or in a shortened code up to {self.k - 1} fewer")
        return array.copy(), self._shortened(self.n - missing) if missing else self._code

    def encode(self, message: Any, output: str = "codeword") -> FieldArray:
        """The codewords of messages, which they begin with, or only their parity symbols (output="parity"). Messages that are shorter than k are those of
        the shortened code."""
        _choice("output", output, ("codeword", "parity"))
        messages, code = self._words(message, self.k, "a message")
        out = self._field.zeros((*messages.shape[:-1], code.n))
        if self._field.degree == 1 and messages.size >= self.k * self.n:
            # Bits in words: a product of matrices takes less than a division for each message, and the matrix less memory than the messages.
            rows = messages.reshape(-1, code.k)
            out[..., : code.k] = messages
            out[..., code.k :] = (rows @ self._parity_rows[self.k - code.k :]).reshape((*messages.shape[:-1], code.n - code.k))
        else:
            code.encode(messages.words, out.words)
        return out[..., code.k :].copy() if output == "parity" else out

    def detect(self, codeword: Any) -> Any:
        """For each word whether it is no codeword: fewer than d errors are always detected."""
        words, code = self._words(codeword, self.n, "a codeword")
        wrong = np.frombuffer(bytes(code.detect(words.words)), dtype=np.bool_)
        return wrong.reshape(words.shape[:-1])[()]

    def decode(self, codeword: Any, erasures: Any = None, output: str = "message", errors: bool = False) -> Any:
        """The messages of words with errors, or the corrected codewords (output="codeword"); with errors=True also how many symbols of each were changed.

        `erasures` is an array of bool that is true where a symbol may be wrong. Words with e errors elsewhere and s erasures are corrected
        if 2 e + s < d. What cannot be corrected comes back as it was, with the number -1; without errors=True it is a ValueError.
        """
        _choice("output", output, ("message", "codeword"))
        words, code = self._words(codeword, self.n, "a codeword")
        marks: NDArray[np.bool_] = np.zeros(words.shape if erasures is not None else 0, dtype=np.bool_)
        if erasures is not None:
            if isinstance(erasures, np.ma.MaskedArray):
                raise TypeError("erasures are an array of bool without a mask")
            given = np.asarray(erasures)
            if given.dtype != np.bool_:
                raise TypeError(f"erasures are an array of bool, not of {given.dtype}")
            marks[...] = given
        changed = np.array(code.decode(words.words, marks), dtype=np.intp).reshape(words.shape[:-1])
        if not errors and bool((changed < 0).any()):
            raise ValueError("more errors and erasures than the code corrects: errors=True tells in which words")
        result = words[..., : code.k].copy() if output == "message" else words
        return (result, changed[()]) if errors else result


def _choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} is {' or '.join(map(repr, choices))}, not {value!r}")


def _start(field: Field | None, n: SupportsIndex, alpha: Any, c: SupportsIndex) -> tuple[Field, int, int, int]:
    """The field, n, alpha as an integer, and c."""
    length, first = operator.index(n), operator.index(c)
    if length < 2:
        raise ValueError(f"a code has words of 2 symbols or more, not {length}")
    if first < 0:
        raise ValueError(f"c is an exponent from 0 on, not {first}")
    roots = _field_for(length) if field is None else field
    if not isinstance(roots, Field):
        raise TypeError(f"a field made by GF, not {type(roots).__name__}")
    _check_symbols(roots)
    return roots, length, int(roots.primitive_element if alpha is None else roots._element(alpha)), first


def _check_symbols(field: Field) -> None:
    if field.degree > 64:
        raise ValueError(f"symbols are of a field of degree 64 at most, not {field.degree}")


class ReedSolomon(_Code):
    """The Reed-Solomon code of length n and dimension k, or distance d = n - k + 1. n is at most the order of alpha.

    Without a field it is over the least one that has more than n elements, modulo the first primitive polynomial; without alpha the roots are powers
    of the field's primitive element, from exponent c on. In libfec's terms c is `fcr` and alpha z^`prim`.

    >>> from carryless import GF, ReedSolomon
    >>> ReedSolomon(255, 223, field=GF(2, 8, 0x187), alpha=0xad, c=112).d
    33
    """

    def __init__(
        self,
        n: SupportsIndex,
        k: SupportsIndex | None = None,
        d: SupportsIndex | None = None,
        *,
        field: Field | None = None,
        alpha: Any = None,
        c: SupportsIndex = 1,
    ) -> None:
        symbols, length, root, first = _start(field, n, alpha, c)
        if (k is None) == (d is None):
            raise TypeError("either k or d")
        dimension = length + 1 - operator.index(d) if d is not None else operator.index(k)  # type: ignore[arg-type]

        def make(n: int) -> _carryless.Code:
            return _carryless.Code.reed_solomon(symbols._kernels, n, max(dimension - (length - n), 0), root, first)

        super().__init__(make(length), make, symbols, symbols, root, first)

    @property
    def H(self) -> FieldArray:
        """The parity-check matrix: H w is 0 for codewords w. Row i has powers of root i."""
        roots = self.roots
        return self._field([roots.power(e).tolist() for e in range(self.n - 1, -1, -1)]).T.copy()

    def __repr__(self) -> str:
        return f"ReedSolomon({self.n}, {self.k}, field={self._field!r}, alpha={self._alpha:#x}, c={self._c})"


class BCH(_Code):
    """The binary BCH code of length n with dimension k, or with designed distance d at least. n is at most the order of alpha.

    Without an extension field, whose elements are the roots, it is the least one that has more than n elements, modulo the first primitive
    polynomial; without alpha the roots are powers of its primitive element, from exponent c on.

    >>> from carryless import BCH
    >>> code = BCH(15, 7)
    >>> code.d, code.generator_poly.coefficients.tolist()
    (5, [1, 0, 0, 0, 1, 0, 1, 1, 1])
    """

    def __init__(
        self,
        n: SupportsIndex,
        k: SupportsIndex | None = None,
        d: SupportsIndex | None = None,
        *,
        extension_field: Field | None = None,
        alpha: Any = None,
        c: SupportsIndex = 1,
    ) -> None:
        roots, length, root, first = _start(extension_field, n, alpha, c)
        if (k is None) == (d is None):
            raise TypeError("either k or d")
        if k is not None:
            code = _carryless.Code.bch_with_dimension(roots._kernels, length, max(operator.index(k), 0), root, first)
        else:
            code = _carryless.Code.bch(roots._kernels, length, max(operator.index(d), 0), root, first)  # type: ignore[arg-type]
        super().__init__(code, lambda n: _carryless.Code.bch(roots._kernels, n, code.d, root, first), GF(2), roots, root, first)

    @property
    def extension_field(self) -> Field:
        """The field of the roots."""
        return self._roots_field

    @property
    def H(self) -> FieldArray:
        """The parity-check matrix in reduced row echelon form: H w is 0 for codewords w."""
        return self.G.null_space()

    def __repr__(self) -> str:
        return f"BCH({self.n}, {self.k}, extension_field={self._roots_field!r}, alpha={self._alpha:#x}, c={self._c})"


class _LFSR:
    """What both kinds of registers have."""

    _is_galois: bool

    def __init__(self, feedback_poly: FieldPoly, state: Any = None) -> None:
        if not isinstance(feedback_poly, FieldPoly):
            raise TypeError(f"a polynomial over a field, not {type(feedback_poly).__name__}")
        self._field, self._poly = feedback_poly.field, feedback_poly
        _check_symbols(self._field)
        coefficients = feedback_poly.coefficients.tolist()
        start = self._field.ones(max(len(coefficients) - 1, 0)) if state is None else self._field._element(state)
        if start.ndim != 1:
            raise ValueError("a state has one axis")
        self._register = _carryless.Lfsr(self._field._kernels, coefficients, start.tolist(), self._is_galois)

    @property
    def field(self) -> Field:
        """The field of the terms."""
        return self._field

    @property
    def feedback_poly(self) -> FieldPoly:
        """1 + c_1 x + ... + c_n x^n: term i is the sum of c_j times term i - j."""
        return self._poly

    @property
    def order(self) -> int:
        """How many elements the state has."""
        return self._poly.degree

    @property
    def state(self) -> FieldArray:
        """The state, a copy."""
        return self._field(self._register.state())

    def step(self, steps: SupportsIndex = 1) -> FieldArray:
        """The next terms of the sequence."""
        count = operator.index(steps)
        if count < 0:
            raise ValueError(f"steps are not negative: {count}")
        out = self._field.zeros(count)
        self._register.step(out.words)
        return out


class FLFSR(_LFSR):
    """A Fibonacci shift register: the state is the next terms, the next one last; ones by default.

    >>> from carryless import FLFSR, GF, berlekamp_massey
    >>> terms = FLFSR(GF(2).poly([1, 1, 0, 1]), [1, 0, 0]).step(8)
    >>> terms.tolist()
    [0, 0, 1, 1, 1, 0, 1, 0]
    >>> berlekamp_massey(terms, output="feedback").coefficients.tolist()
    [1, 1, 0, 1]
    """

    _is_galois = False


class GLFSR(_LFSR):
    """A Galois shift register: the state is a polynomial, that of x^0 first, which each step multiplies by x; ones by default. The sequences have the recurrence of
    the :class:`FLFSR` with the same polynomial."""

    _is_galois = True


def berlekamp_massey(sequence: FieldArray, output: str = "characteristic") -> FieldPoly:
    """The characteristic polynomial x^n + c_1 x^(n - 1) + ... + c_n of the shortest recurrence of a sequence, of length n; with output="feedback" its reciprocal,
    :attr:`FLFSR.feedback_poly`, whose degree is less than n if c_n is 0."""
    _choice("output", output, ("characteristic", "feedback"))
    if not isinstance(sequence, FieldArray):
        raise TypeError(f"a sequence of elements, not {type(sequence).__name__}")
    if sequence.ndim != 1:
        raise ValueError("a sequence has one axis")
    field = sequence.field
    connection = _carryless.berlekamp_massey(field._kernels, np.ascontiguousarray(sequence.words))
    return field.poly(connection if output == "feedback" else connection[::-1])
