/* NTL's GF2X. */
#include "polynomials.h"

#include <NTL/GF2XFactoring.h>

#include <string>

using namespace NTL;

namespace {

enum class Kind { product, square, mul_mod, square_mod, pow_mod, invert, irreducible, factor };

bool named(const std::string &name, Kind &kind) {
    static const char *const names[] = {"product", "square", "mul-mod", "square-mod", "pow-mod", "invert", "irreducible", "factor"};
    for (int i = 0; i < 8; i++) {
        if (name == names[i]) {
            kind = Kind(i);
            return true;
        }
    }
    return false;
}

/* NTL, as these functions, takes the least significant byte first. */
GF2X polynomial(const uint64_t *words, uint64_t count) {
    return GF2XFromBytes(reinterpret_cast<const unsigned char *>(words), 8 * count);
}

void write(uint64_t *words, const GF2X &a, uint64_t count) {
    BytesFromGF2X(reinterpret_cast<unsigned char *>(words), a, 8 * count);
}

} // namespace

struct task {
    Kind kind;
    uint64_t words;
    GF2X f, a, b, result;
    ZZ exponent;
    GF2XModulus modulus;
    bool irreducible;
    vec_pair_GF2X_long factors;
};

struct task *polynomials_new(const char *operation, uint64_t words, const uint64_t *f, const uint64_t *a,
                             const uint64_t *b, uint64_t exponent) {
    Kind kind;
    if (!named(operation, kind)) return nullptr;
    task *made = new task{};
    made->kind = kind;
    made->words = words;
    made->f = polynomial(f, words);
    made->a = polynomial(a, words);
    made->b = polynomial(b, words);
    made->exponent = ZZFromBytes(reinterpret_cast<const unsigned char *>(&exponent), 8);
    build(made->modulus, made->f);
    return made;
}

static void once(task &task) {
    switch (task.kind) {
    case Kind::product:
        mul(task.result, task.a, task.b);
        break;
    case Kind::square:
        sqr(task.result, task.a);
        break;
    case Kind::mul_mod:
        MulMod(task.result, task.a, task.b, task.modulus);
        break;
    case Kind::square_mod:
        SqrMod(task.result, task.a, task.modulus);
        break;
    case Kind::pow_mod:
        PowerMod(task.result, task.a, task.exponent, task.modulus);
        break;
    case Kind::invert:
        InvMod(task.result, task.a, task.f);
        break;
    case Kind::irreducible:
        task.irreducible = IterIrredTest(task.a);
        break;
    case Kind::factor:
        CanZass(task.factors, task.a);
        break;
    }
}

void polynomials_run(struct task *task, uint64_t times) {
    while (times-- > 0) once(*task);
}

void polynomials_result(const struct task *task, uint64_t *words) {
    uint64_t length = task->words;
    switch (task->kind) {
    case Kind::irreducible:
        write(words, GF2X(task->irreducible), length);
        break;
    case Kind::factor:
        for (long i = 0; i < task->factors.length(); i++) {
            const GF2X &factor = task->factors[i].a;
            uint64_t own = deg(factor) / 64 + 1;
            *words++ = task->factors[i].b;
            *words++ = own;
            write(words, factor, own);
            words += own;
        }
        break;
    case Kind::product:
    case Kind::square:
        length *= 2;
        /* fall through */
    default:
        write(words, task->result, length);
    }
}

void polynomials_free(struct task *task) { delete task; }
