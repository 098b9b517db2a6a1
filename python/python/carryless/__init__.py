"""Fast polynomial and finite-field arithmetic for cryptography.

Hashes and MACs in the manner of :mod:`hashlib`:

>>> import carryless
>>> tag = carryless.poly1305_digest(bytes(range(32)), b"message")  # one key, one message
>>> mac = carryless.poly1305(bytes(range(32)))
>>> mac.update(b"mess")
>>> mac.update(b"age")
>>> mac.verify(tag)

Polynomials over F2, and arrays of elements of GF(2^m):

>>> f = carryless.GF2X("X^8 + X^4 + X^3 + X + 1")
>>> pow(carryless.GF2X(0x53), -1, f)
GF2X(0xca)
>>> F = carryless.GF(2, 233)
>>> a = F([1, 2, 3])
>>> (a / a).tolist()
[1, 1, 1]
"""

from typing import TYPE_CHECKING, Any

from ._carryless import (
    GF2X,
    Hash,
    PreparedKey,
    TagMismatch,
    __version__,
    decbrwhash1271,
    decbrwhash1271_digest,
    decbrwhash1305,
    decbrwhash1305_digest,
    file_mac,
    file_mac_digest,
    poly1305,
    poly1305_batch,
    poly1305_digest,
    polyhash1271,
    polyhash1271_digest,
    polyhash1305,
    polyhash1305_digest,
    wegman_carter,
    wegman_carter_digest,
)

if TYPE_CHECKING:
    from .codes import BCH, FLFSR, GLFSR, ReedSolomon, berlekamp_massey
    from .fields import GF, Element, Field, FieldArray, FieldPoly
    from .polynomials import crt, lagrange_poly

__all__ = [
    "BCH",
    "FLFSR",
    "GF",
    "GF2X",
    "GLFSR",
    "Element",
    "Field",
    "FieldArray",
    "FieldPoly",
    "Hash",
    "PreparedKey",
    "ReedSolomon",
    "TagMismatch",
    "__version__",
    "berlekamp_massey",
    "crt",
    "decbrwhash1271",
    "decbrwhash1271_digest",
    "decbrwhash1305",
    "decbrwhash1305_digest",
    "file_mac",
    "file_mac_digest",
    "lagrange_poly",
    "poly1305",
    "poly1305_batch",
    "poly1305_digest",
    "polyhash1271",
    "polyhash1271_digest",
    "polyhash1305",
    "polyhash1305_digest",
    "wegman_carter",
    "wegman_carter_digest",
]


def __getattr__(name: str) -> Any:
    """Fields need numpy, which is imported when they are asked for."""
    if name in ("GF", "Element", "Field", "FieldArray", "FieldPoly"):
        from . import fields

        return getattr(fields, name)
    if name in ("BCH", "FLFSR", "GLFSR", "ReedSolomon", "berlekamp_massey"):
        from . import codes

        return getattr(codes, name)
    if name in ("crt", "lagrange_poly"):
        from . import polynomials

        return getattr(polynomials, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
