/* What `carryless-bench paper004` calls of another library's GF(2)[z]/f: crates/bench/PEERS.md says how to build one. */
#ifndef CARRYLESS_FIELDS_H
#define CARRYLESS_FIELDS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct call;

/* An operation ("product", "square", "sqrt", "trace", "solve" for x^2 + x = c, "invert") on elements of ceil(m / 64) words. The exponents of f
   descend from m to 0; -1 ends them. Null if the library lacks the operation or the field. */
struct call *fields_new(const char *operation, const int *exponents, const uint64_t *a, const uint64_t *b);

/* So many calls, each on the result of the one before; traces and solutions on the same element. */
void fields_run(struct call *call, uint64_t times);

/* The last result. */
void fields_result(const struct call *call, uint64_t *words);

void fields_free(struct call *call);

#ifdef __cplusplus
}
#endif

#endif
