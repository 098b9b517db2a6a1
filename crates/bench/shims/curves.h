/* What `carryless-bench paper004-curves` calls of another library's curves y^2 + x y = x^3 + a x^2 + b over GF(2)[z]/f: crates/bench/PEERS.md says how to
   build one. Elements of the field have ceil(m / 64) words, scalars as many as n, all least significant first. */
#ifndef CARRYLESS_CURVES_H
#define CARRYLESS_CURVES_H

#include <stddef.h>
#include <stdint.h>

struct curve {
    /* Those of f descend from m to 0; -1 ends them. */
    const int *exponents;
    const uint64_t *a, *b;
    /* The generator G. */
    const uint64_t *x, *y;
    /* n, the prime order of G, and its length in words; the curve has h n points. */
    const uint64_t *order;
    size_t order_words;
    uint64_t cofactor;
};

struct call;

/* A product ("variable-base" for k P, "fixed-base" for k G, "double-base" for k G + l P) with P = (x, y). Null if the library lacks it, or the
   field. Calls run on the curve of the last one that was made: those of two curves are not to alternate. */
struct call *curves_new(const char *operation, const struct curve *curve, const uint64_t *k, const uint64_t *l, const uint64_t *x,
                        const uint64_t *y);

/* So many products, each with the same operands, in affine coordinates. */
void curves_run(struct call *call, uint64_t times);

/* x, then y of the last result, which is not infinity. */
void curves_result(const struct call *call, uint64_t *words);

void curves_free(struct call *call);

#endif
