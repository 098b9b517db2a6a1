// Poly1305 and the file MAC.
#include "common.h"

enum { LONG = 3 * CARRYLESS_FILE_MAC_PART + 77 };

static void poly1305(void) {
    // RFC 8439, section 2.5.2.
    uint8_t key[32], tag[16], other[16];
    unhex("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b", key, 32);
    const uint8_t *message = (const uint8_t *)"Cryptographic Forum Research Group";
    STATUS(OK, carryless_poly1305_mac(key, 32, message, 34, tag, 16));
    CHECK(equals_hex("a8061dc1305136c6c22b8baf0c0127a9", tag, 16));
    STATUS(OK, carryless_poly1305_verify(key, 32, message, 34, tag, 16));
    STATUS(MISMATCH, carryless_poly1305_verify(key, 32, message, 33, tag, 16));
    // No bytes may be null.
    STATUS(OK, carryless_poly1305_mac(key, 32, NULL, 0, other, 16));
    CHECK(memcmp(other, key + 16, 16) == 0);

    STATUS(NULL, carryless_poly1305_mac(NULL, 32, message, 34, tag, 16));
    STATUS(NULL, carryless_poly1305_mac(key, 32, NULL, 34, tag, 16));
    STATUS(NULL, carryless_poly1305_mac(key, 32, message, 34, NULL, 16));
    STATUS(LENGTH, carryless_poly1305_mac(key, 31, message, 34, tag, 16));
    STATUS(LENGTH, carryless_poly1305_mac(key, 32, message, SIZE_MAX, tag, 16));
    STATUS(LENGTH, carryless_poly1305_mac(key, 32, message, 34, tag, 15));
    STATUS(LENGTH, carryless_poly1305_verify(key, 32, message, 34, tag, 17));
    STATUS(OVERLAP, carryless_poly1305_mac(key, 32, message, 34, key + 16, 16));
    uint8_t both[50];
    memcpy(both, message, 34);
    STATUS(OVERLAP, carryless_poly1305_mac(key, 32, both, 34, both + 33, 16));
    STATUS(OK, carryless_poly1305_mac(key, 32, both, 34, both + 34, 16));
    CHECK(memcmp(both + 34, tag, 16) == 0);
}

static void poly1305_streams(void) {
    uint8_t key[32], tag[16], want[16];
    static uint8_t message[20000];
    fill(key, 32);
    fill(message, sizeof message);
    STATUS(OK, carryless_poly1305_mac(key, 32, message, sizeof message, want, 16));
    size_t size;
    void *memory = memory_for(CARRYLESS_KIND_POLY1305, &size);
    for (int heap = 0; heap < 2; heap++) {
        carryless_poly1305 *state = NULL, *copy = NULL;
        STATUS(OK, carryless_poly1305_new(key, 32, heap ? NULL : memory, heap ? 0 : size, &state));
        CHECK(heap || (void *)state == memory);
        STATUS(OK, carryless_poly1305_update(state, message, 7777));
        STATUS(OK, carryless_copy(state, NULL, 0, (void **)&copy));
        STATUS(OK, carryless_poly1305_update(state, message + 7777, sizeof message - 7777));
        STATUS(NULL, carryless_poly1305_update(state, NULL, 1));
        STATUS(OVERLAP, carryless_poly1305_update(state, (const uint8_t *)state + 8, 1));
        STATUS(OVERLAP, carryless_poly1305_finish(state, (uint8_t *)state + 8, 16));
        STATUS(LENGTH, carryless_poly1305_finish(state, tag, 15));
        STATUS(OK, carryless_poly1305_finish(state, tag, 16));
        CHECK(memcmp(tag, want, 16) == 0);
        // A key serves one message.
        STATUS(STATE, carryless_poly1305_finish(state, tag, 16));
        STATUS(STATE, carryless_poly1305_update(state, message, 1));
        carryless_poly1305 *none = state;
        STATUS(STATE, carryless_copy(state, NULL, 0, (void **)&none));
        CHECK(none == NULL);
        STATUS(OK, carryless_free(state));
        if (!heap) // Its memory is still there: wiped, and no state any more.
            STATUS(STATE, carryless_free(state));
        STATUS(OK, carryless_poly1305_update(copy, message + 7777, sizeof message - 7777));
        STATUS(OVERLAP, carryless_poly1305_finish_verify(copy, (const uint8_t *)copy + 8, 16));
        STATUS(OK, carryless_poly1305_finish_verify(copy, want, 16));
        STATUS(OK, carryless_free(copy));
    }
    carryless_poly1305 *state = NULL;
    STATUS(LENGTH, carryless_poly1305_new(key, 32, memory, size - 1, &state));
    STATUS(ALIGNMENT, carryless_poly1305_new(key, 32, (char *)memory + 8, size, &state));
    STATUS(NULL, carryless_poly1305_new(key, 32, NULL, size, &state));
    STATUS(NULL, carryless_poly1305_new(key, 32, memory, size, NULL));
    STATUS(OVERLAP, carryless_poly1305_new(key, 32, memory, size, (carryless_poly1305 **)memory));
    /* A size beyond the end of the address space reaches to its end. */
    STATUS(OVERLAP, carryless_poly1305_new(key, 32, memory, SIZE_MAX, (carryless_poly1305 **)memory));
    STATUS(NULL, carryless_poly1305_update(NULL, message, 1));
    memset(memory, 0, size);
    STATUS(STATE, carryless_poly1305_update((carryless_poly1305 *)memory, message, 1));
    STATUS(ALIGNMENT, carryless_poly1305_update((carryless_poly1305 *)((char *)memory + 1), message, 1));
    STATUS(STATE, carryless_free(memory));
    STATUS(OK, carryless_free(NULL));
    free(memory);
}

enum { BATCH = 100 };

static void poly1305_batch(void) {
    static uint8_t text[BATCH * BATCH], keys[BATCH * 32], tags[BATCH * 16];
    uint8_t tag[16];
    const uint8_t *messages[BATCH];
    size_t lens[BATCH];
    fill(text, sizeof text);
    fill(keys, sizeof keys);
    for (size_t i = 0; i < BATCH; i++) {
        messages[i] = i % 7 ? text + i : NULL;
        lens[i] = i % 7 ? (i * 37) % 300 + (i % 10 == 0) * 5000 : 0;
    }
    STATUS(OK, carryless_poly1305_batch(keys, sizeof keys, messages, lens, BATCH, tags, sizeof tags));
    for (size_t i = 0; i < BATCH; i++) {
        STATUS(OK, carryless_poly1305_mac(keys + 32 * i, 32, messages[i], lens[i], tag, 16));
        CHECK(memcmp(tag, tags + 16 * i, 16) == 0);
    }
    STATUS(OK, carryless_poly1305_batch(NULL, 0, NULL, NULL, 0, NULL, 0));
    memset(tags, 7, sizeof tags);
    STATUS(LENGTH, carryless_poly1305_batch(keys, sizeof keys - 1, messages, lens, BATCH, tags, sizeof tags));
    STATUS(LENGTH, carryless_poly1305_batch(keys, sizeof keys, messages, lens, BATCH, tags, sizeof tags - 16));
    STATUS(LENGTH, carryless_poly1305_batch(keys, sizeof keys, messages, lens, BATCH - 1, tags, sizeof tags));
    STATUS(LENGTH, carryless_poly1305_batch(keys, sizeof keys, messages, lens, SIZE_MAX, tags, sizeof tags));
    STATUS(NULL, carryless_poly1305_batch(keys, sizeof keys, NULL, lens, BATCH, tags, sizeof tags));
    STATUS(NULL, carryless_poly1305_batch(keys, sizeof keys, messages, NULL, BATCH, tags, sizeof tags));
    STATUS(OVERLAP, carryless_poly1305_batch(keys, sizeof keys, messages, lens, BATCH, keys, sizeof tags));
    messages[99] = tags + 10;
    STATUS(OVERLAP, carryless_poly1305_batch(keys, sizeof keys, messages, lens, BATCH, tags, sizeof tags));
    messages[99] = NULL;
    STATUS(NULL, carryless_poly1305_batch(keys, sizeof keys, messages, lens, BATCH, tags, sizeof tags));
    for (size_t i = 0; i < sizeof tags; i++)
        CHECK(tags[i] == 7);
}

static void file_mac(uint32_t algorithm, uint8_t *message) {
    uint8_t key[32], want[16], tag[16];
    fill(key, 32);
    size_t size, stream_size, parts_size;
    void *memory = memory_for(CARRYLESS_KIND_FILE_MAC, &size);
    void *stream_memory = memory_for(CARRYLESS_KIND_FILE_MAC_STREAM, &stream_size);
    void *parts_memory = memory_for(CARRYLESS_KIND_FILE_MAC_PARTS, &parts_size);
    carryless_file_mac *mac = NULL, *other = NULL;
    carryless_file_mac_stream *stream = NULL;
    carryless_file_mac_parts *parts = NULL;
    STATUS(OK, carryless_file_mac_new(algorithm, CARRYLESS_FILE_MAC_FILE, key, 32, memory, size, &mac));
    STATUS(OK, carryless_file_mac_tag(mac, message, LONG, want, 16));
    STATUS(OK, carryless_file_mac_verify(mac, message, LONG, want, 16));
    STATUS(MISMATCH, carryless_file_mac_verify(mac, message, LONG - 1, want, 16));

    STATUS(OK, carryless_file_mac_stream_new(mac, stream_memory, stream_size, &stream));
    for (int turn = 0; turn < 2; turn++) {
        for (size_t at = 0; at < LONG;) {
            size_t len = LONG - at < 99999 ? LONG - at : 99999;
            STATUS(OK, carryless_file_mac_stream_update(stream, message + at, len));
            at += len;
        }
        STATUS(OK, carryless_file_mac_stream_tag(stream, tag, 16));
        CHECK(memcmp(tag, want, 16) == 0);
        STATUS(OK, carryless_file_mac_stream_reset(stream));
    }
    // A pointer to a state of another kind is an error.
    STATUS(STATE, carryless_file_mac_stream_update((carryless_file_mac_stream *)(void *)mac, message, 1));
    STATUS(STATE, carryless_file_mac_tag((carryless_file_mac *)(void *)stream, message, 1, tag, 16));

    uint8_t part[4][CARRYLESS_FILE_MAC_PART_LEN];
    for (uint64_t i = 0; i < 4; i++) {
        size_t at = i * CARRYLESS_FILE_MAC_PART;
        size_t len = LONG - at < CARRYLESS_FILE_MAC_PART ? LONG - at : CARRYLESS_FILE_MAC_PART;
        STATUS(OK, carryless_file_mac_part(mac, i, message + at, len, part[i], sizeof part[i]));
    }
    STATUS(LENGTH, carryless_file_mac_part(mac, 0, message, CARRYLESS_FILE_MAC_PART + 1, part[0], sizeof part[0]));
    STATUS(OK, carryless_file_mac_parts_new(mac, parts_memory, parts_size, &parts));
    STATUS(ORDER, carryless_file_mac_parts_push(parts, mac, part[1], sizeof part[1]));
    for (int i = 0; i < 4; i++)
        STATUS(OK, carryless_file_mac_parts_push(parts, mac, part[i], sizeof part[i]));
    STATUS(OK, carryless_file_mac_parts_tag(parts, tag, 16));
    CHECK(memcmp(tag, want, 16) == 0);
    STATUS(LENGTH, carryless_file_mac_parts_push(parts, mac, part[0], sizeof part[0] - 1));
    memset(part[0], 0, sizeof part[0]);
    STATUS(VALUE, carryless_file_mac_parts_push(parts, mac, part[0], sizeof part[0]));
    STATUS(OK, carryless_file_mac_new(algorithm, CARRYLESS_FILE_MAC_MANIFEST, key, 32, NULL, 0, &other));
    STATUS(ORDER, carryless_file_mac_parts_push(parts, other, part[1], sizeof part[1]));
    STATUS(MISMATCH, carryless_file_mac_verify(other, message, LONG, want, 16));

    STATUS(OK, carryless_free(parts));
    STATUS(OK, carryless_free(stream));
    STATUS(OK, carryless_free(other));
    STATUS(OK, carryless_free(mac));
    free(parts_memory);
    free(stream_memory);
    free(memory);
}

void test_macs(void) {
    poly1305();
    poly1305_streams();
    poly1305_batch();
    uint8_t *message = (uint8_t *)malloc(LONG), key[32] = {0};
    fill(message, LONG);
    file_mac(CARRYLESS_FILE_MAC_DECBRWHASH1305, message);
    file_mac(CARRYLESS_FILE_MAC_POLYHASH1305, message);
    free(message);
    carryless_file_mac *mac = NULL;
    STATUS(UNSUPPORTED, carryless_file_mac_new(2, CARRYLESS_FILE_MAC_FILE, key, 32, NULL, 0, &mac));
    STATUS(UNSUPPORTED, carryless_file_mac_new(0, 2, key, 32, NULL, 0, &mac));
    CHECK(mac == NULL);
}
