"""Measures of the Python package beside `galois` and `python-flint`, every result compared before it is timed. Seconds are the least of several runs.

python python/examples/measure.py [the program that measure.rs was built into]
"""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import carryless
import flint
import galois
import numpy as np
from carryless import GF, GF2X

# Elements of arrays; those of galois above 64 bits are objects, of which so many are measured.
COUNT, OBJECTS = 100_000, 2_000


def seconds(run: Callable[[], Any], rounds: int = 7, repeat: int = 1) -> float:
    """The least time of a call."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(repeat):
            run()
        best = min(best, (time.perf_counter() - start) / repeat)
    return best


def row(name: str, ours: float, theirs: float, unit: float, bar: float) -> None:
    ratio = theirs / ours
    print(
        f"{name:44} {ours / unit:12.3f} {theirs / unit:14.2f} {ratio:10.0f} {bar:8.0f}  {'' if ratio >= bar else 'MISSED'}",
        flush=True,
    )


def fields() -> None:
    print(f"\nnanoseconds for an element, arrays of {COUNT}:{'carryless':>12} {'galois':>14} {'ratio':>10} {'bar':>8}")
    default = galois.GF(2**100)
    for name, G, f, bars in (
        ("GF(2^233), sparse f", None, [233, 74, 0], (1000, 3000)),
        ("GF(2^100), sparse f", None, [100, 15, 0], (1000, 3000)),
        ("GF(2^100), f of galois, 33 terms", default, None, (300, 3000)),
        ("GF(2^8)", galois.GF(2**8), None, (5, 0)),
    ):
        G = G or galois.GF(2 ** f[0], irreducible_poly=galois.Poly.Degrees(f), primitive_element="x", verify=False)
        m = G.degree
        F = GF(2, m, int(G.irreducible_poly))
        a, b = F.random(COUNT, 1), F.random(COUNT, 2)
        a[a.is_zero()] = 1
        some = COUNT if m <= 8 else OBJECTS
        x, y = a[:some].to_galois(G), b[:some].to_galois(G)
        assert (a[:some] * b[:some]).tolist() == np.asarray(x * y).tolist()
        few = some if m <= 8 else 20
        assert a[:few].inv().tolist() == np.asarray(np.reciprocal(x[:few])).tolist()
        rounds = 50 if m <= 8 else 2
        out = F.zeros(COUNT)
        row(f"product, {name}", seconds(lambda: a * b, 50) / COUNT, seconds(lambda: x * y, rounds) / some, 1e-9, bars[0])
        row(
            "  the same, out=",
            seconds(lambda: np.multiply(a, b, out=out), 50) / COUNT,
            seconds(lambda: x * y, rounds) / some,
            1e-9,
            bars[0],
        )
        row(
            "  inverse",
            seconds(lambda: a.inv(), 20) / COUNT,
            seconds(lambda: np.reciprocal(x[:few]), rounds) / few,
            1e-9,
            bars[1],
        )


def polynomials() -> None:
    print(f"\nproducts of polynomials, microseconds:{'carryless':>19} {'peer':>14} {'ratio':>10} {'bar':>8}")
    rng = np.random.default_rng(1)
    for bits, peer, bar in ((20_000, "galois", 1000), (1_000_000, "flint", 80)):
        coefficients = [rng.integers(0, 2, bits, dtype=np.uint8) for _ in range(2)]
        a, b = map(GF2X.from_numpy, coefficients)
        product = (a * b).to_numpy()
        if peer == "galois":
            x, y = (galois.Poly(c[::-1]) for c in coefficients)
            assert np.array_equal(np.asarray((x * y).coeffs)[::-1], product)
        else:
            x, y = (flint.nmod_poly(c.tolist(), 2) for c in coefficients)
            assert x * y == flint.nmod_poly(product.tolist(), 2)
        row(f"{bits} bits, {peer}", seconds(lambda: a * b, 30), seconds(lambda: x * y, 3), 1e-6, bar)


def macs(rust: tuple[float, float] | None) -> None:
    """Calls of functions, without what an empty call takes; beside those of Rust where `measure.rs` is given."""
    key, message, large = bytes(range(32)), bytes(64), bytes(1 << 20)
    call = seconds(lambda: None, 20, 100_000)
    digest, tag = carryless.poly1305_digest, carryless.PreparedKey("file_mac", key).digest
    # The tag of RFC 8439, 2.5.2.
    rfc = bytes.fromhex("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b")
    assert digest(rfc, b"Cryptographic Forum Research Group").hex() == "a8061dc1305136c6c22b8baf0c0127a9"
    print("\nnanoseconds of a call:")
    copied = bytearray(large)
    for name, short, long, writable in (
        ("poly1305_digest", lambda: digest(key, message), lambda: digest(key, large), lambda: digest(key, copied)),
        ("file_mac, prepared key", lambda: tag(message), lambda: tag(large), lambda: tag(copied)),
    ):
        of_short = (seconds(short, 50, 20_000) - call) * 1e9
        of_long, of_writable = (seconds(run, 200) * 1e9 for run in (long, writable))
        print(f"{name:44} 64 bytes {of_short:10.1f}; 1 MiB {of_long:10.0f}, of a bytearray {of_writable:10.0f}")
        if rust and name == "poly1305_digest":
            print(f"  in Rust {'':44} {rust[0]:10.1f}; {'':5} {rust[1]:10.0f}")
            print(f"  Python adds {of_short - rust[0]:.1f}; {rust[1] / of_long:.1%} of the speed")


if __name__ == "__main__":
    output = subprocess.check_output([sys.argv[1]], text=True).split() if len(sys.argv) > 1 else []
    macs((float(output[0]), float(output[1])) if output else None)
    polynomials()
    fields()
