/* The one field that RELIC was built for (FB_POLYN). */
#ifndef CARRYLESS_RELIC_FIELD_H
#define CARRYLESS_RELIC_FIELD_H

#include <relic.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(dig_t) == sizeof(uint64_t), "RELIC's digits must have 64 bits: -DWSIZE=64");

/* Whether f, by its exponents, is RELIC's polynomial; and sets RELIC up. */
static int is_own_field(const int *exponents) {
    if (core_get() == NULL) {
        if (core_init() != RLC_OK) return 0;
        fb_param_set_any();
    }
    dig_t f[RLC_FB_DIGS + 1] = {0};
    for (; *exponents >= 0; exponents++) {
        if ((size_t)*exponents > RLC_FB_BITS) return 0;
        f[*exponents / RLC_DIG] |= (dig_t)1 << (*exponents % RLC_DIG);
    }
    return memcmp(f, fb_poly_get(), (RLC_FB_BITS / RLC_DIG + 1) * sizeof(dig_t)) == 0;
}

/* The number of a name among so many, or so many. */
static int index_of(const char *name, const char *const *names, int count) {
    int index = 0;
    while (index < count && strcmp(names[index], name) != 0) index++;
    return index;
}

/* Memory for RELIC's elements, filled with zeros. */
static void *aligned_zeros(size_t size) {
    size_t whole = (size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, whole);
    return memory == NULL ? NULL : memset(memory, 0, whole);
}

#endif
