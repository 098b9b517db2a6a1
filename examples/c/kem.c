// Agrees on a secret with HQC-1.
//
//     cc kem.c $(pkg-config --cflags --libs carryless)
#include <carryless.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(carryless_status status) {
    if (status != CARRYLESS_STATUS_OK) {
        fprintf(stderr, "%s\n", carryless_strerror(status));
        exit(1);
    }
}

int main(void) {
    carryless_hqc_sizes sizes;
    check(carryless_hqc_get_sizes(CARRYLESS_HQC_1, &sizes));
    uint8_t *public_key = (uint8_t *)malloc(sizes.encapsulation_key), *secret_key = (uint8_t *)malloc(sizes.decapsulation_key);
    uint8_t *ciphertext = (uint8_t *)malloc(sizes.ciphertext), sent[64], received[64];
    if (public_key == NULL || secret_key == NULL || ciphertext == NULL)
        return 1;
    check(carryless_hqc_generate(CARRYLESS_HQC_1, public_key, sizes.encapsulation_key, secret_key, sizes.decapsulation_key));
    check(carryless_hqc_encapsulate_random(CARRYLESS_HQC_1, public_key, sizes.encapsulation_key, ciphertext, sizes.ciphertext, sent,
                                           sizes.shared_secret));
    check(carryless_hqc_decapsulate(CARRYLESS_HQC_1, secret_key, sizes.decapsulation_key, ciphertext, sizes.ciphertext, received,
                                    sizes.shared_secret));
    if (memcmp(sent, received, sizes.shared_secret) != 0)
        return 1;
    puts("both have the same secret");
    free(ciphertext);
    free(secret_key);
    free(public_key);
    return 0;
}
