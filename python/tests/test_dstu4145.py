"""DSTU 4145. Values of all ten curves are tests in Rust (crates/ec/tests/ec/dstu4145.rs); the one here is the first of them, for builds that have its curve."""

import hashlib

import carryless
import pytest
from carryless.ec import PublicKey, SecretKey

SIGNATURE = bytes.fromhex("5b2616f2c7950cb6cc5990030a92ccadeec18cac015bf3bb24af6b4dc50383c2fbe91979b68a12aad603")
HASH = bytes(range(64))
SIZE = 21


def has_curve() -> bool:
    try:
        SecretKey.generate("dstu-m163")
    except ValueError as error:
        assert "no curve dstu-m163" in str(error)
        return False
    return True


def test_the_signature_of_the_definition() -> None:
    if not has_curve():
        return
    key = SecretKey.from_bytes("dstu-m163", b"\0" + b"\x15" * 20)
    assert key.sign_dstu4145(HASH) == key.sign_dstu4145(bytearray(HASH)) == SIGNATURE
    key.dstu4145_public_key.verify_dstu4145(HASH, SIGNATURE)
    order = 0x400000000000000000002BEC12BE2262D39BCF14D
    for number in (0, order, order + 1):
        with pytest.raises(ValueError):
            SecretKey.from_bytes("dstu-m163", number.to_bytes(SIZE))
    with pytest.raises(ValueError):
        PublicKey.from_sec1("dstu-m163", key.public_key.to_sec1()[:-1])
    with pytest.raises(ValueError, match="dstu-m163 and"):
        key.exchange(SecretKey.generate("B-233").public_key)
    # These curves have no identifier.
    for write in (key.to_pem, key.to_der, key.public_key.to_pem, key.public_key.to_der):
        with pytest.raises(ValueError, match="identifier"):
            write()


@pytest.mark.parametrize("curve", ["K-233", "B-233"])
def test_other_curves(curve: str) -> None:
    key = SecretKey.generate(curve)
    public, hash = key.dstu4145_public_key, hashlib.sha3_256(b"message")
    # The inverse of the point of ECDH.
    assert public != key.public_key and public.numbers[0] == key.public_key.numbers[0]
    signature = key.sign_dstu4145(hash)
    public.verify_dstu4145(hash.digest(), signature)
    for wrong, hash_bytes, other in ((key.public_key, hash.digest(), signature), (public, HASH, signature), (public, hash.digest(), signature[:-2] + b"\0\0")):
        with pytest.raises(carryless.TagMismatch):
            wrong.verify_dstu4145(hash_bytes, other)
    size = len(signature) // 2
    for bad in (b"", signature[:-1], signature + b"\0", bytes(2 * size), b"\xff" * 2 * size, signature[:size] + bytes(size)):
        with pytest.raises(ValueError) as error:
            public.verify_dstu4145(HASH, bad)
        assert not isinstance(error.value, carryless.TagMismatch)
