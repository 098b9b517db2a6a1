/* RELIC, which has the one field that it was built for (FB_POLYN), with the methods of its presets. */
#include "fields.h"

#include <relic.h>
#include <stdlib.h>
#include <string.h>

enum operation { PRODUCT, SQUARE, SQRT, TRACE, SOLVE, INVERT, OPERATIONS };

static const char *const names[OPERATIONS] = {"product", "square", "sqrt", "trace", "solve", "invert"};

struct call {
    fb_st a, b, out;
    dig_t trace;
    enum operation operation;
};

_Static_assert(sizeof(dig_t) == sizeof(uint64_t), "RELIC's digits must have 64 bits: -DWSIZE=64");

/* Whether f is RELIC's polynomial. */
static int is_own(const int *exponents) {
    static int ready;
    if (!ready) {
        if (core_init() != RLC_OK) return 0;
        fb_param_set_any();
        ready = 1;
    }
    dig_t f[RLC_FB_DIGS + 1] = {0};
    for (; *exponents >= 0; exponents++) {
        if ((size_t)*exponents > RLC_FB_BITS) return 0;
        f[*exponents / RLC_DIG] |= (dig_t)1 << (*exponents % RLC_DIG);
    }
    return memcmp(f, fb_poly_get(), (RLC_FB_BITS / RLC_DIG + 1) * sizeof(dig_t)) == 0;
}

struct call *fields_new(const char *operation, const int *exponents, const uint64_t *a, const uint64_t *b) {
    int known = 0;
    while (known < OPERATIONS && strcmp(names[known], operation) != 0) known++;
    if (known == OPERATIONS || !is_own(exponents)) return NULL;
    struct call *call = aligned_alloc(64, (sizeof *call + 63) / 64 * 64);
    if (call == NULL) return NULL;
    memset(call, 0, sizeof *call);
    memcpy(call->a, a, RLC_FB_DIGS * sizeof(dig_t));
    memcpy(call->b, b, RLC_FB_DIGS * sizeof(dig_t));
    call->operation = (enum operation)known;
    return call;
}

void fields_run(struct call *call, uint64_t times) {
    dig_t *a = call->a;
    switch (call->operation) {
    case PRODUCT:
        while (times-- > 0) fb_mul(a, a, call->b);
        break;
    case SQUARE:
        while (times-- > 0) fb_sqr(a, a);
        break;
    case SQRT:
        while (times-- > 0) fb_srt(a, a);
        break;
    case TRACE:
        while (times-- > 0) call->trace = fb_trc(a);
        break;
    case SOLVE:
        while (times-- > 0) fb_slv(call->out, a);
        break;
    default:
        while (times-- > 0) fb_inv(a, a);
        break;
    }
}

void fields_result(const struct call *call, uint64_t *words) {
    const dig_t *result = call->operation == SOLVE ? call->out : call->a;
    memcpy(words, result, RLC_FB_DIGS * sizeof(dig_t));
    if (call->operation == TRACE) {
        memset(words, 0, RLC_FB_DIGS * sizeof(dig_t));
        words[0] = call->trace;
    }
}

void fields_free(struct call *call) { free(call); }
