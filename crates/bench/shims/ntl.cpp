/* NTL's GF2E, which has no square roots and no solutions of x^2 + x = c. */
#include "fields.h"

#include <NTL/GF2E.h>

#include <string>

using namespace NTL;

enum class Operation { product, square, trace, invert };

struct call {
    Operation operation;
    GF2EContext field;
    GF2E a, b;
    GF2 trace;
    long words;
};

static bool named(const std::string &name, Operation &operation) {
    static const char *const names[] = {"product", "square", "trace", "invert"};
    for (int i = 0; i < 4; i++) {
        if (name == names[i]) {
            operation = Operation(i);
            return true;
        }
    }
    return false;
}

/* NTL, as these functions, takes the least significant byte first. */
static GF2E element(const uint64_t *words, long count) {
    return conv<GF2E>(GF2XFromBytes(reinterpret_cast<const unsigned char *>(words), 8 * count));
}

struct call *fields_new(const char *operation, const int *exponents, const uint64_t *a, const uint64_t *b) {
    Operation known;
    if (!named(operation, known)) return nullptr;
    GF2X f;
    for (const int *exponent = exponents; *exponent >= 0; exponent++) SetCoeff(f, *exponent);
    GF2EContext field(f);
    GF2EPush before(field);
    long words = (deg(f) + 63) / 64;
    return new call{known, field, element(a, words), element(b, words), GF2(), words};
}

void fields_run(struct call *call, uint64_t times) {
    GF2EPush before(call->field);
    GF2E &a = call->a;
    switch (call->operation) {
    case Operation::product:
        while (times-- > 0) mul(a, a, call->b);
        break;
    case Operation::square:
        while (times-- > 0) sqr(a, a);
        break;
    case Operation::trace:
        while (times-- > 0) call->trace = trace(a);
        break;
    case Operation::invert:
        while (times-- > 0) inv(a, a);
        break;
    }
}

void fields_result(const struct call *call, uint64_t *words) {
    GF2X result = call->operation == Operation::trace ? conv<GF2X>(call->trace) : rep(call->a);
    BytesFromGF2X(reinterpret_cast<unsigned char *>(words), result, 8 * call->words);
}

void fields_free(struct call *call) { delete call; }
