// HQC.
#include "common.h"

// The shared secret of the first response to NIST's tests: the seed of the key, message and salt are the same in all schemes but for their lengths.
static const char *seed_hex = "cefc0d60050e04c3171859e54ba888d2f670e22ebe926b0b307a65264fbc08f8";
static const char *randomness_hex = "3deca12f8963918f537c67f2571fffde4bb80684d826860c7515ce86e35571f5fff32ba9c40be67657b1f25319c6e2af";
static const char *secrets[] = {
    "56321ed955c76c4d3d9429501505e6b38037fe33f10b779ef5977190b5f4004b", "5e5aea663e602462fe4750392b7aab8fab4c0d76546b8e2aba6e8a8c254e34bd",
    "79b1d284daa69112fea8323f7d4c60bd3c862cd500661adcf335c60b92b6abaf", "31d476b2a4d41b493246e055fb9d3088b3d3e4ae8d480477c66a271920c6c849",
    "60ebd7334b5c208ee6483522049282390da8701c938ae3d2bcf74aeb052b1939", "e1faa1034599a2694f72603451fbecd55fcabf135238a5d3d9bd97ce2f1bbb73",
};

static void scheme(uint32_t scheme, const char *want) {
    carryless_hqc_sizes sizes;
    STATUS(OK, carryless_hqc_get_sizes(scheme, &sizes));
    uint8_t seed_bytes[64], randomness[64], secret[64], again[64];
    uint8_t *public_key = (uint8_t *)malloc(sizes.encapsulation_key), *secret_key = (uint8_t *)malloc(sizes.decapsulation_key);
    uint8_t *ciphertext = (uint8_t *)malloc(sizes.ciphertext);
    unhex(seed_hex, seed_bytes, 32);
    unhex(randomness_hex, randomness, 48);
    CHECK(sizes.seed == 32 && sizes.shared_secret == 32 && sizes.randomness <= 48);
    STATUS(OK, carryless_hqc_key_pair(scheme, seed_bytes, sizes.seed, public_key, sizes.encapsulation_key, secret_key, sizes.decapsulation_key));
    STATUS(OK, carryless_hqc_encapsulate(scheme, public_key, sizes.encapsulation_key, randomness, sizes.randomness, ciphertext, sizes.ciphertext, secret, sizes.shared_secret));
    CHECK(equals_hex(want, secret, sizes.shared_secret));
    STATUS(OK, carryless_hqc_decapsulate(scheme, secret_key, sizes.decapsulation_key, ciphertext, sizes.ciphertext, again, sizes.shared_secret));
    CHECK(memcmp(secret, again, sizes.shared_secret) == 0);
    // Another ciphertext has another secret.
    ciphertext[100] ^= 1;
    STATUS(OK, carryless_hqc_decapsulate(scheme, secret_key, sizes.decapsulation_key, ciphertext, sizes.ciphertext, again, sizes.shared_secret));
    CHECK(memcmp(secret, again, sizes.shared_secret) != 0);

    // A key that is not the one of its seed is refused, and so are unused bits.
    secret_key[0] ^= 1;
    STATUS(VALUE, carryless_hqc_decapsulate(scheme, secret_key, sizes.decapsulation_key, ciphertext, sizes.ciphertext, again, sizes.shared_secret));
    public_key[sizes.encapsulation_key - 1] |= 0x80;
    STATUS(VALUE, carryless_hqc_encapsulate(scheme, public_key, sizes.encapsulation_key, randomness, sizes.randomness, ciphertext, sizes.ciphertext, secret, sizes.shared_secret));
    STATUS(LENGTH, carryless_hqc_encapsulate(scheme, public_key, sizes.encapsulation_key - 1, randomness, sizes.randomness, ciphertext, sizes.ciphertext, secret, sizes.shared_secret));
    STATUS(LENGTH, carryless_hqc_encapsulate(scheme, public_key, sizes.encapsulation_key, randomness, sizes.randomness - 1, ciphertext, sizes.ciphertext, secret, sizes.shared_secret));
    STATUS(OVERLAP, carryless_hqc_encapsulate(scheme, public_key, sizes.encapsulation_key, randomness, sizes.randomness, ciphertext, sizes.ciphertext, ciphertext, sizes.shared_secret));
    STATUS(NULL, carryless_hqc_key_pair(scheme, NULL, sizes.seed, public_key, sizes.encapsulation_key, secret_key, sizes.decapsulation_key));
    STATUS(LENGTH, carryless_hqc_decapsulate(scheme, secret_key, sizes.decapsulation_key, ciphertext, sizes.ciphertext, again, sizes.shared_secret - 1));

    // Random keys and ciphertexts.
    STATUS(OK, carryless_hqc_generate(scheme, public_key, sizes.encapsulation_key, secret_key, sizes.decapsulation_key));
    STATUS(OK, carryless_hqc_encapsulate_random(scheme, public_key, sizes.encapsulation_key, ciphertext, sizes.ciphertext, secret, sizes.shared_secret));
    STATUS(OK, carryless_hqc_decapsulate(scheme, secret_key, sizes.decapsulation_key, ciphertext, sizes.ciphertext, again, sizes.shared_secret));
    CHECK(memcmp(secret, again, sizes.shared_secret) == 0);
    STATUS(OK, carryless_hqc_encapsulate_random(scheme, public_key, sizes.encapsulation_key, ciphertext, sizes.ciphertext, again, sizes.shared_secret));
    CHECK(memcmp(secret, again, sizes.shared_secret) != 0);
    memcpy(again, public_key, 32);
    STATUS(OK, carryless_hqc_generate(scheme, public_key, sizes.encapsulation_key, secret_key, sizes.decapsulation_key));
    CHECK(memcmp(public_key, again, 32) != 0);
    STATUS(LENGTH, carryless_hqc_generate(scheme, public_key, sizes.encapsulation_key - 1, secret_key, sizes.decapsulation_key));
    STATUS(NULL, carryless_hqc_generate(scheme, public_key, sizes.encapsulation_key, NULL, sizes.decapsulation_key));
    STATUS(OVERLAP, carryless_hqc_generate(scheme, public_key, sizes.encapsulation_key, public_key, sizes.decapsulation_key));
    STATUS(UNSUPPORTED, carryless_hqc_generate(99, public_key, sizes.encapsulation_key, secret_key, sizes.decapsulation_key));
    STATUS(LENGTH, carryless_hqc_encapsulate_random(scheme, public_key, sizes.encapsulation_key, ciphertext, sizes.ciphertext, secret, sizes.shared_secret - 1));
    free(ciphertext);
    free(secret_key);
    free(public_key);
}

// A key that is ready gives what the function of its bytes gives.
static void expanded(uint32_t scheme) {
    carryless_hqc_sizes sizes;
    STATUS(OK, carryless_hqc_get_sizes(scheme, &sizes));
    uint8_t randomness[64], secret[64], again[64];
    uint8_t *public_key = (uint8_t *)malloc(sizes.encapsulation_key), *secret_key = (uint8_t *)malloc(sizes.decapsulation_key);
    uint8_t *ciphertext = (uint8_t *)malloc(sizes.ciphertext), *same = (uint8_t *)malloc(sizes.ciphertext);
    fill(randomness, sizeof randomness);
    STATUS(OK, carryless_hqc_generate(scheme, public_key, sizes.encapsulation_key, secret_key, sizes.decapsulation_key));
    carryless_hqc_encapsulation_key *sender = NULL;
    carryless_hqc_decapsulation_key *receiver = NULL;
    void *copy = NULL;
    STATUS(OK, carryless_hqc_encapsulation_key_new(scheme, public_key, sizes.encapsulation_key, NULL, 0, &sender));
    STATUS(OK, carryless_hqc_decapsulation_key_new(scheme, secret_key, sizes.decapsulation_key, NULL, 0, &receiver));
    STATUS(OK, carryless_hqc_encapsulate(scheme, public_key, sizes.encapsulation_key, randomness, sizes.randomness, ciphertext, sizes.ciphertext, secret, sizes.shared_secret));
    STATUS(OK, carryless_hqc_encapsulate_with(sender, randomness, sizes.randomness, same, sizes.ciphertext, again, sizes.shared_secret));
    CHECK(memcmp(ciphertext, same, sizes.ciphertext) == 0 && memcmp(secret, again, sizes.shared_secret) == 0);
    memset(again, 0, sizeof again);
    // A copy works when the original is gone.
    STATUS(OK, carryless_copy(receiver, NULL, 0, &copy));
    STATUS(OK, carryless_free(receiver));
    STATUS(OK, carryless_hqc_decapsulate_with((carryless_hqc_decapsulation_key *)copy, ciphertext, sizes.ciphertext, again, sizes.shared_secret));
    CHECK(memcmp(secret, again, sizes.shared_secret) == 0);

    // Nothing is written after an error.
    memset(same, 7, sizes.ciphertext);
    STATUS(LENGTH, carryless_hqc_encapsulate_with(sender, randomness, sizes.randomness - 1, same, sizes.ciphertext, again, sizes.shared_secret));
    STATUS(LENGTH, carryless_hqc_encapsulate_with(sender, randomness, sizes.randomness, same, sizes.ciphertext, again, sizes.shared_secret - 1));
    STATUS(OVERLAP, carryless_hqc_encapsulate_with(sender, randomness, sizes.randomness, same, sizes.ciphertext, same, sizes.shared_secret));
    STATUS(NULL, carryless_hqc_encapsulate_with(NULL, randomness, sizes.randomness, same, sizes.ciphertext, again, sizes.shared_secret));
    STATUS(STATE, carryless_hqc_encapsulate_with((carryless_hqc_encapsulation_key *)copy, randomness, sizes.randomness, same, sizes.ciphertext, again, sizes.shared_secret));
    STATUS(OVERLAP, carryless_hqc_encapsulate_with(sender, randomness, sizes.randomness, same, sizes.ciphertext, (uint8_t *)sender, sizes.shared_secret));
    STATUS(LENGTH, carryless_hqc_decapsulate_with((carryless_hqc_decapsulation_key *)copy, ciphertext, sizes.ciphertext - 1, again, sizes.shared_secret));
    STATUS(OVERLAP, carryless_hqc_decapsulate_with((carryless_hqc_decapsulation_key *)copy, ciphertext, sizes.ciphertext, (uint8_t *)copy, sizes.shared_secret));
    CHECK(same[0] == 7 && same[sizes.ciphertext - 1] == 7 && memcmp(secret, again, sizes.shared_secret) == 0);
    STATUS(OK, carryless_free(copy));
    STATUS(OK, carryless_free(sender));
    sender = (carryless_hqc_encapsulation_key *)ciphertext;
    STATUS(LENGTH, carryless_hqc_encapsulation_key_new(scheme, public_key, sizes.encapsulation_key - 1, NULL, 0, &sender));
    CHECK(sender == NULL);
    public_key[sizes.encapsulation_key - 1] |= 0x80;
    STATUS(VALUE, carryless_hqc_encapsulation_key_new(scheme, public_key, sizes.encapsulation_key, NULL, 0, &sender));
    STATUS(NULL, carryless_hqc_decapsulation_key_new(scheme, NULL, sizes.decapsulation_key, NULL, 0, &receiver));
    STATUS(UNSUPPORTED, carryless_hqc_decapsulation_key_new(99, secret_key, sizes.decapsulation_key, NULL, 0, &receiver));
    CHECK(receiver == NULL);
    free(same);
    free(ciphertext);
    free(secret_key);
    free(public_key);
}

// The seed is 32 bytes of 7. RustCrypto and OpenSSL with carryless.so write the same.
static const char *private_pem = "-----BEGIN PRIVATE KEY-----\n"
                                 "MDQCAQAwCwYJYIZIAWUDBAQEBCKAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH\n"
                                 "BwcHBwcH\n"
                                 "-----END PRIVATE KEY-----\n";

static void key_files(uint32_t scheme) {
    carryless_hqc_sizes sizes;
    carryless_hqc_file_sizes files;
    STATUS(OK, carryless_hqc_get_sizes(scheme, &sizes));
    uint8_t seed_bytes[32];
    memset(seed_bytes, 7, sizeof seed_bytes);
    uint8_t *public_key = (uint8_t *)malloc(sizes.encapsulation_key), *secret_key = (uint8_t *)malloc(sizes.decapsulation_key);
    uint8_t *again = (uint8_t *)malloc(sizes.decapsulation_key), *file = (uint8_t *)malloc(20000);
    STATUS(OK, carryless_hqc_key_pair(scheme, seed_bytes, 32, public_key, sizes.encapsulation_key, secret_key, sizes.decapsulation_key));
    for (uint32_t encoding = CARRYLESS_HQC_DER; encoding <= CARRYLESS_HQC_PEM; encoding++) {
        size_t smaller = 0;
        for (uint32_t form = CARRYLESS_HQC_FORM_SEED; form <= CARRYLESS_HQC_FORM_BOTH; form++) {
            STATUS(OK, carryless_hqc_get_file_sizes(scheme, form, encoding, &files));
            CHECK(files.decapsulation_key > smaller && files.decapsulation_key < 20000 && files.encapsulation_key < 20000);
            // The forms are in the order of their sizes.
            smaller = files.decapsulation_key;
            STATUS(OK, carryless_hqc_write_decapsulation_key(scheme, form, encoding, secret_key, sizes.decapsulation_key, file, files.decapsulation_key));
            if (scheme == CARRYLESS_HQC_1 && form == CARRYLESS_HQC_FORM_SEED && encoding == CARRYLESS_HQC_PEM)
                CHECK(files.decapsulation_key == strlen(private_pem) && memcmp(file, private_pem, files.decapsulation_key) == 0);
            memset(again, 0, sizes.decapsulation_key);
            STATUS(OK, carryless_hqc_read_decapsulation_key(scheme, encoding, file, files.decapsulation_key, again, sizes.decapsulation_key));
            CHECK(memcmp(secret_key, again, sizes.decapsulation_key) == 0);
            // A truncated file, one with another byte behind it, of another set, in the other encoding, an empty one: nothing is written.
            memset(again, 9, sizes.decapsulation_key);
            file[files.decapsulation_key] = '0';
            STATUS(VALUE, carryless_hqc_read_decapsulation_key(scheme, encoding, file, files.decapsulation_key - 2, again, sizes.decapsulation_key));
            STATUS(VALUE, carryless_hqc_read_decapsulation_key(scheme, encoding, file, files.decapsulation_key + 1, again, sizes.decapsulation_key));
            STATUS(VALUE, carryless_hqc_read_decapsulation_key(scheme % 3 + 1, encoding, file, files.decapsulation_key, again, sizes.decapsulation_key));
            STATUS(VALUE, carryless_hqc_read_decapsulation_key(scheme, 3 - encoding, file, files.decapsulation_key, again, sizes.decapsulation_key));
            STATUS(VALUE, carryless_hqc_read_encapsulation_key(scheme, encoding, file, files.decapsulation_key, again, sizes.encapsulation_key));
            STATUS(VALUE, carryless_hqc_read_decapsulation_key(scheme, encoding, NULL, 0, again, sizes.decapsulation_key));
            STATUS(LENGTH, carryless_hqc_read_decapsulation_key(scheme, encoding, file, files.decapsulation_key, again, sizes.decapsulation_key - 1));
            CHECK(again[0] == 9 && again[sizes.decapsulation_key - 1] == 9);
        }
        STATUS(OK, carryless_hqc_write_encapsulation_key(scheme, encoding, public_key, sizes.encapsulation_key, file, files.encapsulation_key));
        STATUS(OK, carryless_hqc_read_encapsulation_key(scheme, encoding, file, files.encapsulation_key, again, sizes.encapsulation_key));
        CHECK(memcmp(public_key, again, sizes.encapsulation_key) == 0);
        file[0] = 9;
        STATUS(LENGTH, carryless_hqc_write_encapsulation_key(scheme, encoding, public_key, sizes.encapsulation_key, file, files.encapsulation_key - 1));
        STATUS(VALUE, carryless_hqc_write_decapsulation_key(scheme, CARRYLESS_HQC_FORM_BOTH, encoding, again, sizes.decapsulation_key, file, files.decapsulation_key));
        STATUS(UNSUPPORTED, carryless_hqc_write_decapsulation_key(scheme, 4, encoding, secret_key, sizes.decapsulation_key, file, files.decapsulation_key));
        CHECK(file[0] == 9);
    }
    STATUS(UNSUPPORTED, carryless_hqc_get_file_sizes(scheme, CARRYLESS_HQC_FORM_SEED, 3, &files));
    STATUS(UNSUPPORTED, carryless_hqc_get_file_sizes(scheme + 3, CARRYLESS_HQC_FORM_SEED, CARRYLESS_HQC_DER, &files));
    STATUS(UNSUPPORTED, carryless_hqc_read_encapsulation_key(scheme + 3, CARRYLESS_HQC_DER, file, 9, public_key, sizes.encapsulation_key));
    free(file);
    free(again);
    free(secret_key);
    free(public_key);
}

void test_hqc(void) {
    carryless_hqc_sizes sizes;
    for (uint32_t i = 0; i < 6; i++)
        scheme(CARRYLESS_HQC_1 + i, secrets[i]);
    for (uint32_t i = CARRYLESS_HQC_1; i <= CARRYLESS_HQC_5; i++)
        key_files(i);
    // A build may lack profile 2023, but not a part of it.
    int has_2023 = carryless_hqc_get_sizes(CARRYLESS_HQC_128_2023, &sizes) == CARRYLESS_STATUS_OK;
    for (uint32_t i = CARRYLESS_HQC_1; i <= (has_2023 ? CARRYLESS_HQC_256_2023 : CARRYLESS_HQC_5_V5); i++)
        expanded(i);
    if (has_2023) {
        STATUS(OK, carryless_hqc_get_sizes(CARRYLESS_HQC_256_2023, &sizes));
        CHECK(sizes.seed == 112 && sizes.encapsulation_key == 7245 && sizes.shared_secret == 64);
    }
    STATUS(UNSUPPORTED, carryless_hqc_get_sizes(0, &sizes));
    STATUS(UNSUPPORTED, carryless_hqc_get_sizes(10, &sizes));
}
