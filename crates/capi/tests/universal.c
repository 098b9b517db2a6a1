// Universal hashes, and the MAC of Wegman and Carter.
#include "common.h"

// A message of 64-bit numbers, least significant byte first, and its digest, of each file of ../../../vectors.
static const struct {
    uint32_t algorithm, streams;
    const char *key;
    uint64_t seed;
    size_t len;
    const char *digest;
} answers[] = {
    {CARRYLESS_UNIVERSAL_POLYHASH1305, 0, "8db56c2181fac563e4ceb6428e09f0cc", 0xcf56f27b52903de1, 5119, "2a70a2e3c2999676284c74b9cfad1a5d"},
    {CARRYLESS_UNIVERSAL_POLYHASH1271, 0, "46a4269167287c9f93d982d8dc9c5f24", 0xa47faad7e7aa08c6, 5119, "4dce561ab0e28704b5786c5fb5a7fd28"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1305, 1, "67e57d53015883f2be217aff985484ca", 0x72112df083cd14bd, 5119, "a6f81806a1292eb8b71685930dabd9ee"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1271, 1, "6493e6831bfb0a7c94289407f0a7b830", 0x4c01cd07d1115e5c, 5119, "56bc986ce3c89e5668f176f6c9dad901"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1305, 2, "5a5c85e9ce4290ccab4b8bbd787d83a5", 0x90584f7ed7c892eb, 4865, "bf2cd624b5ec0a950c4c526cde2814d5"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1305, 3, "48073590e0acac931a4d60771caf50a7", 0x3bf718a0895b6773, 5121, "333fe1301c7a59294fd9dfb0e33a06fc"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1305, 4, "0dc0795381ebcbac4e1fa3c3e33768e8", 0x32b1c2c74ecce238, 5119, "60979ad2d8e18973ba03e7baa53737a0"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1305, 8, "f4351a6cfb10673ae7685e602fa6c167", 0xd7b051ff843dd38b, 5119, "7bc22deec927c388526c26cd92b18ffa"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1305, 16, "895fcf87f2d8320fd63442eac0dbd42e", 0xfd598494dc94cdd4, 5119, "6f7f1a511b6b6d6ee5ff655e02887e3f"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1271, 2, "f1858fb58bef153d3459726ed7a1cc16", 0xfd4bb93d424f6190, 4864, "cabb79fbc893856dfb9fcecd214a8834"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1271, 3, "eb4933d2d8f1cf9d01fcc7cc09b51d2a", 0x08455da669619f83, 5119, "96a2e7cf1be5081541d34fca902dec00"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1271, 4, "bd2270cc049122347dd59210e66d7f1b", 0x25a4693287fdbbaa, 5119, "4f766770ff3ccf301623bc92fc3eeb2e"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1271, 8, "50fc8552e40ee04415228739f363ce26", 0xd686d656b8315917, 4863, "d9ba6e0cfdf454dfd2d3aa01dd8d7121"},
    {CARRYLESS_UNIVERSAL_DECBRWHASH1271, 16, "858f0ab57a01980878e3d652be1c2112", 0x517680e97bc02ff6, 5041, "6c1cfee0eeed5478f3ee2e32999f3639"},
};

enum { MOST = 5200 };

static void message_of(uint64_t first, uint8_t *message, size_t len) {
    uint64_t before = seed;
    seed = first;
    for (size_t i = 0; i < len; i += 8) {
        uint64_t word = number();
        for (size_t j = i; j < len && j < i + 8; j++)
            message[j] = (uint8_t)(word >> 8 * (j - i));
    }
    seed = before;
}

static void known_answers(void) {
    static uint8_t message[MOST];
    uint8_t key[16], digest[16];
    size_t size, stream_size;
    void *memory = memory_for(CARRYLESS_KIND_UNIVERSAL, &size);
    void *stream_memory = memory_for(CARRYLESS_KIND_UNIVERSAL_STREAM, &stream_size);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        uint32_t algorithm = answers[i].algorithm, streams = answers[i].streams;
        size_t len = answers[i].len;
        unhex(answers[i].key, key, 16);
        message_of(answers[i].seed, message, len);
        carryless_universal *hash = NULL, *copy = NULL;
        carryless_universal_stream *stream = NULL;
        STATUS(OK, carryless_universal_new(algorithm, streams, key, 16, memory, size, &hash));
        STATUS(OK, carryless_copy(hash, NULL, 0, (void **)&copy));
        STATUS(OK, carryless_universal_digest(copy, message, len, digest, 16));
        CHECK(equals_hex(answers[i].digest, digest, 16));
        STATUS(OK, carryless_universal_stream_new(algorithm, streams, key, 16, stream_memory, stream_size, &stream));
        for (int turn = 0; turn < 2; turn++) {
            STATUS(OK, carryless_universal_stream_update(stream, message, len / 3));
            STATUS(OK, carryless_universal_stream_update(stream, message + len / 3, len - len / 3));
            STATUS(OK, carryless_universal_stream_digest(stream, digest, 16));
            CHECK(equals_hex(answers[i].digest, digest, 16));
            STATUS(OK, carryless_universal_stream_reset(stream));
        }
        // No bytes are a message, too.
        STATUS(OK, carryless_universal_stream_digest(stream, digest, 16));
        uint8_t none[16];
        STATUS(OK, carryless_universal_digest(hash, NULL, 0, none, 16));
        CHECK(memcmp(none, digest, 16) == 0);
        STATUS(OK, carryless_free(stream));
        STATUS(OK, carryless_free(copy));
        STATUS(OK, carryless_free(hash));
    }
    free(stream_memory);
    free(memory);
}

static void refused_hashes(void) {
    uint8_t key[16] = {1}, large[16], digest[16];
    memset(large, 0x7f, 16);
    carryless_universal *hash = NULL;
    carryless_universal_stream *stream = NULL;
    for (uint32_t algorithm = 0; algorithm < 6; algorithm++)
        for (uint32_t streams = 0; streams < 18; streams++) {
            int is_one = streams == 1 || streams == 2 || streams == 3 || streams == 4 || streams == 8 || streams == 16;
            int fits = algorithm == 1 || algorithm == 2 ? streams == 0 : (algorithm == 3 || algorithm == 4) && is_one;
            carryless_status want = fits ? CARRYLESS_STATUS_OK : CARRYLESS_STATUS_UNSUPPORTED;
            CHECK(carryless_universal_new(algorithm, streams, key, 16, NULL, 0, &hash) == want && (hash != NULL) == fits);
            CHECK(carryless_universal_stream_new(algorithm, streams, key, 16, NULL, 0, &stream) == want && (stream != NULL) == fits);
            STATUS(OK, carryless_free(hash));
            STATUS(OK, carryless_free(stream));
        }
    STATUS(VALUE, carryless_universal_new(CARRYLESS_UNIVERSAL_POLYHASH1271, 0, large, 16, NULL, 0, &hash));
    STATUS(VALUE, carryless_universal_stream_new(CARRYLESS_UNIVERSAL_DECBRWHASH1271, 4, large, 16, NULL, 0, &stream));
    STATUS(LENGTH, carryless_universal_new(CARRYLESS_UNIVERSAL_POLYHASH1305, 0, key, 15, NULL, 0, &hash));
    STATUS(NULL, carryless_universal_new(CARRYLESS_UNIVERSAL_POLYHASH1305, 0, NULL, 16, NULL, 0, &hash));
    CHECK(hash == NULL && stream == NULL);
    STATUS(OK, carryless_universal_new(CARRYLESS_UNIVERSAL_POLYHASH1305, 0, large, 16, NULL, 0, &hash));
    STATUS(NULL, carryless_universal_digest(NULL, key, 16, digest, 16));
    STATUS(NULL, carryless_universal_digest(hash, NULL, 1, digest, 16));
    STATUS(LENGTH, carryless_universal_digest(hash, key, 16, digest, 15));
    STATUS(OVERLAP, carryless_universal_digest(hash, key, 16, key, 16));
    STATUS(STATE, carryless_universal_stream_update((carryless_universal_stream *)(void *)hash, key, 16));
    STATUS(STATE, carryless_wegman_carter_tag((carryless_wegman_carter *)(void *)hash, key, 16, key, 1, digest, 16));
    STATUS(OK, carryless_free(hash));
}

static void wegman_carter(void) {
    // Test 81 of wegman_carter.json.
    uint8_t key[32], nonce[16], message[80], tag[16], other[16];
    unhex("41e49a0a7b8e8e527106b9becf520fcb0b0e0a4058a058d88c72d50353fd0466", key, 32);
    unhex("e5c279ec21f8015b932ef69b79ffb69e", nonce, 16);
    unhex("26ae1f4d1dac525b91e5efd9eb0d340239381db2a9921974427b2a059566b6e492053c5e5daa774e8c446632744ce2c2"
          "e9fab2e42c9c57c261e13a3495b9b8b6b83a7389d0828e1411db24d7a6bc1171",
          message, 80);
    size_t size, stream_size;
    void *memory = memory_for(CARRYLESS_KIND_WEGMAN_CARTER, &size);
    void *stream_memory = memory_for(CARRYLESS_KIND_WEGMAN_CARTER_STREAM, &stream_size);
    carryless_wegman_carter *mac = NULL, *none = NULL;
    carryless_wegman_carter_stream *stream = NULL, *copy = NULL;
    STATUS(OK, carryless_wegman_carter_new(key, 32, memory, size, &mac));
    STATUS(OK, carryless_wegman_carter_tag(mac, nonce, 16, message, 80, tag, 16));
    CHECK(equals_hex("bc2768493178a7de106e40e197913635", tag, 16));
    STATUS(OK, carryless_wegman_carter_verify(mac, nonce, 16, message, 80, tag, 16));
    STATUS(MISMATCH, carryless_wegman_carter_verify(mac, nonce, 16, message, 79, tag, 16));
    STATUS(OK, carryless_wegman_carter_stream_new(mac, nonce, 16, stream_memory, stream_size, &stream));
    STATUS(OK, carryless_wegman_carter_stream_update(stream, message, 33));
    STATUS(OK, carryless_copy(stream, NULL, 0, (void **)&copy));
    STATUS(OK, carryless_wegman_carter_stream_update(stream, message + 33, 47));
    STATUS(OK, carryless_wegman_carter_stream_finish(stream, other, 16));
    CHECK(memcmp(tag, other, 16) == 0);
    // A nonce serves one message.
    STATUS(STATE, carryless_wegman_carter_stream_finish(stream, other, 16));
    STATUS(STATE, carryless_wegman_carter_stream_update(stream, message, 1));
    STATUS(OK, carryless_wegman_carter_stream_update(copy, message + 33, 47));
    STATUS(OVERLAP, carryless_wegman_carter_stream_finish_verify(copy, (const uint8_t *)copy + 8, 16));
    STATUS(OK, carryless_wegman_carter_stream_finish_verify(copy, tag, 16));
    STATUS(OK, carryless_free(copy));
    STATUS(OK, carryless_free(stream));
    STATUS(OK, carryless_wegman_carter_stream_new(mac, nonce, 16, NULL, 0, &stream));
    STATUS(MISMATCH, carryless_wegman_carter_stream_finish_verify(stream, tag, 16));
    STATUS(OK, carryless_free(stream));

    STATUS(LENGTH, carryless_wegman_carter_tag(mac, nonce, 15, message, 80, tag, 16));
    STATUS(NULL, carryless_wegman_carter_tag(mac, NULL, 16, message, 80, tag, 16));
    STATUS(OVERLAP, carryless_wegman_carter_tag(mac, nonce, 16, message, 80, nonce, 16));
    STATUS(LENGTH, carryless_wegman_carter_verify(mac, nonce, 16, message, 80, tag, 15));
    STATUS(LENGTH, carryless_wegman_carter_new(key, 31, NULL, 0, &none));
    STATUS(LENGTH, carryless_wegman_carter_stream_new(mac, nonce, 17, NULL, 0, &stream));
    CHECK(none == NULL && stream == NULL);
    STATUS(OVERLAP, carryless_wegman_carter_stream_new(mac, nonce, 16, memory, size, &stream));
    STATUS(OK, carryless_wegman_carter_verify(mac, nonce, 16, message, 80, tag, 16));
    STATUS(OK, carryless_free(mac));
    free(stream_memory);
    free(memory);
}

void test_universal(void) {
    known_answers();
    refused_hashes();
    wegman_carter();
}
