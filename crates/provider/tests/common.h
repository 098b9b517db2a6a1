/* What the programs share. */
#ifndef COMMON_H
#define COMMON_H

#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);       \
            ERR_print_errors_fp(stderr);                                          \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

static inline double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Kilobytes of memory in use, or 0 where /proc is missing. */
static inline long resident(void)
{
    long kilobytes = 0;
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmRSS: %ld", &kilobytes) == 1)
            break;
    if (status != NULL)
        fclose(status);
    return kilobytes;
}

/* Runs a function that many times. Memory must not grow after the first tenth, when all caches are filled. */
static inline void soak(void (*once)(long round), long rounds)
{
    long before = 0;
    for (long i = 0; i < rounds; i++) {
        once(i);
        if (i == rounds / 10)
            before = resident();
    }
    printf("memory after %ld rounds: %ld kB, %ld kB more than after a tenth\n", rounds, resident(),
           resident() - before);
    CHECK(resident() - before < 512);
}

#endif
