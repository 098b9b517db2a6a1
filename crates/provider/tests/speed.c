/* Time of key generation, encapsulation and decapsulation through EVP. Usage:
 *
 *     speed FOLDER PROVIDER ALGORITHM...
 *
 * It prints nanoseconds a call. */
#include "common.h"

#include <openssl/evp.h>
#include <openssl/provider.h>

static EVP_PKEY_CTX *generate, *sender, *receiver;
static unsigned char ciphertext[15000], secret[98];
static size_t ciphertext_len, secret_len;

static void one_key(void)
{
    EVP_PKEY *key = NULL;
    CHECK(EVP_PKEY_generate(generate, &key) > 0);
    EVP_PKEY_free(key);
}

static void one_encapsulation(void)
{
    CHECK(EVP_PKEY_encapsulate(sender, ciphertext, &ciphertext_len, secret, &secret_len) > 0);
}

static void one_decapsulation(void)
{
    CHECK(EVP_PKEY_decapsulate(receiver, secret, &secret_len, ciphertext, ciphertext_len) > 0);
}

/* The fastest of 60 runs, which other programs on the machine disturbed least. */
static double nanoseconds(void (*call)(void))
{
    double best = 0;
    long count = 1;
    for (int run = 0; run < 60;) {
        double start = seconds(), time;
        for (long i = 0; i < count; i++)
            call();
        time = seconds() - start;
        if (run == 0 && time < 5e-3) { /* a run takes at least 5 ms */
            count *= 2;
            continue;
        }
        if (run++ == 0 || time < best)
            best = time;
    }
    return best / (double)count * 1e9;
}

int main(int argc, char **argv)
{
    CHECK(argc >= 4);
    OSSL_LIB_CTX *ctx = OSSL_LIB_CTX_new();
    CHECK(ctx != NULL && OSSL_PROVIDER_set_default_search_path(ctx, argv[1]));
    OSSL_PROVIDER *standard = OSSL_PROVIDER_load(ctx, "default"), *provider = OSSL_PROVIDER_load(ctx, argv[2]);
    CHECK(standard != NULL && provider != NULL);
    for (int i = 3; i < argc; i++) {
        EVP_PKEY *key = NULL;
        CHECK((generate = EVP_PKEY_CTX_new_from_name(ctx, argv[i], NULL)) != NULL);
        CHECK(EVP_PKEY_keygen_init(generate) > 0 && EVP_PKEY_generate(generate, &key) > 0);
        sender = EVP_PKEY_CTX_new_from_pkey(ctx, key, NULL);
        receiver = EVP_PKEY_CTX_new_from_pkey(ctx, key, NULL);
        CHECK(EVP_PKEY_encapsulate_init(sender, NULL) > 0 && EVP_PKEY_decapsulate_init(receiver, NULL) > 0);
        CHECK(EVP_PKEY_encapsulate(sender, NULL, &ciphertext_len, NULL, &secret_len) > 0);
        one_encapsulation();
        printf("%-12s %10.0f %10.0f %10.0f\n", argv[i], nanoseconds(one_key), nanoseconds(one_encapsulation),
               nanoseconds(one_decapsulation));
        EVP_PKEY_CTX_free(receiver);
        EVP_PKEY_CTX_free(sender);
        EVP_PKEY_CTX_free(generate);
        EVP_PKEY_free(key);
    }
    OSSL_PROVIDER_unload(provider);
    OSSL_PROVIDER_unload(standard);
    OSSL_LIB_CTX_free(ctx);
    return 0;
}
