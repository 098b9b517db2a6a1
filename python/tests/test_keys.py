"""HQC and the curves: against the vector files, those of RFC 6979 and of OpenSSL among them; every bad key is an exception."""

import base64
import hashlib
import json
import pickle
import textwrap
from typing import Any

import carryless
import pytest
import vectors
from carryless import ec, hqc
from hypothesis import given
from hypothesis import strategies as st

SCHEMES = [(name, profile) for profile in ("nr", "v5") for name in ("HQC-1", "HQC-3", "HQC-5")]


def has_2023() -> bool:
    """Whether the build has profile 2023, which the one for tests has and the released wheel has not."""
    try:
        hqc.DecapsulationKey.generate("hqc-128", "2023")
    except ValueError:
        return False
    return True


if has_2023():
    SCHEMES += [(name, "2023") for name in ("hqc-128", "hqc-192", "hqc-256")]


@pytest.mark.parametrize(("name", "profile"), SCHEMES)
def test_hqc_round_trip(name: str, profile: str) -> None:
    key = hqc.DecapsulationKey.generate(name, profile)
    public = hqc.EncapsulationKey.from_bytes(key.encapsulation_key.to_bytes(), name, profile)
    assert public == key.encapsulation_key and (public.scheme, public.profile) == (name, profile)
    ciphertext, secret = public.encapsulate()
    assert public.encapsulate()[0] != ciphertext
    again = hqc.DecapsulationKey.from_bytes(key.to_bytes(), name, profile)
    assert key.decapsulate(ciphertext) == again.decapsulate(ciphertext) == secret
    changed = bytes([ciphertext[0] ^ 1]) + ciphertext[1:]
    assert key.decapsulate(changed) != secret
    assert hqc.DecapsulationKey.from_seed(key.to_seed(), name, profile).to_bytes() == key.to_bytes()
    with pytest.raises(ValueError, match="seed"):
        hqc.DecapsulationKey.from_seed(key.to_seed()[1:], name, profile)
    expanded = key.expand()
    assert expanded.to_bytes() == key.to_bytes() and expanded.encapsulation_key == public == public.expand()
    ciphertext, secret = public.expand().encapsulate()
    assert expanded.decapsulate(ciphertext) == key.decapsulate(ciphertext) == expanded.expand().decapsulate(ciphertext) == secret
    with pytest.raises(ValueError, match="bytes"):
        expanded.decapsulate(ciphertext[1:])
    with pytest.raises(ValueError, match="bytes"):
        key.decapsulate(ciphertext[1:])
    with pytest.raises(ValueError, match="bytes"):
        hqc.EncapsulationKey.from_bytes(b"", name, profile)
    with pytest.raises(ValueError):
        hqc.DecapsulationKey.from_bytes(key.to_bytes()[:-1] + bytes([key.to_bytes()[-1] ^ 1]), name, profile)
    with pytest.raises(TypeError):
        pickle.dumps(key)


def test_names() -> None:
    with pytest.raises(ValueError, match="no scheme HQC-2"):
        hqc.DecapsulationKey.generate("HQC-2")
    with pytest.raises(ValueError, match="no scheme hqc-128 in profile nr"):
        hqc.DecapsulationKey.generate("hqc-128")
    with pytest.raises(ValueError, match="no curve P-256; there are sect233k1"):
        ec.SecretKey.generate("P-256")


CURVES = ["sect233k1", "sect233r1"]


def entries(file: str) -> list[dict[str, Any]]:
    """The vectors of a file that are on the curves of every build."""
    vectors_of_file = json.loads((vectors.FOLDER / f"{file}.json").read_text())["vectors"]
    return [entry for entry in vectors_of_file if entry["curve"] in CURVES]


def test_signatures_of_rfc_6979() -> None:
    signed = 0
    for entry in entries("ecdsa_rfc6979"):
        if entry["hash"] not in ("sha256", "sha384", "sha512"):
            continue
        size = len(ec.SecretKey.generate(entry["curve"]).to_bytes())
        key = ec.SecretKey.from_bytes(entry["curve"], int(entry["private"], 16).to_bytes(size))
        hash = hashlib.new(entry["hash"], bytes.fromhex(entry["message"])).digest()
        expected = b"".join(int(entry[name], 16).to_bytes(size) for name in ("r", "s"))
        assert key.sign(hash, entry["hash"]) == expected
        key.public_key.verify(hash, expected)
        signed += 1
    assert signed >= 12


def pem(label: str, der: str) -> str:
    text = base64.b64encode(bytes.fromhex(der)).decode()
    return "\n".join([f"-----BEGIN {label}-----", *textwrap.wrap(text, 64), f"-----END {label}-----", ""])


def test_keys_of_openssl() -> None:
    for entry in entries("ec_openssl"):
        keys = [ec.SecretKey.from_pem(entry["curve"], pem("PRIVATE KEY", key["pkcs8"])) for key in entry["keys"]]
        assert keys[0].exchange(keys[1].public_key).hex() == entry["ecdh_shared_secret"]
        for key, text in zip(keys, entry["keys"]):
            assert ec.PublicKey.from_pem(entry["curve"], pem("PUBLIC KEY", text["spki"])) == key.public_key
            assert ec.PublicKey.from_pem(entry["curve"], key.public_key.to_pem()) == key.public_key
    assert len(entries("ec_openssl")) >= 2


SETS = ["HQC-1", "HQC-3", "HQC-5"]

# The seed is 32 bytes of 7. RustCrypto and OpenSSL with carryless.so write the same.
PRIVATE = """-----BEGIN PRIVATE KEY-----
MDQCAQAwCwYJYIZIAWUDBAQEBCKAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH
BwcHBwcH
-----END PRIVATE KEY-----
"""


def test_hqc_key_file_of_others() -> None:
    key = hqc.DecapsulationKey.from_pem(PRIVATE)
    assert (key.scheme, key.profile, key.to_seed()) == ("HQC-1", "nr", bytes([7] * 32))
    assert key.to_pem() == PRIVATE
    # SubjectPublicKeyInfo: the algorithm, then the bits of the key, none of them unused.
    public = key.encapsulation_key.to_bytes()
    info = bytes.fromhex("308208d6300b06096086480165030404040382") + (len(public) + 1).to_bytes(2) + b"\0" + public
    info = info[:2] + (len(info) - 4).to_bytes(2) + info[4:]
    assert key.encapsulation_key.to_der() == info


@pytest.mark.parametrize("name", SETS)
def test_hqc_key_files(name: str) -> None:
    key = hqc.DecapsulationKey.generate(name)
    for form in ("seed", "expanded", "both"):
        assert hqc.DecapsulationKey.from_pem(key.to_pem(form)).to_seed() == key.to_seed()
        der = key.to_der(form)
        assert hqc.DecapsulationKey.from_der(der).to_bytes() == key.to_bytes()
        for wrong in (b"", der[:-1], der + b"0", der[:20] + b"0" + der[21:]):
            with pytest.raises(ValueError, match="key"):
                hqc.DecapsulationKey.from_der(wrong)
    seed, expanded, both = (len(key.to_der(form)) for form in ("seed", "expanded", "both"))
    # The form both has the seed with its header, and a header around the two.
    assert seed == 54 and expanded > len(key.to_bytes()) and both == expanded + 38
    public = key.encapsulation_key
    assert hqc.EncapsulationKey.from_pem(public.to_pem()) == hqc.EncapsulationKey.from_der(public.to_der()) == public
    der = public.to_der()
    for wrong in (b"", der[:-1], der + b"0", der[:-1] + bytes([der[-1] | 0x80])):
        with pytest.raises(ValueError, match="key"):
            hqc.EncapsulationKey.from_der(wrong)
    # The identifier of no set.
    with pytest.raises(ValueError, match="not one of HQC"):
        hqc.EncapsulationKey.from_der(der.replace(bytes.fromhex("0165030404"), bytes.fromhex("0165030405")))
    with pytest.raises(ValueError, match="does not hold a PRIVATE KEY"):
        hqc.DecapsulationKey.from_pem(public.to_pem())
    with pytest.raises(ValueError, match="encrypted"):
        hqc.DecapsulationKey.from_pem(key.to_pem().replace("PRIVATE", "ENCRYPTED PRIVATE"))
    with pytest.raises(ValueError, match="PEM"):
        hqc.DecapsulationKey.from_pem("")
    with pytest.raises(ValueError, match="no form whole"):
        key.to_der("whole")


def test_hqc_profiles_without_key_files() -> None:
    for name, profile in SCHEMES:
        if profile == "nr":
            continue
        key = hqc.DecapsulationKey.generate(name, profile)
        for write in (key.to_pem, key.to_der, key.encapsulation_key.to_pem, key.encapsulation_key.to_der):
            with pytest.raises(ValueError, match="no object identifier"):
                write()


@pytest.mark.parametrize("profile", sorted({profile for _, profile in SCHEMES}))
def test_hqc_vectors(profile: str) -> None:
    count = 0
    for test in vectors.tests(f"hqc_{profile}"):
        if test.get("dk") is None or test["result"] != "valid":
            continue
        key = hqc.DecapsulationKey.from_bytes(bytes.fromhex(test["dk"]), test["scheme"], test["profile"])
        assert key.decapsulate(bytes.fromhex(test["ct"])).hex() == test["ss"], test["tcId"]
        count += 1
    assert count >= 3


@given(st.binary(min_size=1, max_size=64))
def test_curves(message: bytes) -> None:
    key = ec.SecretKey.from_bytes("B-233", bytes(29) + b"\x05")
    assert key.curve == "sect233r1" and key.to_bytes()[-1] == 5
    public = ec.PublicKey.from_sec1("B-233", key.public_key.to_sec1(compressed=True))
    assert public == key.public_key == ec.PublicKey.from_pem("B-233", public.to_pem())
    for function in ("sha256", "sha384", "sha512"):
        hash = hashlib.new(function, message).digest()
        signature = key.sign(hash, function)
        public.verify(hash, signature)
        with pytest.raises(carryless.TagMismatch):
            public.verify(hashlib.new(function, message + b"x").digest(), signature)


def test_bad_keys() -> None:
    key = ec.SecretKey.generate("K-233")
    for wrong in (b"", bytes(30), b"\xff" * 29):
        with pytest.raises(ValueError):
            ec.SecretKey.from_bytes("K-233", wrong)
        with pytest.raises(ValueError):
            ec.PublicKey.from_sec1("K-233", wrong)
    with pytest.raises(ValueError):
        ec.SecretKey.from_pem("K-233", "-----BEGIN PRIVATE KEY-----")
    with pytest.raises(ValueError, match="keys on"):
        key.exchange(ec.SecretKey.generate("B-233").public_key)
    with pytest.raises(ValueError, match="not md5"):
        key.sign(bytes(32), "md5")
    with pytest.raises(ValueError):
        key.public_key.verify(bytes(32), bytes(3))
    with pytest.raises(TypeError):
        pickle.dumps(key)
    assert key.to_bytes().hex() not in repr(key)
