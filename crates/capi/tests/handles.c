// Handles after errors: null, whatever was there.
#include "common.h"

// Calls a function whose last argument is the handle, which must be null after this status. The handle is static, below the stack: some arrays
// on the stack are passed with lengths that reach to the end of memory, and must not meet it.
#define NO_HANDLE(type, expected, function, ...)                                                                                \
    do {                                                                                                                        \
        static type *handle_;                                                                                                   \
        handle_ = (type *)(void *)&failures;                                                                                    \
        CHECK(function(__VA_ARGS__, &handle_) == CARRYLESS_STATUS_##expected);                                                  \
        CHECK(handle_ == NULL);                                                                                                 \
        STATUS(OK, carryless_free(handle_));                                                                                    \
    } while (0)

// The handle lies in another argument, which stays as it was.
static void overlapping(void) {
    uint64_t key[4] = {1, 2, 3, 4}, before[4];
    memcpy(before, key, sizeof key);
    STATUS(OVERLAP, carryless_poly1305_new((uint8_t *)key, 32, NULL, 0, (carryless_poly1305 **)(void *)(key + 1)));
    STATUS(OVERLAP, carryless_wegman_carter_new((uint8_t *)key, 32, NULL, 0, (carryless_wegman_carter **)(void *)(key + 3)));
    CHECK(memcmp(key, before, sizeof key) == 0);
    carryless_file_mac *mac = NULL;
    carryless_file_mac_stream *stream = NULL;
    STATUS(OK, carryless_file_mac_new(0, 0, (uint8_t *)key, 32, NULL, 0, &mac));
    STATUS(OVERLAP, carryless_file_mac_stream_new(mac, NULL, 0, (carryless_file_mac_stream **)(void *)((char *)mac + 128)));
    STATUS(OVERLAP, carryless_copy(mac, NULL, 0, (void **)(void *)((char *)mac + 128)));
    STATUS(OK, carryless_file_mac_stream_new(mac, NULL, 0, &stream));
    STATUS(OK, carryless_free(stream));
    STATUS(OK, carryless_free(mac));
}

void test_handles(void) {
    uint8_t key[32] = {1}, large[16];
    memset(large, 0xff, 16);
    size_t reducible[] = {2, 0}, size = 0;
    void *memory = memory_for(CARRYLESS_KIND_FILE_MAC, &size);
    NO_HANDLE(carryless_poly1305, LENGTH, carryless_poly1305_new, key, 31, NULL, 0);
    NO_HANDLE(carryless_poly1305, NULL, carryless_poly1305_new, NULL, 32, NULL, 0);
    NO_HANDLE(carryless_poly1305, NULL, carryless_poly1305_new, key, 32, NULL, 1);
    NO_HANDLE(carryless_poly1305, LENGTH, carryless_poly1305_new, key, 32, memory, 8);
    NO_HANDLE(carryless_poly1305, ALIGNMENT, carryless_poly1305_new, key, 32, (char *)memory + 8, size - 8);
    NO_HANDLE(carryless_file_mac, UNSUPPORTED, carryless_file_mac_new, 9, 0, key, 32, NULL, 0);
    NO_HANDLE(carryless_file_mac, UNSUPPORTED, carryless_file_mac_new, 0, 9, key, 32, NULL, 0);
    NO_HANDLE(carryless_file_mac, LENGTH, carryless_file_mac_new, 0, 0, key, 33, memory, size);
    NO_HANDLE(carryless_file_mac_stream, NULL, carryless_file_mac_stream_new, NULL, NULL, 0);
    NO_HANDLE(carryless_file_mac_parts, NULL, carryless_file_mac_parts_new, NULL, NULL, 0);
    NO_HANDLE(carryless_wegman_carter, LENGTH, carryless_wegman_carter_new, key, 16, NULL, 0);
    NO_HANDLE(carryless_wegman_carter_stream, NULL, carryless_wegman_carter_stream_new, NULL, key, 16, NULL, 0);
    NO_HANDLE(carryless_universal, UNSUPPORTED, carryless_universal_new, 9, 0, key, 16, NULL, 0);
    NO_HANDLE(carryless_universal, VALUE, carryless_universal_new, CARRYLESS_UNIVERSAL_POLYHASH1271, 0, large, 16, NULL, 0);
    NO_HANDLE(carryless_universal_stream, LENGTH, carryless_universal_stream_new, CARRYLESS_UNIVERSAL_POLYHASH1305, 0, key, 17, NULL, 0);
    NO_HANDLE(carryless_field, VALUE, carryless_field_new, reducible, 2, NULL, 0);
    NO_HANDLE(carryless_field, LENGTH, carryless_field_new, reducible, SIZE_MAX, NULL, 0);
    NO_HANDLE(carryless_field, NULL, carryless_field_new, NULL, 2, NULL, 0);
    NO_HANDLE(carryless_poly_plan, LENGTH, carryless_poly_plan_new, SIZE_MAX, 1, NULL, 0);
    NO_HANDLE(void, NULL, carryless_copy, NULL, NULL, 0);
    NO_HANDLE(void, ALIGNMENT, carryless_copy, (char *)memory + 1, NULL, 0);
    NO_HANDLE(void, STATE, carryless_copy, memory, NULL, 0);
    free(memory);
    overlapping();
}
