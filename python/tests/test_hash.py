"""Hashes and MACs against the vector files and `cryptography`; every form of a message gives the same digest."""

import array
import hashlib
import mmap
import threading
from collections.abc import Callable
from typing import Any

import carryless
import numpy as np
import pytest
import vectors
from cryptography.hazmat.primitives.poly1305 import Poly1305
from hypothesis import given, settings
from hypothesis import strategies as st

KEY = bytes(range(1, 33))
# A number below 2^126 for the hashes over 2^127 - 1.
SHORT_KEY = KEY[:15] + b"\x01"

STREAMS = {f"decbrw{c}_{p}": (f"decbrwhash{p}", {"streams": c}) for c in (2, 3, 4, 8, 16) for p in (1271, 1305)}
STREAMS |= {f"brwhash{p}": (f"decbrwhash{p}", {"streams": 1}) for p in (1271, 1305)}
FILES: dict[str, tuple[str, dict[str, int]]] = STREAMS | {
    name: (name, {}) for name in ("poly1305", "polyhash1305", "polyhash1271", "wegman_carter")
}

# Every way to start a hash, and the digest at once.
ALGORITHMS: list[tuple[str, tuple[bytes, ...]]] = [
    ("poly1305", (KEY,)),
    ("polyhash1305", (KEY[:16],)),
    ("decbrwhash1305", (KEY[:16],)),
    ("polyhash1271", (SHORT_KEY,)),
    ("decbrwhash1271", (SHORT_KEY,)),
    ("file_mac", (KEY,)),
    ("wegman_carter", (KEY, KEY[16:])),
]


def functions(name: str) -> tuple[Callable[..., carryless.Hash], Callable[..., bytes]]:
    return getattr(carryless, name), getattr(carryless, f"{name}_digest")


@pytest.mark.parametrize("file", FILES)
def test_vectors(file: str) -> None:
    name, options = FILES[file]
    start, at_once = functions(name)
    count = 0
    for test in vectors.tests(file):
        whole = "msg" in test and test.get("msgBits", 0) % 8 == 0
        if not whole or test["result"] != "valid":
            continue
        keys = [vectors.hex_of(test, part) for part in ("key", "nonce") if part in test]
        message, tag = vectors.hex_of(test, "msg"), vectors.hex_of(test, "tag")
        assert at_once(*keys, message, **options) == tag, test["tcId"]
        assert start(*keys, message, **options).digest() == tag, test["tcId"]
        count += 1
    assert count > 100


@given(key=st.binary(min_size=32, max_size=32), message=st.binary(max_size=300))
def test_cryptography_agrees(key: bytes, message: bytes) -> None:
    assert carryless.poly1305_digest(key, message) == Poly1305.generate_tag(key, message)


@pytest.mark.parametrize(("name", "keys"), ALGORITHMS)
@settings(max_examples=30)
@given(pieces=st.lists(st.binary(max_size=9000), max_size=5))
def test_cuts_do_not_matter(name: str, keys: tuple[bytes, ...], pieces: list[bytes]) -> None:
    start, at_once = functions(name)
    hash, copies = start(*keys), []
    for piece in pieces:
        copies.append((hash.copy(), hash.digest()))
        hash.update(piece)
    digest = at_once(*keys, b"".join(pieces))
    assert hash.digest() == digest and hash.digest() == digest
    assert hash.hexdigest() == digest.hex()
    assert all(copy.digest() == before for copy, before in copies)
    hash.verify(digest)
    wrong = bytes([digest[0] ^ 1]) + digest[1:]
    with pytest.raises(carryless.TagMismatch):
        hash.verify(wrong)


@pytest.mark.parametrize("size", [0, 1, 100, 4096, 4097, 100_000])
def test_every_buffer(size: int) -> None:
    message = hashlib.shake_128(b"message").digest(size)
    expected = carryless.poly1305_digest(KEY, message)
    anonymous = mmap.mmap(-1, max(size, 1))
    anonymous[:size] = message
    forms: list[Any] = [
        bytearray(message),
        memoryview(message),
        memoryview(bytearray(message)),
        array.array("B", message),
        np.frombuffer(message, dtype=np.uint8),
        np.frombuffer(message, dtype=np.uint8).copy(),
        memoryview(anonymous)[:size],
    ]
    for form in forms:
        assert carryless.poly1305_digest(KEY, form) == expected
        assert carryless.poly1305(bytearray(KEY), form).digest() == expected
    wide = np.arange(size // 8, dtype=np.uint64)
    assert carryless.poly1305_digest(KEY, wide) == carryless.poly1305_digest(KEY, wide.tobytes())


def test_batches() -> None:
    messages = [bytes(i) for i in range(200)]
    keys = [hashlib.sha256(bytes([i])).digest() for i in range(200)]
    single = [carryless.poly1305_digest(key, message) for key, message in zip(keys, messages)]
    assert carryless.poly1305_batch(keys, messages) == single
    assert carryless.poly1305_batch([], []) == []
    # Short enough to keep the GIL, too long, and writable in each case.
    for count in (10, 200):
        assert carryless.poly1305_batch(keys[:count], list(map(bytearray, messages[:count]))) == single[:count]
    for name, (key, *_) in ALGORITHMS[1:6]:
        prepared = carryless.PreparedKey(name, key)
        assert prepared.name == name
        expected = [functions(name)[1](key, message) for message in messages]
        assert prepared.batch(messages) == prepared.batch(list(map(bytearray, messages))) == expected
        prepared.verify(messages[7], expected[7])
        with pytest.raises(carryless.TagMismatch):
            prepared.verify(messages[8], expected[7])


def test_errors() -> None:
    for wrong in (b"", KEY[:31], KEY + b"x"):
        with pytest.raises(ValueError, match=f"a key has 32 bytes, not {len(wrong)}"):
            carryless.poly1305(wrong)
    with pytest.raises(TypeError):
        carryless.poly1305(KEY, "text")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="streams"):
        carryless.decbrwhash1305(KEY[:16], streams=5)
    with pytest.raises(ValueError, match="upper two bits"):
        carryless.polyhash1271(b"\xff" * 16)
    with pytest.raises(ValueError, match="unknown algorithm"):
        carryless.file_mac(KEY, algorithm="sha256")
    with pytest.raises(ValueError, match="tag has 16 bytes"):
        carryless.poly1305(KEY).verify(b"short")
    with pytest.raises(BufferError):
        carryless.poly1305(KEY, memoryview(bytes(100))[::2])
    with pytest.raises(ValueError, match="3 keys for 2 messages"):
        carryless.poly1305_batch([KEY] * 3, [b""] * 2)
    with pytest.raises(ValueError, match="no algorithm"):
        carryless.PreparedKey("md5", KEY)
    with pytest.raises(TypeError):
        carryless.Hash()


def test_secrets_are_neither_shown_nor_pickled() -> None:
    import pickle

    for object in (carryless.poly1305(KEY), carryless.PreparedKey("file_mac", KEY)):
        assert KEY.hex() not in repr(object)
        with pytest.raises(TypeError):
            pickle.dumps(object)


def test_threads_share_an_object() -> None:
    hash, piece = carryless.polyhash1305(KEY[:16]), bytes(100_000)

    def work() -> None:
        for _ in range(20):
            hash.update(piece)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hash.digest() == carryless.polyhash1305_digest(KEY[:16], bytes(8_000_000))
