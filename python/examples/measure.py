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


def elements() -> None:
    print(f"\nsingle elements of GF(2^233), microseconds:{'carryless':>14} {'flint':>14} {'ratio':>10}")
    F = GF(2, 233)
    ring = flint.fmpz_mod_poly_ctx(flint.fmpz_mod_ctx(2))
    z = flint.fq_default_ctx(modulus=ring([int(c) for c in F.modulus.to_numpy()]))
    x, y = F.random(2, 1).tolist()
    a, b = F.element(x), F.element(y)
    c, d = (z([n >> i & 1 for i in range(233)]) for n in (x, y))
    assert (c * d).to_list() == z([int(a * b) >> i & 1 for i in range(233)]).to_list()
    for name, ours, theirs in (("product", lambda: a * b, lambda: c * d), ("inverse", lambda: a.inv(), lambda: c.inverse())):
        row(name, seconds(ours, 20, 2000), seconds(theirs, 20, 2000), 1e-6, 1)


def daily() -> None:
    """What users of galois do, in GF(2^8)."""
    print(f"\nGF(2^8), microseconds:{'carryless':>36} {'galois':>14} {'ratio':>10} {'bar':>8}")
    G = galois.GF(2**8)
    F = GF(2, 8, int(G.irreducible_poly))
    rng = np.random.default_rng(2)
    for n, bar in ((200, 1), (10_000, 10)):
        a, b = (F.poly([*rng.integers(0, 256, size), 1]) for size in (n, n // 2))
        x, y = (galois.Poly(p.coefficients.tolist()[::-1], field=G) for p in (a, b))
        points = np.arange(256)
        assert (a * a).coefficients.tolist()[::-1] == (x * x).coeffs.tolist()
        assert [f.coefficients.tolist()[::-1] or [0] for f in divmod(a, b)] == [f.coeffs.tolist() for f in divmod(x, y)]
        rounds = 5 if n > 1000 else 20
        cases: list[tuple[str, Callable[[], Any], Callable[[], Any]]] = [
            ("product", lambda: a * a, lambda: x * x),
            ("divmod by half as many", lambda: divmod(a, b), lambda: divmod(x, y)),
            ("values at 256 points", lambda: a(points), lambda: x(G(points))),
        ]
        if n < 1000:
            cases.append(("gcd", lambda: a.gcd(b), lambda: galois.gcd(x, y)))
            cases.append(("power modulo", lambda: pow(a, 1001, b), lambda: pow(x, 1001, y)))
        for name, ours, theirs in cases:
            row(f"{name}, {n} coefficients", seconds(ours, 20), seconds(theirs, rounds), 1e-6, bar)
    f = F.poly([*rng.integers(0, 256, 30), 1])
    theirs_f = galois.Poly(f.coefficients.tolist()[::-1], field=G)
    assert f.roots().tolist() == np.sort(theirs_f.roots()).tolist()
    row("factors, 31 coefficients", seconds(f.factor, 5), seconds(theirs_f.factors, 1), 1e-6, 1)
    row("roots, 31 coefficients", seconds(f.roots, 5), seconds(theirs_f.roots, 5), 1e-6, 1)
    many = F.random(COUNT, 3)
    many[many.is_zero()] = 1
    theirs_many = many.to_galois(G)
    row("log of 10^5", seconds(many.log, 20), seconds(theirs_many.log, 5), 1e-6, 1)
    orders = theirs_many[:2000]
    ours_orders = seconds(many.multiplicative_order, 5)
    row("orders of 10^5", ours_orders, seconds(orders.multiplicative_order, 1) * COUNT / 2000, 1e-6, 1)
    # galois expands determinants by all permutations of rows.
    square = F.random((6, 6), 4)
    theirs_square = square.to_galois(G)
    row(
        "characteristic polynomial, 6 rows",
        seconds(square.characteristic_poly),
        seconds(theirs_square.characteristic_poly, 1),
        1e-6,
        1,
    )
    for ours_code, theirs_code, k in (
        (carryless.ReedSolomon(255, 223), galois.ReedSolomon(255, 223), 223),
        (carryless.BCH(255, 239), galois.BCH(255, 239), 239),
    ):
        messages = ours_code.field([rng.integers(0, ours_code.field.order, k).tolist() for _ in range(1000)])
        theirs_messages = messages.to_numpy()
        ours = seconds(lambda: ours_code.encode(messages), 10)
        row(f"encode 1000, {ours_code!r:.12}", ours, seconds(lambda: theirs_code.encode(theirs_messages), 3), 1e-6, 1)
        words = ours_code.encode(messages)
        words[:, 5] = words[:, 5] + 1
        numbers = words.to_numpy()
        ours = seconds(lambda: ours_code.decode(words), 3)
        row(f"decode 1000, {ours_code!r:.12}", ours, seconds(lambda: theirs_code.decode(numbers), 1), 1e-6, 1)


def narrow() -> None:
    """Elements of 1, 2 and 4 bytes."""
    for m in (8, 11, 16, 32):
        f = carryless.GF2X.conway(m) if m <= 16 else carryless.GF2X.find_primitive(m)
        exponents = f.exponents()
        G = galois.GF(2**m, irreducible_poly=galois.Poly.Degrees(exponents), primitive_element="x", verify=False)
        print(f"\n{COUNT} elements of GF(2^{m}), microseconds:{'carryless':>12} {'galois':>14} {'ratio':>10} {'bar':>8}")
        F = GF(2, m, f)
        a, b = F.random(COUNT, 1), F.random(COUNT, 2)
        a[a.is_zero()] = b[b.is_zero()] = 1
        x, y, values = a.to_galois(G), b.to_galois(G), a.tolist()
        rounds = 30 if m <= 16 else 2
        cases: list[tuple[str, float, Callable[[], Any], Callable[[], Any]]] = [
            ("sums", 1 / 1.1, lambda: a + b, lambda: x + y),
            ("products", 2, lambda: a * b, lambda: x * y),
            ("quotients", 2, lambda: a / b, lambda: x / y),
            ("inverses", 2, lambda: a.inv(), lambda: np.reciprocal(x)),
            ("F(list)", 1 / 1.2, lambda: F(values), lambda: G(values)),
        ]
        for name, bar, ours, theirs in cases:
            assert ours().tolist() == theirs().tolist()
            row(name, seconds(ours, 30), seconds(theirs, rounds), 1e-6, bar)


def interruption() -> None:
    """Seconds from Ctrl-C to its exception, in a product of 10^8 bits."""
    program = """
import threading, time, _thread, carryless
a = carryless.GF2X.from_exponents([10**8, 3, 1, 0]) + carryless.GF2X((1 << 10**8) - 1)
sent = []
def send():
    sent.append(time.perf_counter())
    import os, signal
    os.kill(os.getpid(), signal.SIGINT)
threading.Timer(0.05, send).start()
try:
    while True:
        a * a
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0])
"""
    print(f"\nCtrl-C in a product of 10^8 bits: {float(subprocess.check_output([sys.executable, '-c', program])):.2f} s (bar 1)")
    start = "import time; t = time.perf_counter(); import carryless; print(time.perf_counter() - t)"
    imports = [float(subprocess.check_output([sys.executable, "-c", start])) for _ in range(5)]
    fields_too = start.replace("import carryless", "import carryless; carryless.GF")
    arrays = [float(subprocess.check_output([sys.executable, "-c", fields_too])) for _ in range(5)]
    print(f"import {min(imports) * 1e3:.1f} ms, with GF, which imports numpy, {min(arrays) * 1e3:.1f} ms (bar 60)")


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
    elements()
    narrow()
    daily()
    interruption()
    polynomials()
    fields()
