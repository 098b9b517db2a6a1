/* What `carryless-bench polynomials` calls of another library's GF(2)[X]: crates/bench/PEERS.md says how to build one. */
#ifndef CARRYLESS_POLYNOMIALS_H
#define CARRYLESS_POLYNOMIALS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct task;

/* An operation on polynomials of `words` words: "product", "square"; modulo f "mul-mod", "square-mod", "pow-mod" for
   a^exponent, "invert" for 1 / a; of a alone "irreducible", "factor". Null if the library lacks the operation. */
struct task *polynomials_new(const char *operation, uint64_t words, const uint64_t *f, const uint64_t *a,
                             const uint64_t *b, uint64_t exponent);

/* Calls the operation `times` times on the same operands. What depends on f alone is ready. */
void polynomials_run(struct task *task, uint64_t times);

/* The last result, with zeros on top: products in 2 `words` words; 0 or 1, and residues, in `words`. Of each
   factor multiplicity, number of words, words; factors of degree n have 4 n words, zeros after the last factor. */
void polynomials_result(const struct task *task, uint64_t *words);

void polynomials_free(struct task *task);

#ifdef __cplusplus
}
#endif

#endif
