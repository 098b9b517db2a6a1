// The library through its header, in C11 and C++20.
#include "common.h"

int failures = 0;

static void texts(void) {
    CHECK(strcmp(carryless_strerror(CARRYLESS_STATUS_OK), "success") == 0);
    CHECK(strcmp(carryless_strerror(CARRYLESS_STATUS_MISMATCH), carryless_strerror(-1)) != 0);
    CHECK(strcmp(carryless_strerror(1000), "unknown status") == 0);
    char version[40];
    snprintf(version, sizeof version, "%d.%d.%d", CARRYLESS_VERSION_MAJOR, CARRYLESS_VERSION_MINOR, CARRYLESS_VERSION_PATCH);
    CHECK(strcmp(carryless_version(), version) == 0);
    size_t size = 0, alignment = 0;
    STATUS(UNSUPPORTED, carryless_layout(0, &size, &alignment));
    STATUS(UNSUPPORTED, carryless_layout(99, &size, &alignment));
    STATUS(NULL, carryless_layout(CARRYLESS_KIND_POLY1305, NULL, &alignment));
    STATUS(OVERLAP, carryless_layout(CARRYLESS_KIND_POLY1305, &size, &size));
}

int main(void) {
    texts();
    test_handles();
    test_macs();
    test_universal();
    test_aead();
    test_polynomials();
    test_gf2x();
    test_fields();
    test_curves();
    test_hqc();
    if (failures == 0)
        puts("all tests passed");
    return failures != 0;
}
