// Encrypts a message with a random key and nonce, and opens it.
//
//     cc aead.c $(pkg-config --cflags --libs carryless)
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
    uint32_t algorithm = CARRYLESS_AEAD_XCHACHA20POLY1305;
    uint8_t key[CARRYLESS_AEAD_KEY_LEN], nonce[24], tag[CARRYLESS_TAG_LEN];
    check(carryless_random_generate(key, sizeof key));
    check(carryless_random_generate(nonce, sizeof nonce)); // For this message only.

    char text[] = "attack at dawn";
    const uint8_t *header = (const uint8_t *)"to all";
    uint8_t *buffer = (uint8_t *)text; // The ciphertext takes the place of the message.
    size_t len = strlen(text);
    check(carryless_aead_seal(algorithm, key, sizeof key, nonce, sizeof nonce, header, 6, buffer, len, buffer, len, tag, sizeof tag));

    buffer[0] ^= 1;
    carryless_status changed =
        carryless_aead_open(algorithm, key, sizeof key, nonce, sizeof nonce, header, 6, buffer, len, tag, sizeof tag, buffer, len);
    if (changed != CARRYLESS_STATUS_MISMATCH)
        return 1;
    buffer[0] ^= 1;
    check(carryless_aead_open(algorithm, key, sizeof key, nonce, sizeof nonce, header, 6, buffer, len, tag, sizeof tag, buffer, len));
    puts(text);
    return strcmp(text, "attack at dawn") != 0;
}
