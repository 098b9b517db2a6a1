// What NTL computes with the libgf2x that the loader found: first a line with that library's file, then for each task its name, a
// digest of the results, and the nanoseconds of the fastest of some runs. `cargo xtask ntl` compares two libraries by it.
#include <NTL/GF2X.h>
#include <NTL/GF2XFactoring.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <limits>

using namespace NTL;

// FNV-1a over the bytes of the results.
struct Digest {
    unsigned long long state = 14695981039346656037ULL;

    void add(const GF2X &a) {
        for (long i = 0; i < NumBytes(a); i++) step(0);
        Vec<unsigned char> bytes;
        bytes.SetLength(NumBytes(a));
        BytesFromGF2X(bytes.elts(), a, bytes.length());
        for (long i = 0; i < bytes.length(); i++) step(bytes[i]);
    }
    void step(unsigned char byte) { state = (state ^ byte) * 1099511628211ULL; }
};

// A task gives its results to the digest; it is run again until a third of a second is over, five times at least.
static void measure(const char *name, const std::function<void(Digest &)> &task, int repeat = 1) {
    Digest first;
    task(first);
    double least = std::numeric_limits<double>::infinity(), sum = 0;
    for (int run = 0; run < 5 || sum < 0.3; run++) {
        Digest again;
        auto begin = std::chrono::steady_clock::now();
        task(again);
        double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (again.state != first.state) {
            std::printf("error: %s gives different results\n", name);
            std::exit(1);
        }
        least = std::min(least, seconds);
        sum += seconds;
    }
    std::printf("%s %016llx %.1f\n", name, first.state, 1e9 * least / repeat);
}

static void products(long bits_a, long bits_b) {
    GF2X a, b, c;
    random(a, bits_a);
    random(b, bits_b);
    SetCoeff(a, bits_a - 1);
    SetCoeff(b, bits_b - 1);
    int repeat = int(1 + 20000000 / (bits_a + 2000) / (bits_b / 64 + 20));
    char name[80];
    std::snprintf(name, sizeof name, "mul/%ldx%ld", bits_a, bits_b);
    measure(name, [&](Digest &digest) {
        for (int i = 0; i < repeat; i++) mul(c, a, b);
        digest.add(c);
    }, repeat);
}

// Products of all word sizes up to 40, in place as well: only the results matter.
static void all_sizes(Digest &digest) {
    for (long n = 1; n <= 40; n++) {
        for (long m = 1; m <= 40; m++) {
            GF2X a, b, c;
            SetSeed(to_ZZ(1000 * n + m));
            random(a, 64 * n - m);
            random(b, 64 * m - n % 7);
            mul(c, a, b);
            digest.add(c);
            mul(a, a, b);
            digest.add(a);
            mul(b, b, b);
            digest.add(b);
        }
    }
}

int main() {
    Dl_info library;
    if (dladdr(dlsym(RTLD_DEFAULT, "gf2x_mul"), &library) == 0) {
        std::puts("error: no gf2x_mul");
        return 1;
    }
    std::printf("library %s %s\n", library.dli_fname, dlsym(RTLD_DEFAULT, "carryless_gf2x_version") ? "ours" : "other");

    measure("mul/all-sizes", all_sizes);
    SetSeed(to_ZZ(42));
    for (long bits : {64, 128, 192, 256, 320, 384, 512, 640, 1024, 2048, 4096, 8192, 17669, 35851, 57637, 131072, 1048576}) {
        products(bits, bits);
    }
    products(2048, 1024);
    products(17669, 640);
    products(100000, 30000);

    GF2X a, b, d;
    random(a, 40000);
    random(b, 39000);
    measure("gcd/40000", [&](Digest &digest) {
        GCD(d, a, b);
        digest.add(d);
    });
    measure("invmod/1279", [&](Digest &digest) {
        GF2X f = BuildSparseIrred_GF2X(1279);
        GF2X x = trunc(a, 1279);
        InvMod(d, x, f);
        digest.add(d);
    });
    measure("irred-test/4423", [&](Digest &digest) {
        // X^4423 + X^271 + 1 is irreducible, X^4423 + X^270 + 1 is not.
        GF2X f;
        SetCoeff(f, 4423);
        SetCoeff(f, 271);
        SetCoeff(f, 0);
        digest.step(IterIrredTest(f) != 0);
        SetCoeff(f, 271, 0);
        SetCoeff(f, 270);
        digest.step(IterIrredTest(f) != 0);
    });
    measure("sparse-irred/2100", [&](Digest &digest) { digest.add(BuildSparseIrred_GF2X(2100)); });
    measure("dense-irred/400", [&](Digest &digest) {
        SetSeed(to_ZZ(7));
        GF2X f;
        BuildRandomIrred(f, BuildSparseIrred_GF2X(400));
        digest.add(f);
    });
    measure("mulmod/17669", [&](Digest &digest) {
        GF2XModulus f(trunc(a, 17669) + GF2X(INIT_MONO, 17669));
        GF2X x = trunc(b, 17669), y = trunc(a, 17000);
        for (int i = 0; i < 20; i++) MulMod(x, x, y, f);
        digest.add(x);
    }, 20);
    return 0;
}
