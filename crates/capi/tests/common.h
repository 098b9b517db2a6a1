// What the tests have in common. They are C11 and C++20.
#ifndef COMMON_H
#define COMMON_H

#include "carryless.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of all files; main.c has it.
extern int failures;

#define CHECK(condition)                                                                                                        \
    do {                                                                                                                        \
        if (!(condition)) {                                                                                                     \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                     \
            failures++;                                                                                                         \
        }                                                                                                                       \
    } while (0)

// The call has this status; prints the one that it has.
#define STATUS(expected, call)                                                                                                  \
    do {                                                                                                                        \
        int32_t status_ = (int32_t)(call);                                                                                      \
        if (status_ != (int32_t)(CARRYLESS_STATUS_##expected)) {                                                                \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, carryless_strerror(status_));                         \
            failures++;                                                                                                         \
        }                                                                                                                       \
    } while (0)

// The bytes of hexadecimal digits.
static inline void unhex(const char *text, uint8_t *bytes, size_t len) {
    CHECK(strlen(text) == 2 * len);
    for (size_t i = 0; i < len; i++) {
        char digits[3] = {text[2 * i], text[2 * i + 1], 0};
        bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
}

static inline int equals_hex(const char *text, const uint8_t *bytes, size_t len) {
    uint8_t expected[1024];
    if (len > sizeof expected)
        return 0;
    unhex(text, expected, len);
    return memcmp(expected, bytes, len) == 0;
}

// Numbers that look random (splitmix64).
static uint64_t seed = 1;

static inline uint64_t number(void) {
    uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static inline void fill(uint8_t *bytes, size_t len) {
    for (size_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)number();
}

// Memory for a state, aligned as the library asks for.
static inline void *memory_for(uint32_t kind, size_t *size) {
    size_t alignment = 0;
    STATUS(OK, carryless_layout(kind, size, &alignment));
    CHECK(alignment >= sizeof(void *) && *size % alignment == 0);
    void *memory = aligned_alloc(alignment, *size);
    memset(memory, 0xa5, *size);
    return memory;
}

void test_handles(void);
void test_macs(void);
void test_universal(void);
void test_aead(void);
void test_polynomials(void);
void test_gf2x(void);
void test_fields(void);
void test_curves(void);
void test_hqc(void);

#endif
