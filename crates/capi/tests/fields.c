// Fields GF(2^m).
#include "common.h"

enum { ELEMENTS = 17, MOST = 20 };

static void laws(const size_t *exponents, size_t terms) {
    carryless_field *field = NULL;
    size_t degree, words;
    STATUS(OK, carryless_field_new(exponents, terms, NULL, 0, &field));
    STATUS(OK, carryless_field_degree(field, &degree, &words));
    CHECK(words == (degree + 63) / 64);
    size_t all = ELEMENTS * words;
    uint64_t a[ELEMENTS * MOST], b[ELEMENTS * MOST], x[ELEMENTS * MOST], y[ELEMENTS * MOST], z[ELEMENTS * MOST];
    uint8_t traces[ELEMENTS], squares[ELEMENTS];
    for (size_t i = 0; i < all; i++) {
        a[i] = number();
        b[i] = number();
        if (i % words == words - 1 && degree % 64) {
            a[i] &= ((uint64_t)1 << (degree % 64)) - 1;
            b[i] &= ((uint64_t)1 << (degree % 64)) - 1;
        }
    }
    memset(a, 0, 8 * words);
    // (a + b)^2 = a^2 + b^2.
    STATUS(OK, carryless_field_add(field, a, b, x, all));
    STATUS(OK, carryless_field_mul(field, x, x, y, all));
    STATUS(OK, carryless_field_frobenius(field, a, 1, x, all));
    STATUS(OK, carryless_field_frobenius(field, b, 1, z, all));
    for (size_t i = 0; i < all; i++)
        CHECK(y[i] == (x[i] ^ z[i]));
    // sqrt(a^2) = a, and traces of conjugates are equal.
    STATUS(OK, carryless_field_sqrt(field, x, y, all));
    CHECK(memcmp(y, a, 8 * all) == 0);
    STATUS(OK, carryless_field_trace(field, a, all, traces, ELEMENTS));
    STATUS(OK, carryless_field_trace(field, x, all, squares, ELEMENTS));
    CHECK(memcmp(traces, squares, ELEMENTS) == 0);
    // a / a = 1 but for 0.
    STATUS(OK, carryless_field_invert(field, a, x, all));
    STATUS(OK, carryless_field_mul(field, a, x, y, all));
    for (size_t i = 0; i < all; i++)
        CHECK(y[i] == (uint64_t)(i >= words && i % words == 0));
    // By squares of squares, and for every k by as many squarings as k mod m says.
    size_t counts[] = {degree, SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 1};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        memcpy(x, a, 8 * all);
        for (size_t squarings = counts[i] % degree; squarings > 0; squarings--) {
            STATUS(OK, carryless_field_mul(field, x, x, y, all));
            memcpy(x, y, 8 * all);
        }
        STATUS(OK, carryless_field_frobenius(field, a, counts[i], y, all));
        CHECK(memcmp(y, x, 8 * all) == 0);
    }
    // m squarings change nothing.
    memcpy(x, a, 8 * all);
    for (size_t squarings = 0; squarings < degree; squarings++) {
        STATUS(OK, carryless_field_frobenius(field, x, 1, y, all));
        memcpy(x, y, 8 * all);
    }
    CHECK(memcmp(x, a, 8 * all) == 0);
    // a^5 = a^4 a.
    uint64_t five = 5;
    STATUS(OK, carryless_field_pow(field, a, &five, 1, x, all));
    STATUS(OK, carryless_field_frobenius(field, a, 2, y, all));
    STATUS(OK, carryless_field_mul(field, y, a, z, all));
    CHECK(memcmp(x, z, 8 * all) == 0);
    // x^2 + x = b^2 + b has a solution.
    STATUS(OK, carryless_field_frobenius(field, b, 1, x, all));
    STATUS(OK, carryless_field_add(field, x, b, y, all));
    STATUS(OK, carryless_field_solve(field, y, x, all));
    STATUS(OK, carryless_field_frobenius(field, x, 1, z, all));
    for (size_t i = 0; i < all; i++)
        CHECK((z[i] ^ x[i]) == y[i]);

    STATUS(OVERLAP, carryless_field_mul(field, a, b, a, all));
    STATUS(OVERLAP, carryless_field_pow(field, a, x, 1, x, all));
    STATUS(NULL, carryless_field_mul(field, a, NULL, x, all));
    STATUS(NULL, carryless_field_mul(NULL, a, b, x, all));
    STATUS(ALIGNMENT, carryless_field_mul(field, (const uint64_t *)((const char *)a + 4), b, x, words));
    STATUS(LENGTH, carryless_field_trace(field, a, all, traces, ELEMENTS - 1));
    if (words > 1)
        STATUS(LENGTH, carryless_field_mul(field, a, b, x, all - 1));
    // Bits from z^m on are no part of an element. Nothing is written then.
    if (degree % 64) {
        uint64_t top = a[all - 1];
        a[all - 1] |= (uint64_t)1 << (degree % 64);
        memset(x, 7, sizeof x);
        STATUS(VALUE, carryless_field_add(field, a, b, x, all));
        STATUS(VALUE, carryless_field_mul(field, b, a, x, all));
        STATUS(VALUE, carryless_field_frobenius(field, a, 1, x, all));
        STATUS(VALUE, carryless_field_sqrt(field, a, x, all));
        STATUS(VALUE, carryless_field_invert(field, a, x, all));
        STATUS(VALUE, carryless_field_solve(field, a, x, all));
        STATUS(VALUE, carryless_field_pow(field, a, &five, 1, x, all));
        traces[0] = 7;
        STATUS(VALUE, carryless_field_trace(field, a, all, traces, ELEMENTS));
        CHECK(traces[0] == 7);
        for (size_t i = 0; i < all; i++)
            CHECK(x[i] == 0x0707070707070707);
        a[all - 1] = top;
        STATUS(OK, carryless_field_add(field, a, b, x, all));
    }
    STATUS(OK, carryless_free(field));
}

void test_fields(void) {
    size_t aes[] = {8, 4, 3, 1, 0}, b233[] = {0, 74, 233}, large[] = {1279, 216, 0}, whole[] = {128, 7, 2, 1, 0};
    laws(aes, 5);
    laws(b233, 3);
    laws(large, 3);
    laws(whole, 5);
    // Polynomials of degree 100 with many terms: one of 35 or so is irreducible.
    size_t exponents[101], found = 0;
    for (int tries = 0; tries < 2000 && !found; tries++) {
        size_t terms = 0;
        exponents[terms++] = 100;
        for (size_t e = 99; e > 0; e--)
            if (number() % 3 == 0)
                exponents[terms++] = e;
        exponents[terms++] = 0;
        carryless_field *field = NULL;
        carryless_status status = carryless_field_new(exponents, terms, NULL, 0, &field);
        CHECK(status == CARRYLESS_STATUS_OK || status == CARRYLESS_STATUS_VALUE);
        CHECK((status == CARRYLESS_STATUS_OK) == (field != NULL));
        if (field)
            found = terms;
        STATUS(OK, carryless_free(field));
    }
    CHECK(found > 20);
    laws(exponents, found);

    carryless_field *field = NULL;
    size_t reducible[] = {233, 75, 0}, huge[] = {SIZE_MAX, 0};
    STATUS(VALUE, carryless_field_new(reducible, 3, NULL, 0, &field));
    STATUS(VALUE, carryless_field_new(huge, 2, NULL, 0, &field));
    STATUS(VALUE, carryless_field_new(NULL, 0, NULL, 0, &field));
    STATUS(NULL, carryless_field_new(NULL, 1, NULL, 0, &field));
    CHECK(field == NULL);
    size_t size;
    void *memory = memory_for(CARRYLESS_KIND_FIELD, &size);
    STATUS(OK, carryless_field_new(b233, 3, memory, size, &field));
    STATUS(OK, carryless_free(field));
    free(memory);
}
