// Products in F2[X].
#include "common.h"

// out += a b X^(64 at), bit by bit.
static void product_by_definition(const uint64_t *a, const uint64_t *b, size_t words, uint64_t *out) {
    memset(out, 0, 16 * words);
    for (size_t i = 0; i < 64 * words; i++)
        if (a[i / 64] >> (i % 64) & 1)
            for (size_t j = 0; j < words; j++) {
                out[i / 64 + j] ^= b[j] << (i % 64);
                if (i % 64)
                    out[i / 64 + j + 1] ^= b[j] >> (64 - i % 64);
            }
}

static void products(size_t words) {
    uint64_t *a = (uint64_t *)malloc(8 * words), *b = (uint64_t *)malloc(8 * words);
    uint64_t *want = (uint64_t *)malloc(16 * words), *out = (uint64_t *)malloc(16 * words);
    for (size_t i = 0; i < words; i++) {
        a[i] = number();
        b[i] = number();
    }
    product_by_definition(a, b, words, want);
    carryless_poly_plan *plan = NULL;
    size_t scratch_words, prepared_words;
    STATUS(OK, carryless_poly_plan_new(words, words, NULL, 0, &plan));
    STATUS(OK, carryless_poly_plan_words(plan, &scratch_words, &prepared_words));
    size_t all = scratch_words + 2 * words;
    uint64_t *scratch = (uint64_t *)malloc(8 * all), *prepared = (uint64_t *)malloc(8 * prepared_words + 8);
    STATUS(OK, carryless_poly_mul(plan, a, words, b, words, out, 2 * words, scratch, all));
    CHECK(memcmp(out, want, 16 * words) == 0);
    STATUS(OK, carryless_poly_prepare(plan, b, words, prepared, prepared_words, scratch, all));
    memset(out, 0, 16 * words);
    STATUS(OK, carryless_poly_mul_prepared(plan, a, words, prepared, prepared_words, out, 2 * words, scratch, all));
    CHECK(memcmp(out, want, 16 * words) == 0);

    // Modulo X^n - 1, for n of a whole number of words and for one bit less.
    for (size_t n = 64 * words - 1; n <= 64 * words; n++) {
        uint64_t *folded = (uint64_t *)calloc(words, 8);
        for (size_t i = 0; i < 128 * words; i++)
            folded[i % n / 64] ^= (want[i / 64] >> (i % 64) & 1) << (i % n % 64);
        STATUS(OK, carryless_poly_mul_mod_xn_1(plan, n, a, words, b, words, out, words, scratch, all));
        CHECK(memcmp(out, folded, 8 * words) == 0);
        memset(out, 0, 8 * words);
        STATUS(OK, carryless_poly_mul_mod_xn_1_prepared(plan, n, a, words, prepared, prepared_words, out, words, scratch, all));
        CHECK(memcmp(out, folded, 8 * words) == 0);
        free(folded);
    }

    STATUS(LENGTH, carryless_poly_mul(plan, a, words - 1, b, words, out, 2 * words, scratch, all));
    STATUS(LENGTH, carryless_poly_mul(plan, a, words, b, words, out, 2 * words - 1, scratch, all));
    if (scratch_words > 0)
        STATUS(LENGTH, carryless_poly_mul(plan, a, words, b, words, out, 2 * words, scratch, scratch_words - 1));
    STATUS(NULL, carryless_poly_mul(plan, NULL, words, b, words, out, 2 * words, scratch, all));
    STATUS(NULL, carryless_poly_mul(NULL, a, words, b, words, out, 2 * words, scratch, all));
    STATUS(OVERLAP, carryless_poly_mul(plan, out, words, b, words, out, 2 * words, scratch, all));
    STATUS(OVERLAP, carryless_poly_mul(plan, a, words, b, words, out, 2 * words, out, 2 * words));
    if (words > 1) {
        uint64_t *odd = (uint64_t *)((char *)a + 1);
        STATUS(ALIGNMENT, carryless_poly_mul(plan, odd, words - 1, b, words, out, 2 * words, scratch, all));
    }
    STATUS(LENGTH, carryless_poly_mul_mod_xn_1(plan, 64 * words + 1, a, words, b, words, out, words, scratch, all));
    STATUS(VALUE, carryless_poly_mul_mod_xn_1(plan, 0, a, words, b, words, out, words, scratch, all));
    STATUS(VALUE, carryless_poly_mul_mod_xn_1_prepared(plan, 0, a, words, prepared, prepared_words, out, words, scratch, all));
    STATUS(OK, carryless_free(plan));
    free(prepared);
    free(scratch);
    free(out);
    free(want);
    free(b);
    free(a);
}

void test_polynomials(void) {
    size_t sizes[] = {1, 2, 4, 9, 11, 40, 277};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        products(sizes[i]);
    carryless_poly_plan *plan = NULL, *copy = NULL;
    STATUS(LENGTH, carryless_poly_plan_new(SIZE_MAX, 1, NULL, 0, &plan));
    CHECK(plan == NULL);
    size_t size, words, prepared;
    void *memory = memory_for(CARRYLESS_KIND_POLY_PLAN, &size);
    STATUS(OK, carryless_poly_plan_new(20, 300, memory, size, &plan));
    STATUS(OVERLAP, carryless_copy(plan, memory, size, (void **)&copy));
    STATUS(OVERLAP, carryless_poly_plan_words(plan, &words, &words));
    STATUS(OK, carryless_poly_plan_words(plan, &words, &prepared));
    STATUS(OK, carryless_free(plan));
    free(memory);
}
