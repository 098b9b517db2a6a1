"""Each line of "From cryptography" in book/src/python.md, in both directions, against `cryptography` 46, the last one with these curves."""

import hashlib
from typing import Any

import carryless
import pytest
from carryless.ec import PublicKey, SecretKey
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization as files
from cryptography.hazmat.primitives.asymmetric import ec, utils

# The curves of every build, by their names in both packages.
CURVES = {"K-233": ec.SECT233K1(), "B-233": ec.SECT233R1()}
MESSAGE = b"attack at dawn"
FUNCTIONS: dict[str, Any] = {"sha256": hashes.SHA256(), "sha384": hashes.SHA384(), "sha512": hashes.SHA512()}


@pytest.fixture(params=CURVES)
def pair(request: pytest.FixtureRequest) -> tuple[str, SecretKey, ec.EllipticCurvePrivateKey]:
    """The curve's name, and one key in both packages."""
    key = SecretKey.generate(request.param)
    return request.param, key, ec.derive_private_key(int.from_bytes(key.to_bytes()), CURVES[request.param])


Pair = tuple[str, SecretKey, ec.EllipticCurvePrivateKey]


def test_numbers(pair: Pair) -> None:
    name, key, theirs = pair
    numbers = theirs.private_numbers()
    assert SecretKey.from_bytes(name, numbers.private_value.to_bytes(len(key.to_bytes()))).to_bytes() == key.to_bytes()
    assert key.public_key.numbers == (numbers.public_numbers.x, numbers.public_numbers.y)


@pytest.mark.parametrize(
    ("form", "format"), [("pkcs8", files.PrivateFormat.PKCS8), ("sec1", files.PrivateFormat.TraditionalOpenSSL)]
)
def test_secret_key_files(pair: Pair, form: str, format: files.PrivateFormat) -> None:
    name, key, theirs = pair
    pem = theirs.private_bytes(files.Encoding.PEM, format, files.NoEncryption())
    der = theirs.private_bytes(files.Encoding.DER, format, files.NoEncryption())
    assert (key.to_pem(form), key.to_der(form)) == (pem.decode(), der)
    for curve in (None, name):
        for read in (SecretKey.from_pem(curve, pem.decode()), SecretKey.from_der(curve, der)):
            assert (read.to_bytes(), read.curve) == (key.to_bytes(), key.curve)
    for back in (files.load_pem_private_key(key.to_pem(form).encode(), None), files.load_der_private_key(key.to_der(form), None)):
        assert isinstance(back, ec.EllipticCurvePrivateKey) and back.private_numbers() == theirs.private_numbers()
    encrypted = theirs.private_bytes(files.Encoding.PEM, files.PrivateFormat.PKCS8, files.BestAvailableEncryption(b"password"))
    with pytest.raises(ValueError, match="encrypted"):
        SecretKey.from_pem(None, encrypted.decode())
    other = next(curve for curve in CURVES if curve != name)
    with pytest.raises(ValueError, match="the key is on"):
        SecretKey.from_pem(other, pem.decode())
    with pytest.raises(ValueError, match="pkcs8 or sec1"):
        key.to_pem("openssh")


def test_public_key_files(pair: Pair) -> None:
    name, key, theirs = pair
    public, format = theirs.public_key(), files.PublicFormat.SubjectPublicKeyInfo
    pem, der = public.public_bytes(files.Encoding.PEM, format), public.public_bytes(files.Encoding.DER, format)
    assert (key.public_key.to_pem(), key.public_key.to_der()) == (pem.decode(), der)
    for curve in (None, name):
        assert PublicKey.from_pem(curve, pem.decode()) == PublicKey.from_der(curve, der) == key.public_key
    assert (
        files.load_pem_public_key(key.public_key.to_pem().encode())
        == files.load_der_public_key(key.public_key.to_der())
        == public
    )
    for compressed, point in [(True, files.PublicFormat.CompressedPoint), (False, files.PublicFormat.UncompressedPoint)]:
        data = public.public_bytes(files.Encoding.X962, point)
        assert key.public_key.to_sec1(compressed=compressed) == data
        assert PublicKey.from_sec1(name, data) == key.public_key


def test_files_that_name_no_curve_of_the_build() -> None:
    theirs = ec.generate_private_key(ec.SECP256R1())
    pem = theirs.private_bytes(files.Encoding.PEM, files.PrivateFormat.PKCS8, files.NoEncryption()).decode()
    with pytest.raises(ValueError, match="unknown curve"):
        SecretKey.from_pem(None, pem)
    for read in (SecretKey.from_pem, PublicKey.from_pem):
        with pytest.raises(ValueError, match="PEM"):
            read(None, "")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_signatures(pair: Pair, function: str) -> None:
    _, key, theirs = pair
    public, hash, algorithm = theirs.public_key(), hashlib.new(function, MESSAGE), FUNCTIONS[function]
    # Deterministic there, too, it is the same signature.
    ours = key.sign(hash, der=True)
    assert ours == theirs.sign(MESSAGE, ec.ECDSA(algorithm, deterministic_signing=True))
    assert ours == key.sign(hash.digest(), function, der=True)
    public.verify(ours, MESSAGE, ec.ECDSA(algorithm))
    public.verify(ours, hash.digest(), ec.ECDSA(utils.Prehashed(algorithm)))
    signature = theirs.sign(hash.digest(), ec.ECDSA(utils.Prehashed(algorithm)))
    key.public_key.verify(hash, signature, der=True)
    key.public_key.verify(hash.digest(), signature, der=True)
    size = len(key.to_bytes())
    r, s = utils.decode_dss_signature(signature)
    key.public_key.verify(hash, r.to_bytes(size) + s.to_bytes(size))
    plain = key.sign(hash)
    assert utils.encode_dss_signature(int.from_bytes(plain[:size]), int.from_bytes(plain[size:])) == ours
    with pytest.raises(carryless.TagMismatch):
        key.public_key.verify(hashlib.new(function, MESSAGE + b"!"), signature, der=True)
    with pytest.raises(InvalidSignature):
        public.verify(ours, MESSAGE + b"!", ec.ECDSA(algorithm))
    with pytest.raises(ValueError, match="DER"):
        key.public_key.verify(hash, plain, der=True)


def test_hash_objects(pair: Pair) -> None:
    _, key, _ = pair
    with pytest.raises(ValueError, match="not sha3_256"):
        key.sign(hashlib.sha3_256(MESSAGE))
    key.public_key.verify(hashlib.sha3_256(MESSAGE), key.sign(hashlib.sha3_256(MESSAGE), "sha256"))
    with pytest.raises(TypeError):
        key.sign("message")  # type: ignore[arg-type]


def test_key_agreement(pair: Pair) -> None:
    name, key, theirs = pair
    peer = ec.generate_private_key(CURVES[name])
    point = peer.public_key().public_bytes(files.Encoding.X962, files.PublicFormat.CompressedPoint)
    assert key.exchange(PublicKey.from_sec1(name, point)) == theirs.exchange(ec.ECDH(), peer.public_key())
