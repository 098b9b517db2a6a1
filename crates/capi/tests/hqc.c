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

void test_hqc(void) {
    for (uint32_t i = 0; i < 6; i++)
        scheme(CARRYLESS_HQC_1 + i, secrets[i]);
    carryless_hqc_sizes sizes;
    STATUS(UNSUPPORTED, carryless_hqc_get_sizes(0, &sizes));
    STATUS(UNSUPPORTED, carryless_hqc_get_sizes(7, &sizes));
}
