// Computes in GF(2^233), without any allocation but that of the field, and a product of polynomials modulo X^17669 - 1, as HQC does it.
//
//     cc field.c $(pkg-config --cflags --libs carryless)
#include <carryless.h>

#include <stdio.h>
#include <stdlib.h>

static void check(carryless_status status) {
    if (status != CARRYLESS_STATUS_OK) {
        fprintf(stderr, "%s\n", carryless_strerror(status));
        exit(1);
    }
}

int main(void) {
    size_t exponents[] = {233, 74, 0};
    carryless_field *field;
    check(carryless_field_new(exponents, 3, NULL, 0, &field));
    uint64_t a[4] = {0x123456789abcdef, 1, 2, 3}, inverse[4], one[4];
    check(carryless_field_invert(field, a, inverse, 4));
    check(carryless_field_mul(field, a, inverse, one, 4));
    if (one[0] != 1 || one[1] || one[2] || one[3])
        return 1;
    printf("1 / a = %016llx%016llx%016llx%016llx\n", (unsigned long long)inverse[3], (unsigned long long)inverse[2],
           (unsigned long long)inverse[1], (unsigned long long)inverse[0]);
    check(carryless_free(field));

    enum { N = 17669, WORDS = (N + 63) / 64 };
    carryless_poly_plan *plan;
    check(carryless_poly_plan_new(WORDS, WORDS, NULL, 0, &plan));
    size_t scratch_words, prepared_words;
    check(carryless_poly_plan_words(plan, &scratch_words, &prepared_words));
    scratch_words += 2 * WORDS;
    uint64_t *x = (uint64_t *)calloc(WORDS, 8), *y = (uint64_t *)calloc(WORDS, 8), *product = (uint64_t *)calloc(WORDS, 8);
    uint64_t *scratch = (uint64_t *)calloc(scratch_words, 8);
    if (x == NULL || y == NULL || product == NULL || scratch == NULL)
        return 1;
    x[(N - 1) / 64] = (uint64_t)1 << ((N - 1) % 64); // X^(N - 1)
    y[0] = 2;                                        // X
    check(carryless_poly_mul_mod_xn_1(plan, N, x, WORDS, y, WORDS, product, WORDS, scratch, scratch_words));
    if (product[0] != 1)
        return 1;
    puts("X^(n - 1) X = 1 modulo X^n - 1");
    free(scratch);
    free(product);
    free(y);
    free(x);
    check(carryless_free(plan));
    return 0;
}
