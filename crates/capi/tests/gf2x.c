// Common divisors, inverses, factors and irreducible polynomials.
#include "common.h"

#define WORDS 4

static unsigned degree(uint64_t a) {
    unsigned top = 0;
    while (a >>= 1)
        top++;
    return top;
}

// a modulo f, bit by bit; f is not 0.
static uint64_t rest(uint64_t a, uint64_t f) {
    while (a && degree(a) >= degree(f))
        a ^= f << (degree(a) - degree(f));
    return f == 1 ? 0 : a;
}

// out = out a, bit by bit, where it has room.
static void times(uint64_t out[WORDS], const uint64_t *a, size_t words) {
    uint64_t product[WORDS] = {0};
    for (size_t i = 0; i < 64 * words; i++)
        for (size_t j = 0; (a[i / 64] >> (i % 64) & 1) && j < 64 * WORDS - i; j++)
            product[(i + j) / 64] ^= (out[j / 64] >> (j % 64) & 1) << ((i + j) % 64);
    memcpy(out, product, sizeof product);
}

// What the functions below count and collect.
struct collected {
    uint64_t product[WORDS];
    size_t factors;
    long steps, most;
};

static int32_t proceed(void *context) {
    struct collected *all = (struct collected *)context;
    return all->steps++ >= all->most;
}

static void receive(void *context, const uint64_t *factor, size_t factor_words, size_t multiplicity) {
    struct collected *all = (struct collected *)context;
    uint8_t irreducible = 2;
    STATUS(OK, carryless_gf2x_is_irreducible(factor, factor_words, NULL, NULL, &irreducible));
    CHECK(irreducible == 1 && multiplicity > 0);
    for (size_t i = 0; i < multiplicity; i++)
        times(all->product, factor, factor_words);
    all->factors++;
}

// a with multiplicities, and what stops its factorisation.
static void factors(uint64_t low, uint64_t high, size_t wanted) {
    uint64_t a[WORDS] = {low, high, 0, 0};
    struct collected all = {{1, 0, 0, 0}, 0, 0, 1000000};
    STATUS(OK, carryless_gf2x_factor(a, 2, proceed, receive, &all));
    CHECK(memcmp(all.product, a, sizeof a) == 0);
    CHECK(wanted == 0 || all.factors == wanted);
    for (long most = 0; most < all.steps; most += all.steps / 5 + 1) {
        struct collected stopped = {{1, 0, 0, 0}, 0, 0, most};
        STATUS(STOPPED, carryless_gf2x_factor(a, 2, proceed, receive, &stopped));
        CHECK(stopped.factors == 0 && stopped.steps == most + 1);
    }
}

static void small_ones(void) {
    for (uint64_t a = 0; a < 256; a++) {
        uint8_t irreducible = 2, has_factor = 0;
        for (uint64_t d = 2; degree(d) < degree(a); d++)
            has_factor |= rest(a, d) == 0;
        STATUS(OK, carryless_gf2x_is_irreducible(&a, 1, NULL, NULL, &irreducible));
        CHECK(irreducible == (a > 1 && !has_factor));
        for (uint64_t b = a; b < 256; b += 7) {
            uint64_t divisor = 99, wanted = a, other = b;
            while (other) {
                uint64_t next = rest(wanted, other);
                wanted = other;
                other = next;
            }
            STATUS(OK, carryless_gf2x_gcd(&a, 1, &b, 1, &divisor, 1));
            CHECK(divisor == wanted);
            uint64_t inverse = 99, product[WORDS] = {0};
            if (wanted != 1 || b == 0) {
                STATUS(VALUE, carryless_gf2x_inverse_mod(&a, 1, &b, 1, &inverse, 1));
                CHECK(inverse == 99);
                continue;
            }
            STATUS(OK, carryless_gf2x_inverse_mod(&a, 1, &b, 1, &inverse, 1));
            product[0] = inverse;
            times(product, &a, 1);
            CHECK(rest(product[0], b) == rest(1, b) && (inverse == 0 || degree(inverse) < degree(b)));
        }
    }
}

// a = q d + r and g = u a + v b, for operands of up to 3 words.
static void division(const uint64_t *a, size_t a_words, const uint64_t *b, size_t b_words) {
    uint64_t quotient[WORDS] = {0}, remainder[WORDS] = {0}, alone[WORDS] = {0}, product[2 * WORDS], sum[2 * WORDS] = {0};
    uint64_t g[WORDS], same[WORDS], u[WORDS], v[WORDS];
    size_t most = a_words > b_words ? a_words : b_words;
    STATUS(OK, carryless_gf2x_div_rem(a, a_words, b, b_words, quotient, a_words, remainder, b_words));
    STATUS(OK, carryless_gf2x_div_rem(a, a_words, b, b_words, NULL, 0, alone, b_words));
    CHECK(memcmp(alone, remainder, sizeof alone) == 0);
    STATUS(OK, carryless_gf2x_div_rem(a, a_words, b, b_words, alone, a_words, NULL, 0));
    CHECK(memcmp(alone, quotient, 8 * a_words) == 0);
    STATUS(OK, carryless_gf2x_mul(quotient, a_words, b, b_words, product, a_words + b_words));
    for (size_t i = 0; i < a_words + b_words; i++)
        CHECK((product[i] ^ (i < b_words ? remainder[i] : 0)) == (i < a_words ? a[i] : 0));
    STATUS(OK, carryless_gf2x_gcd(a, a_words, b, b_words, same, most));
    STATUS(OK, carryless_gf2x_xgcd(a, a_words, b, b_words, g, most, u, most, v, most));
    CHECK(memcmp(g, same, 8 * most) == 0);
    STATUS(OK, carryless_gf2x_mul(u, most, a, a_words, product, most + a_words));
    memcpy(sum, product, 8 * (most + a_words));
    STATUS(OK, carryless_gf2x_mul(v, most, b, b_words, product, most + b_words));
    for (size_t i = 0; i < most + b_words; i++)
        sum[i] ^= product[i];
    for (size_t i = 0; i < 2 * WORDS; i++)
        CHECK(sum[i] == (i < most ? g[i] : 0));
}

static void divisions(void) {
    // (X^3 + X + 1) (X + 1) + X = X^4 + X^3 + X^2 + X + 1.
    uint64_t a = 0x1f, d = 0xb, quotient, remainder, one = 1, zero = 0;
    STATUS(OK, carryless_gf2x_div_rem(&a, 1, &d, 1, &quotient, 1, &remainder, 1));
    CHECK(quotient == 3 && remainder == 2);
    for (size_t a_words = 1; a_words < WORDS; a_words++)
        for (size_t b_words = 1; b_words < WORDS; b_words++)
            for (int tries = 0; tries < 20; tries++) {
                uint64_t numbers[2][WORDS];
                for (size_t i = 0; i < WORDS; i++) {
                    numbers[0][i] = number();
                    numbers[1][i] = number();
                }
                numbers[1][b_words - 1] >>= number() % 63;
                numbers[1][0] |= 1; // Not 0.
                division(numbers[0], a_words, numbers[1], b_words);
            }
    division(&zero, 1, &one, 1);
    division(NULL, 0, &one, 1);
    uint64_t out[3] = {7, 7, 7};
    STATUS(VALUE, carryless_gf2x_div_rem(&a, 1, &zero, 1, out, 1, out + 1, 1));
    STATUS(VALUE, carryless_gf2x_div_rem(&a, 1, NULL, 0, out, 1, NULL, 0));
    STATUS(LENGTH, carryless_gf2x_div_rem(&a, 1, &d, 1, out, 2, out + 2, 1));
    STATUS(LENGTH, carryless_gf2x_div_rem(&a, 1, &d, 1, out, 1, out + 1, 2));
    STATUS(LENGTH, carryless_gf2x_div_rem(&a, 1, &d, 1, out, 0, out + 1, 1));
    STATUS(NULL, carryless_gf2x_div_rem(&a, 1, &d, 1, out, 1, NULL, 1));
    STATUS(OVERLAP, carryless_gf2x_div_rem(&a, 1, &d, 1, out, 1, out, 1));
    STATUS(OVERLAP, carryless_gf2x_div_rem(&a, 1, &d, 1, out, 1, &d, 1));
    STATUS(LENGTH, carryless_gf2x_mul(&a, 1, &d, 1, out, 3));
    STATUS(LENGTH, carryless_gf2x_xgcd(&a, 1, &d, 1, out, 1, out + 1, 1, NULL, 0));
    STATUS(OVERLAP, carryless_gf2x_xgcd(&a, 1, &d, 1, out, 1, out + 1, 1, out + 1, 1));
    CHECK(out[0] == 7 && out[1] == 7 && out[2] == 7 && d == 0xb);
}

static void refused(void) {
    uint64_t a[2] = {5, 0}, long_one[3] = {0x87, 0, 1}, zero[1] = {0}, out[3] = {7, 7, 7};
    uint8_t irreducible = 2;
    STATUS(LENGTH, carryless_gf2x_gcd(a, 2, zero, 1, out, 1));
    STATUS(NULL, carryless_gf2x_gcd(NULL, 1, a, 1, out, 1));
    STATUS(OVERLAP, carryless_gf2x_gcd(a, 2, zero, 1, a, 2));
    STATUS(LENGTH, carryless_gf2x_inverse_mod(a, 1, a, 2, out, 1));
    STATUS(VALUE, carryless_gf2x_inverse_mod(a, 1, zero, 1, out, 1));
    STATUS(NULL, carryless_gf2x_is_irreducible(a, 1, NULL, NULL, NULL));
    STATUS(OVERLAP, carryless_gf2x_is_irreducible(a, 1, NULL, NULL, (uint8_t *)a));
    STATUS(VALUE, carryless_gf2x_find_irreducible(0, NULL, NULL, out, 1));
    STATUS(LENGTH, carryless_gf2x_find_irreducible(128, NULL, NULL, out, 2));
    STATUS(LENGTH, carryless_gf2x_find_irreducible(SIZE_MAX, NULL, NULL, out, 3));
    STATUS(NULL, carryless_gf2x_factor(a, 1, NULL, NULL, NULL));
    STATUS(VALUE, carryless_gf2x_factor(zero, 1, NULL, receive, NULL));
    STATUS(VALUE, carryless_gf2x_factor(NULL, 0, NULL, receive, NULL));
    CHECK(out[0] == 7 && out[1] == 7 && out[2] == 7);
    struct collected all = {{0}, 0, 0, 3};
    STATUS(STOPPED, carryless_gf2x_find_irreducible(128, proceed, &all, out, 3));
    all.steps = 0;
    STATUS(STOPPED, carryless_gf2x_is_irreducible(long_one, 3, proceed, &all, &irreducible));
    CHECK(out[0] == 7 && irreducible == 2);
}

void test_gf2x(void) {
    small_ones();
    divisions();
    factors(1, 0, 0);
    // (X + 1)^64, X^63, and X^127 - 1, whose factors of degree 7 and X + 1 are 19.
    factors(1, 1, 1);
    factors((uint64_t)1 << 63, 0, 1);
    factors(1, (uint64_t)1 << 63, 19);
    for (size_t i = 0; i < 50; i++)
        factors(number(), number() | 1, 0);
    // X^128 + X^7 + X^2 + X + 1, the polynomial of GCM, and X^63 + X + 1.
    uint64_t found[3] = {0}, inverse[3], a[1] = {2};
    STATUS(OK, carryless_gf2x_find_irreducible(128, NULL, NULL, found, 3));
    CHECK(found[0] == 0x87 && found[1] == 0 && found[2] == 1);
    STATUS(OK, carryless_gf2x_inverse_mod(a, 1, found, 3, inverse, 3));
    CHECK(inverse[0] == 0x43 && inverse[1] == (uint64_t)1 << 63 && inverse[2] == 0);
    STATUS(OK, carryless_gf2x_find_irreducible(63, NULL, NULL, found, 1));
    CHECK(found[0] == ((uint64_t)1 << 63 | 3));
    refused();
}
