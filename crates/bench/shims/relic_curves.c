/* RELIC's curves over the one field that it was built for, with the methods of its presets: its ladder (López and Dahab), which is constant time, and
   its product by the generator and double product, which are not. */
#include "curves.h"
#include "relic_field.h"

enum operation { VARIABLE_BASE, FIXED_BASE, DOUBLE_BASE, OPERATIONS };

static const char *const names[OPERATIONS] = {"variable-base", "fixed-base", "double-base"};

struct call {
    eb_st p, out;
    bn_st k, l;
    enum operation operation;
};

static void set_point(eb_st *point, const uint64_t *x, const uint64_t *y) {
    memcpy(point->x, x, RLC_FB_DIGS * sizeof(dig_t));
    memcpy(point->y, y, RLC_FB_DIGS * sizeof(dig_t));
    fb_set_dig(point->z, 1);
    point->coord = BASIC;
}

static void set_number(bn_st *number, const uint64_t *words, size_t count) {
    bn_make(number, RLC_BN_SIZE);
    bn_read_raw(number, words, count);
}

/* Sets the curve, and makes RELIC's table of the generator. */
static void set_curve(const struct curve *curve) {
    eb_st g;
    bn_st n, h;
    fb_t a, b;
    memcpy(a, curve->a, RLC_FB_DIGS * sizeof(dig_t));
    memcpy(b, curve->b, RLC_FB_DIGS * sizeof(dig_t));
    set_point(&g, curve->x, curve->y);
    set_number(&n, curve->order, curve->order_words);
    set_number(&h, &curve->cofactor, 1);
    eb_curve_set(a, b, &g, &n, &h);
}

struct call *curves_new(const char *operation, const struct curve *curve, const uint64_t *k, const uint64_t *l, const uint64_t *x,
                        const uint64_t *y) {
    int known = index_of(operation, names, OPERATIONS);
    if (known == OPERATIONS || !is_own_field(curve->exponents)) return NULL;
    struct call *call = aligned_zeros(sizeof *call);
    if (call == NULL) return NULL;
    set_curve(curve);
    set_point(&call->p, x, y);
    set_number(&call->k, k, curve->order_words);
    set_number(&call->l, l, curve->order_words);
    call->operation = (enum operation)known;
    return call;
}

void curves_run(struct call *call, uint64_t times) {
    switch (call->operation) {
    case VARIABLE_BASE:
        while (times-- > 0) eb_mul_lodah(&call->out, &call->p, &call->k);
        break;
    case FIXED_BASE:
        while (times-- > 0) eb_mul_gen(&call->out, &call->k);
        break;
    default:
        while (times-- > 0) eb_mul_sim_gen(&call->out, &call->k, &call->p, &call->l);
        break;
    }
}

void curves_result(const struct call *call, uint64_t *words) {
    memcpy(words, call->out.x, RLC_FB_DIGS * sizeof(dig_t));
    memcpy(words + RLC_FB_DIGS, call->out.y, RLC_FB_DIGS * sizeof(dig_t));
}

void curves_free(struct call *call) {
    bn_clean(&call->k);
    bn_clean(&call->l);
    free(call);
}
