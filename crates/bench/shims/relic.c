/* RELIC, which has the one field that it was built for (FB_POLYN), with the methods of its presets. Without ALIGN=16 inversion faults.

     git clone https://github.com/relic-toolkit/relic && mkdir relic-251 && cd relic-251
     sh ../relic/preset/curve2251-clmul-gcc.sh ../relic
     cmake -DALIGN=16 -DSHLIB=off -DSTBIN=on -DTESTS=0 -DBENCH=0 -DCMAKE_POSITION_INDEPENDENT_CODE=on . && make
     gcc -O2 -shared -fPIC -I../relic/include -Iinclude -o relic.so CARRYLESS/crates/bench/shims/relic*.c lib/librelic_s.a -lgmp

   For fields without a preset of their own, in place of the second line:

     cmake -DARITH=easy -DARCH=X64 -DWSIZE=64 -DALIGN=16 -DCHECK=off -DFB_POLYN=233 -DFB_PRECO=on -DEC_METHD=CHAR2 -DTIMER=CYCLE \
         -DWITH="MD;DV;BN;FB;EB;EC" -DCFLAGS="-O3 -funroll-loops -fomit-frame-pointer -march=native" ../relic */
#include "fields.h"
#include "relic_field.h"

enum operation { PRODUCT, SQUARE, SQRT, TRACE, SOLVE, INVERT, OPERATIONS };

static const char *const names[OPERATIONS] = {"product", "square", "sqrt", "trace", "solve", "invert"};

struct call {
    fb_st a, b, out;
    dig_t trace;
    enum operation operation;
};

struct call *fields_new(const char *operation, const int *exponents, const uint64_t *a, const uint64_t *b) {
    int known = index_of(operation, names, OPERATIONS);
    if (known == OPERATIONS || !is_own_field(exponents)) return NULL;
    struct call *call = aligned_zeros(sizeof *call);
    if (call == NULL) return NULL;
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
