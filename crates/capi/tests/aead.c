// Authenticated encryption.
#include "common.h"

enum { MOST = 5000 };

static const char *sunscreen = "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.";

static void known_answer(uint32_t algorithm, const char *key_hex, const char *nonce_hex, const char *ad_hex, const uint8_t *message,
                         size_t len, const char *ciphertext_hex, const char *tag_hex) {
    uint8_t key[32], nonce[24], ad[12], out[200], tag[16], back[200];
    size_t nonce_len = 0, ad_len = strlen(ad_hex) / 2;
    STATUS(OK, carryless_aead_nonce_len(algorithm, &nonce_len));
    unhex(key_hex, key, 32);
    unhex(nonce_hex, nonce, nonce_len);
    unhex(ad_hex, ad, ad_len);
    STATUS(OK, carryless_aead_seal(algorithm, key, 32, nonce, nonce_len, ad, ad_len, message, len, out, len, tag, 16));
    CHECK(equals_hex(ciphertext_hex, out, len) && equals_hex(tag_hex, tag, 16));
    STATUS(OK, carryless_aead_open(algorithm, key, 32, nonce, nonce_len, ad, ad_len, out, len, tag, 16, back, len));
    CHECK(memcmp(back, message, len) == 0);
}

// Both ways of passing buffers, for a message of `len` bytes.
static void round_trip(uint32_t algorithm, size_t len) {
    static uint8_t message[MOST], apart[MOST + 16], place[MOST + 16];
    uint8_t key[32], nonce[24], ad[70], tag[16];
    size_t nonce_len = 0, ad_len = len % sizeof ad;
    STATUS(OK, carryless_aead_nonce_len(algorithm, &nonce_len));
    STATUS(OK, carryless_random_generate(key, 32));
    STATUS(OK, carryless_random_generate(nonce, nonce_len));
    fill(message, len);
    fill(ad, ad_len);
    STATUS(OK, carryless_aead_seal(algorithm, key, 32, nonce, nonce_len, ad, ad_len, message, len, apart, len, apart + len, 16));
    memcpy(place, message, len);
    STATUS(OK, carryless_aead_seal(algorithm, key, 32, nonce, nonce_len, ad, ad_len, place, len, place, len, tag, 16));
    CHECK(memcmp(place, apart, len) == 0 && memcmp(tag, apart + len, 16) == 0);
    // What is not right is refused, and stays as it was.
    uint8_t *flipped[] = {key, nonce + nonce_len - 1, tag + 15, ad_len ? ad : tag, len ? place + len / 2 : tag};
    for (size_t i = 0; i < sizeof flipped / sizeof *flipped; i++) {
        *flipped[i] ^= 4;
        uint8_t before = len ? place[len / 2] : 0;
        STATUS(MISMATCH, carryless_aead_open(algorithm, key, 32, nonce, nonce_len, ad, ad_len, place, len, tag, 16, place, len));
        CHECK(len == 0 || place[len / 2] == before);
        *flipped[i] ^= 4;
    }
    CHECK(memcmp(place, apart, len) == 0);
    STATUS(OK, carryless_aead_open(algorithm, key, 32, nonce, nonce_len, ad, ad_len, place, len, tag, 16, place, len));
    CHECK(memcmp(place, message, len) == 0);
}

static void refused(void) {
    uint8_t key[32] = {0}, nonce[24] = {0}, ad[4] = {0}, tag[16] = {0}, buffer[100] = {0}, out[64];
    memset(out, 7, sizeof out);
    size_t len = 99;
    uint32_t one = CARRYLESS_AEAD_CHACHA20POLY1305;
    STATUS(UNSUPPORTED, carryless_aead_nonce_len(0, &len));
    STATUS(NULL, carryless_aead_nonce_len(one, NULL));
    CHECK(len == 99);
    for (uint32_t unknown = 0; unknown < 5; unknown += 4) {
        STATUS(UNSUPPORTED, carryless_aead_seal(unknown, key, 32, nonce, 12, ad, 4, buffer, 64, out, 64, tag, 16));
        STATUS(UNSUPPORTED, carryless_aead_open(unknown, key, 32, nonce, 12, ad, 4, buffer, 64, tag, 16, out, 64));
    }
    STATUS(NULL, carryless_aead_seal(one, NULL, 32, nonce, 12, ad, 4, buffer, 64, out, 64, tag, 16));
    STATUS(NULL, carryless_aead_seal(one, key, 32, NULL, 12, ad, 4, buffer, 64, out, 64, tag, 16));
    STATUS(NULL, carryless_aead_seal(one, key, 32, nonce, 12, NULL, 4, buffer, 64, out, 64, tag, 16));
    STATUS(NULL, carryless_aead_seal(one, key, 32, nonce, 12, ad, 4, NULL, 64, out, 64, tag, 16));
    STATUS(NULL, carryless_aead_seal(one, key, 32, nonce, 12, ad, 4, buffer, 64, NULL, 64, tag, 16));
    STATUS(NULL, carryless_aead_seal(one, key, 32, nonce, 12, ad, 4, buffer, 64, out, 64, NULL, 16));
    STATUS(LENGTH, carryless_aead_seal(one, key, 31, nonce, 12, ad, 4, buffer, 64, out, 64, tag, 16));
    STATUS(LENGTH, carryless_aead_seal(one, key, 32, nonce, 24, ad, 4, buffer, 64, out, 64, tag, 16));
    STATUS(LENGTH, carryless_aead_seal(CARRYLESS_AEAD_XCHACHA20POLY1305, key, 32, nonce, 12, ad, 4, buffer, 64, out, 64, tag, 16));
    STATUS(LENGTH, carryless_aead_seal(one, key, 32, nonce, 12, ad, 4, buffer, 64, out, 63, tag, 16));
    STATUS(LENGTH, carryless_aead_seal(one, key, 32, nonce, 12, ad, 4, buffer, 64, out, 64, tag, 15));
    STATUS(LENGTH, carryless_aead_seal(one, key, 32, nonce, 12, ad, 4, buffer, SIZE_MAX, out, 64, tag, 16));
    STATUS(OVERLAP, carryless_aead_seal(one, key, 32, nonce, 12, ad, 4, buffer, 64, buffer + 1, 64, tag, 16));
    STATUS(OVERLAP, carryless_aead_seal(one, key, 32, nonce, 12, ad, 4, buffer, 64, buffer, 64, buffer + 63, 16));
    STATUS(OVERLAP, carryless_aead_seal(one, key, 32, nonce, 12, ad, 4, buffer, 64, out, 64, key, 16));
    STATUS(OVERLAP, carryless_aead_seal(one, key, 32, nonce, 12, ad, 4, buffer, 32, key, 32, tag, 16));
    STATUS(OVERLAP, carryless_aead_seal(one, key, 32, nonce, 12, buffer + 10, 4, buffer, 64, buffer, 64, tag, 16));
    STATUS(LENGTH, carryless_aead_open(one, key, 32, nonce, 12, ad, 4, buffer, 64, tag, 17, out, 64));
    STATUS(LENGTH, carryless_aead_open(one, key, 32, nonce, 12, ad, 4, buffer, 64, tag, 16, out, 63));
    STATUS(LENGTH, carryless_aead_open(one, key, 32, nonce, 11, ad, 4, buffer, 64, tag, 16, out, 64));
    STATUS(NULL, carryless_aead_open(one, key, 32, nonce, 12, ad, 4, buffer, 64, NULL, 16, out, 64));
    STATUS(OVERLAP, carryless_aead_open(one, key, 32, nonce, 12, ad, 4, buffer, 64, buffer + 64, 16, buffer + 1, 64));
    STATUS(OVERLAP, carryless_aead_open(one, key, 32, nonce, 12, ad, 4, buffer, 16, tag, 16, tag, 16));
    STATUS(MISMATCH, carryless_aead_open(one, key, 32, nonce, 12, ad, 4, buffer, 64, tag, 16, out, 64));
    for (size_t i = 0; i < sizeof out; i++)
        CHECK(out[i] == 7);
    for (size_t i = 0; i < sizeof buffer; i++)
        CHECK(buffer[i] == 0);
}

static void random_bytes(void) {
    uint8_t bytes[2][64] = {{0}}, zero[64] = {0};
    STATUS(OK, carryless_random_generate(bytes[0], 64));
    STATUS(OK, carryless_random_generate(bytes[1], 64));
    CHECK(memcmp(bytes[0], bytes[1], 64) != 0 && memcmp(bytes[0], zero, 64) != 0 && memcmp(bytes[0] + 56, zero, 8) != 0);
    STATUS(OK, carryless_random_generate(NULL, 0));
    STATUS(NULL, carryless_random_generate(NULL, 1));
    STATUS(LENGTH, carryless_random_generate(bytes[0], SIZE_MAX));
}

void test_aead(void) {
    const uint8_t *text = (const uint8_t *)sunscreen;
    // RFC 8439, section 2.8.2.
    known_answer(CARRYLESS_AEAD_CHACHA20POLY1305, "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
                 "070000004041424344454647", "50515253c0c1c2c3c4c5c6c7", text, 114,
                 "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b"
                 "1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
                 "3ff4def08e4b7a9de576d26586cec64b6116",
                 "1ae10b594f09e26a7e902ecbd0600691");
    // draft-irtf-cfrg-xchacha-03, section A.3.1.
    known_answer(CARRYLESS_AEAD_XCHACHA20POLY1305, "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
                 "404142434445464748494a4b4c4d4e4f5051525354555657", "50515253c0c1c2c3c4c5c6c7", text, 114,
                 "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39"
                 "ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
                 "21f9664c97637da9768812f615c68b13b52e",
                 "c0875924c1c7987947deafd8780acf49");
    // Test 81 of ../../../vectors/xchacha20_decbrw1305.json.
    uint8_t message[80];
    unhex("a76b0e9c9839a94cfb16a401a8e28493e3a59441213a64cccfc41cc6265ba46967c53b5dd5ff0faf2d650c30f22bb720"
          "36700ffe62ca15302fd5163cfab9f95bb4ee8ba6018dbd1035d079a217eaf131",
          message, 80);
    known_answer(CARRYLESS_AEAD_XCHACHA20DECBRW1305, "177e8b2760d874b09100da6804ceb4107f7900f816ebb579845aee0a91ad0def",
                 "b6e31f26d2280f8c249735c6e330df2ad961dbdc4894496c", "", message, 80,
                 "e2cdd7c6411888fa16e5e8816ab5586e01cdd15b726f63abcfc5cda28185cecf5ee4812f0af104d64f1c607b5f05ed18"
                 "c7021b297b239f3ce4c42782226ce95aa57b1d3de9357f3d3c02395ee3a41487",
                 "dca0e500bb3b68131e3514575460ad60");
    size_t lengths[] = {0, 1, 63, 64, 65, 1000, MOST};
    for (uint32_t algorithm = 1; algorithm <= 3; algorithm++)
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
            round_trip(algorithm, lengths[i]);
    refused();
    random_bytes();
}
