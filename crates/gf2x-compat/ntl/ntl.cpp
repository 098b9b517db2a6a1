// What NTL computes with the libgf2x that the loader found: first a line with that library's file, then for each task its name, a
// digest of the results, and the nanoseconds of the fastest of some runs. `cargo xtask ntl` compares two libraries by it.
#include <NTL/GF2X.h>
#include <NTL/GF2XFactoring.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <limits>
#include <vector>

using namespace NTL;

using Results = std::vector<GF2X>;

// FNV-1a over the bytes of the results, and their lengths.
static unsigned long long digest(const Results &results) {
    unsigned long long state = 14695981039346656037ULL;
    auto step = [&](unsigned char byte) { state = (state ^ byte) * 1099511628211ULL; };
    for (const GF2X &a : results) {
        std::vector<unsigned char> bytes(NumBytes(a));
        BytesFromGF2X(bytes.data(), a, bytes.size());
        for (unsigned char byte : bytes) step(byte);
        for (long n = bytes.size(); n > 0; n >>= 8) step(n);
    }
    return state;
}

// Runs a task until a third of a second is over, five times at least. The digest is no part of the time.
static void measure(const char *name, const std::function<Results()> &task, int repeat = 1) {
    const unsigned long long first = digest(task());
    double least = std::numeric_limits<double>::infinity(), sum = 0;
    for (int run = 0; run < 5 || sum < 0.3; run++) {
        auto begin = std::chrono::steady_clock::now();
        Results results = task();
        double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (digest(results) != first) {
            std::printf("error: %s gives different results\n", name);
            std::exit(1);
        }
        least = std::min(least, seconds);
        sum += seconds;
    }
    std::printf("%s %016llx %.1f\n", name, first, 1e9 * least / repeat);
}

static void products(long bits_a, long bits_b) {
    GF2X a, b, c;
    random(a, bits_a);
    random(b, bits_b);
    SetCoeff(a, bits_a - 1);
    SetCoeff(b, bits_b - 1);
    // Fifty microseconds or more, so that neither the clock nor the copy of the result counts.
    int repeat = int(2 + 100000000 / (bits_a + 2000) / (bits_b / 64 + 20));
    char name[80];
    std::snprintf(name, sizeof name, "mul/%ldx%ld", bits_a, bits_b);
    measure(name, [&]() -> Results {
        for (int i = 0; i < repeat; i++) mul(c, a, b);
        return {c};
    }, repeat);
}

// Products of all word sizes up to 40, in place as well: only the results matter.
static Results all_sizes() {
    Results results;
    for (long n = 1; n <= 40; n++) {
        for (long m = 1; m <= 40; m++) {
            GF2X a, b, c;
            SetSeed(to_ZZ(1000 * n + m));
            random(a, 64 * n - m);
            random(b, 64 * m - n % 7);
            mul(c, a, b);
            results.push_back(c);
            mul(a, a, b);
            results.push_back(a);
            mul(b, b, b);
            results.push_back(b);
        }
    }
    return results;
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
    measure("gcd/40000", [&]() -> Results {
        GCD(d, a, b);
        return {d};
    });
    measure("invmod/1279", [&]() -> Results {
        GF2X f = BuildSparseIrred_GF2X(1279);
        GF2X x = trunc(a, 1279);
        InvMod(d, x, f);
        return {d};
    });
    measure("irred-test/4423", [&]() -> Results {
        // X^4423 + X^271 + 1 is irreducible, X^4423 + X^270 + 1 is not.
        GF2X f;
        SetCoeff(f, 4423);
        SetCoeff(f, 271);
        SetCoeff(f, 0);
        GF2X first(IterIrredTest(f));
        SetCoeff(f, 271, 0);
        SetCoeff(f, 270);
        return {first, GF2X(IterIrredTest(f))};
    });
    measure("sparse-irred/2100", [&]() -> Results { return {BuildSparseIrred_GF2X(2100)}; });
    measure("dense-irred/400", [&]() -> Results {
        SetSeed(to_ZZ(7));
        GF2X f;
        BuildRandomIrred(f, BuildSparseIrred_GF2X(400));
        return {f};
    });
    measure("mulmod/17669", [&]() -> Results {
        GF2XModulus f(trunc(a, 17669) + GF2X(INIT_MONO, 17669));
        GF2X x = trunc(b, 17669), y = trunc(a, 17000);
        for (int i = 0; i < 20; i++) MulMod(x, x, y, f);
        return {x};
    }, 20);
    return 0;
}
