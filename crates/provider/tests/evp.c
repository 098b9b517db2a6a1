/* The provider through libcrypto's EVP interface. Usage: evp FOLDER, which holds carryless.so. */
#include "common.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509.h>
#include <string.h>

/* A call that must fail, with an error on the queue. */
#define REFUSED(call)                                                             \
    do {                                                                          \
        ERR_clear_error();                                                        \
        CHECK((call) <= 0);                                                       \
        CHECK(ERR_peek_error() != 0);                                             \
        ERR_clear_error();                                                        \
    } while (0)

static OSSL_LIB_CTX *ctx;

struct alg {
    const char *name;
    size_t share, ciphertext, secret, seed, random;
};

static const struct alg ALGS[] = {
    { "HQC-1", 2241, 4433, 32, 32, 32 },
    { "HQC-3", 4514, 8978, 32, 32, 40 },
    { "HQC-5", 7237, 14421, 32, 32, 48 },
    { "p256_hqc1", 2306, 4498, 64, 0, 0 },
    { "x25519_hqc1", 2273, 4465, 64, 0, 0 },
    { "p384_hqc3", 4611, 9075, 80, 0, 0 },
    { "x448_hqc3", 4570, 9034, 88, 0, 0 },
    { "p521_hqc5", 7370, 14554, 98, 0, 0 },
};
#define ALG_COUNT (sizeof ALGS / sizeof *ALGS)

static EVP_PKEY *keygen(const struct alg *alg, const unsigned char *seed)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *gen = EVP_PKEY_CTX_new_from_name(ctx, alg->name, NULL);
    CHECK(gen != NULL && EVP_PKEY_keygen_init(gen) > 0);
    if (seed != NULL) {
        OSSL_PARAM params[2] = { OSSL_PARAM_construct_octet_string("seed", (void *)seed, alg->seed),
                                 OSSL_PARAM_construct_end() };
        CHECK(EVP_PKEY_CTX_set_params(gen, params) > 0);
    }
    CHECK(EVP_PKEY_generate(gen, &key) > 0);
    EVP_PKEY_CTX_free(gen);
    return key;
}

static EVP_PKEY *fromdata(const struct alg *alg, int selection, const char *name, unsigned char *bytes, size_t len)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *import = EVP_PKEY_CTX_new_from_name(ctx, alg->name, NULL);
    OSSL_PARAM params[2] = { OSSL_PARAM_construct_octet_string(name, bytes, len), OSSL_PARAM_construct_end() };
    CHECK(import != NULL && EVP_PKEY_fromdata_init(import) > 0);
    if (EVP_PKEY_fromdata(import, &key, selection, params) <= 0)
        key = NULL;
    EVP_PKEY_CTX_free(import);
    return key;
}

/* Imports a key from its seed and its full length. */
static EVP_PKEY *both(const struct alg *alg, unsigned char *seed, size_t seed_len, unsigned char *bytes, size_t len)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *import = EVP_PKEY_CTX_new_from_name(ctx, alg->name, NULL);
    OSSL_PARAM params[3] = { OSSL_PARAM_construct_octet_string("seed", seed, seed_len),
                             OSSL_PARAM_construct_octet_string("priv", bytes, len), OSSL_PARAM_construct_end() };
    CHECK(import != NULL && EVP_PKEY_fromdata_init(import) > 0);
    if (EVP_PKEY_fromdata(import, &key, EVP_PKEY_KEYPAIR, params) <= 0)
        key = NULL;
    EVP_PKEY_CTX_free(import);
    return key;
}

/* Encapsulates to a key; the lengths are asked for first. */
static void encapsulate(const struct alg *alg, EVP_PKEY *key, unsigned char *random, unsigned char *ciphertext,
                        unsigned char *secret)
{
    size_t len = 0, secret_len = 0;
    EVP_PKEY_CTX *op = EVP_PKEY_CTX_new_from_pkey(ctx, key, NULL);
    OSSL_PARAM params[2] = { OSSL_PARAM_construct_octet_string("ikme", random, alg->random),
                             OSSL_PARAM_construct_end() };
    CHECK(op != NULL && EVP_PKEY_encapsulate_init(op, random == NULL ? NULL : params) > 0);
    CHECK(EVP_PKEY_encapsulate(op, NULL, &len, NULL, &secret_len) > 0);
    CHECK(len == alg->ciphertext && secret_len == alg->secret);
    len--;
    REFUSED(EVP_PKEY_encapsulate(op, ciphertext, &len, secret, &secret_len));
    len = alg->ciphertext;
    secret_len--;
    REFUSED(EVP_PKEY_encapsulate(op, ciphertext, &len, secret, &secret_len));
    secret_len = alg->secret;
    /* The randomness is still there after buffers that were too short. */
    CHECK(EVP_PKEY_encapsulate(op, ciphertext, &len, secret, &secret_len) > 0);
    EVP_PKEY_CTX_free(op);
}

static int decapsulate(EVP_PKEY *key, const unsigned char *ciphertext, size_t len, unsigned char *secret,
                       size_t *secret_len)
{
    EVP_PKEY_CTX *op = EVP_PKEY_CTX_new_from_pkey(ctx, key, NULL);
    CHECK(op != NULL && EVP_PKEY_decapsulate_init(op, NULL) > 0);
    int result = EVP_PKEY_decapsulate(op, secret, secret_len, ciphertext, len);
    EVP_PKEY_CTX_free(op);
    return result;
}

static void same_secret(const struct alg *alg, EVP_PKEY *to, EVP_PKEY *from)
{
    unsigned char ciphertext[15000], sent[98], received[98];
    size_t len = alg->secret;
    encapsulate(alg, to, NULL, ciphertext, sent);
    CHECK(decapsulate(from, ciphertext, alg->ciphertext, received, &len) > 0 && len == alg->secret);
    CHECK(memcmp(sent, received, len) == 0);
    /* Every changed byte of HQC's part changes the secret, without an error. */
    ciphertext[alg->ciphertext - 1] ^= 1;
    CHECK(decapsulate(from, ciphertext, alg->ciphertext, received, &len) > 0);
    CHECK(memcmp(sent, received, len) != 0);
}

static void exchange(const struct alg *alg)
{
    unsigned char bytes[15000], secret[98], *encoded = NULL;
    size_t len = sizeof secret;
    EVP_PKEY *key = keygen(alg, NULL), *public, *other = keygen(alg, NULL);
    same_secret(alg, key, key);
    CHECK(EVP_PKEY_get1_encoded_public_key(key, &encoded) == alg->share);
    public = fromdata(alg, EVP_PKEY_PUBLIC_KEY, "pub", encoded, alg->share);
    CHECK(public != NULL && EVP_PKEY_eq(public, key) == 1 && EVP_PKEY_eq(public, other) == 0);
    same_secret(alg, public, key);
    EVP_PKEY *copy = EVP_PKEY_dup(key);
    CHECK(copy != NULL && EVP_PKEY_eq(copy, key) == 1);
    same_secret(alg, public, copy);

    /* What is wrong is refused. */
    memset(bytes, 0xff, sizeof bytes);
    REFUSED(decapsulate(public, bytes, alg->ciphertext, secret, &len));
    REFUSED(decapsulate(key, bytes, alg->ciphertext - 1, secret, &len));
    REFUSED(decapsulate(key, bytes, alg->ciphertext + 1, secret, &len));
    CHECK(decapsulate(key, bytes, 0, secret, &len) <= 0); /* refused by libcrypto, without an error */
    REFUSED(decapsulate(key, bytes, ALGS[(alg - ALGS + 1) % ALG_COUNT].ciphertext, secret, &len));
    len = alg->secret - 1;
    REFUSED(decapsulate(key, bytes, alg->ciphertext, secret, &len));
    for (size_t cut = 0; cut <= alg->share + 1; cut += cut < 200 ? 1 : 97)
        if (cut != alg->share)
            CHECK(fromdata(alg, EVP_PKEY_PUBLIC_KEY, "pub", bytes, cut) == NULL);
    CHECK(fromdata(alg, EVP_PKEY_PUBLIC_KEY, "pub", bytes, alg->share) == NULL); /* set unused bits, or no point */
    REFUSED(EVP_PKEY_set1_encoded_public_key(public, encoded, alg->share)); /* keys do not change */
    EVP_PKEY *empty = EVP_PKEY_new();
    CHECK(empty != NULL && EVP_PKEY_copy_parameters(empty, key) == 1);
    CHECK(EVP_PKEY_set1_encoded_public_key(empty, encoded, 0) != 1); /* no bytes are no key */
    EVP_PKEY_free(empty);
    CHECK(EVP_PKEY_get_security_bits(key) >= 128 && EVP_PKEY_get_size(key) == (int)alg->ciphertext);
    ERR_clear_error();
    OPENSSL_free(encoded);
    EVP_PKEY_free(copy);
    EVP_PKEY_free(public);
    EVP_PKEY_free(other);
    EVP_PKEY_free(key);
}

static void raw_keys(const struct alg *alg)
{
    unsigned char seed[64], bytes[8000];
    size_t len = 0, seed_len = 0;
    EVP_PKEY *key = keygen(alg, NULL), *again;
    CHECK(EVP_PKEY_get_octet_string_param(key, "priv", bytes, sizeof bytes, &len));
    CHECK(EVP_PKEY_get_octet_string_param(key, "seed", seed, sizeof seed, &seed_len) && seed_len == alg->seed);
    CHECK((again = fromdata(alg, EVP_PKEY_KEYPAIR, "priv", bytes, len)) != NULL && EVP_PKEY_eq(again, key) == 1);
    same_secret(alg, key, again);
    EVP_PKEY_free(again);
    CHECK((again = fromdata(alg, EVP_PKEY_KEYPAIR, "seed", seed, seed_len)) != NULL);
    CHECK(EVP_PKEY_eq(again, key) == 1);
    EVP_PKEY_free(again);
    again = keygen(alg, seed);
    CHECK(EVP_PKEY_eq(again, key) == 1);
    EVP_PKEY_free(again);
    bytes[len - 1] ^= 1; /* the seed in it is another key's */
    CHECK(fromdata(alg, EVP_PKEY_KEYPAIR, "priv", bytes, len) == NULL);
    CHECK(fromdata(alg, EVP_PKEY_KEYPAIR, "seed", seed, seed_len - 1) == NULL);
    /* No bytes are no seed, and never a random one; a seed and a key must belong together. */
    CHECK(fromdata(alg, EVP_PKEY_KEYPAIR, "seed", seed, 0) == NULL);
    CHECK(fromdata(alg, EVP_PKEY_KEYPAIR, "priv", bytes, 0) == NULL);
    bytes[len - 1] ^= 1;
    CHECK((again = both(alg, seed, seed_len, bytes, len)) != NULL && EVP_PKEY_eq(again, key) == 1);
    EVP_PKEY_free(again);
    seed[0] ^= 1;
    CHECK(both(alg, seed, seed_len, bytes, len) == NULL);
    CHECK(both(alg, seed, 0, bytes, len) == NULL);
    EVP_PKEY_CTX *gen = EVP_PKEY_CTX_new_from_name(ctx, alg->name, NULL);
    OSSL_PARAM none[2] = { OSSL_PARAM_construct_octet_string("seed", seed, 0), OSSL_PARAM_construct_end() };
    CHECK(gen != NULL && EVP_PKEY_keygen_init(gen) > 0);
    again = NULL;
    CHECK(EVP_PKEY_CTX_set_params(gen, none) <= 0 || EVP_PKEY_generate(gen, &again) <= 0);
    EVP_PKEY_CTX_free(gen);
    ERR_clear_error();
    EVP_PKEY_free(key);
}

static EVP_PKEY *reread(BIO *file, int private)
{
    return private ? PEM_read_bio_PrivateKey_ex(file, NULL, NULL, NULL, ctx, NULL)
                   : PEM_read_bio_PUBKEY_ex(file, NULL, NULL, NULL, ctx, NULL);
}

static void files(const struct alg *alg)
{
    EVP_PKEY *key = keygen(alg, NULL), *again;
    for (int private = 0; private < 2; private++) {
        BIO *file = BIO_new(BIO_s_mem());
        CHECK(private ? PEM_write_bio_PrivateKey(file, key, NULL, NULL, 0, NULL, NULL)
                      : PEM_write_bio_PUBKEY(file, key));
        char *text;
        long len = BIO_get_mem_data(file, &text);
        BIO *cut = BIO_new_mem_buf(text, (int)len / 2);
        CHECK(reread(cut, private) == NULL);
        BIO_free(cut);
        CHECK((again = reread(file, private)) != NULL && EVP_PKEY_eq(again, key) == 1);
        same_secret(alg, again, private ? again : key);
        EVP_PKEY_free(again);
        BIO_free(file);
    }
    unsigned char *der = NULL;
    int len = i2d_PUBKEY(key, &der);
    CHECK(len > (int)alg->share);
    const unsigned char *at = der;
    CHECK((again = d2i_PUBKEY_ex(NULL, &at, len, ctx, NULL)) != NULL && EVP_PKEY_eq(again, key) == 1);
    EVP_PKEY_free(again);
    OPENSSL_free(der);
    /* An encrypted file comes from PKCS8_encrypt; the encoder must not ignore the cipher. */
    BIO *file = BIO_new(BIO_s_mem());
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key);
    CHECK(info != NULL);
    X509_SIG *encrypted = PKCS8_encrypt_ex(-1, EVP_aes_256_cbc(), "secret", 6, NULL, 0, 2048, info, ctx, NULL);
    CHECK(encrypted != NULL && PEM_write_bio_PKCS8(file, encrypted));
    again = PEM_read_bio_PrivateKey_ex(file, NULL, NULL, (void *)"secret", ctx, NULL);
    CHECK(again != NULL && EVP_PKEY_eq(again, key) == 1);
    EVP_PKEY_free(again);
    X509_SIG_free(encrypted);
    PKCS8_PRIV_KEY_INFO_free(info);
    BIO_free(file);
    file = BIO_new(BIO_s_mem());
    REFUSED(PEM_write_bio_PrivateKey(file, key, EVP_aes_256_cbc(), (unsigned char *)"secret", 6, NULL, NULL));
    CHECK(BIO_ctrl_pending(file) == 0);
    BIO_free(file);
    EVP_PKEY_free(key);
}

/* Prints digests of the bytes of seed 00 01 02 .. and of randomness ff fe fd .., which the Rust crate also gives. */
static void known(const struct alg *alg)
{
    unsigned char seed[64], random[64], ciphertext[15000], secret[98], digest[32], *share = NULL;
    for (int i = 0; i < 64; i++) {
        seed[i] = (unsigned char)i;
        random[i] = (unsigned char)(255 - i);
    }
    EVP_PKEY *key = keygen(alg, seed);
    encapsulate(alg, key, random, ciphertext, secret);
    CHECK(EVP_PKEY_get1_encoded_public_key(key, &share) == alg->share);
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    CHECK(EVP_DigestInit_ex(hash, EVP_sha256(), NULL) && EVP_DigestUpdate(hash, share, alg->share)
          && EVP_DigestUpdate(hash, ciphertext, alg->ciphertext) && EVP_DigestUpdate(hash, secret, alg->secret)
          && EVP_DigestFinal_ex(hash, digest, NULL));
    printf("%s ", alg->name);
    for (int i = 0; i < 32; i++)
        printf("%02x", digest[i]);
    printf("\n");
    EVP_MD_CTX_free(hash);
    OPENSSL_free(share);
    EVP_PKEY_free(key);
}

static void one_round(long round)
{
    const struct alg *alg = &ALGS[(size_t)round % ALG_COUNT];
    EVP_PKEY *key = keygen(alg, NULL);
    same_secret(alg, key, key);
    EVP_PKEY_free(key);
}

int main(int argc, char **argv)
{
    CHECK(argc >= 2);
    CHECK((ctx = OSSL_LIB_CTX_new()) != NULL);
    CHECK(OSSL_PROVIDER_set_default_search_path(ctx, argv[1]));
    OSSL_PROVIDER *standard = OSSL_PROVIDER_load(ctx, "default"), *ours = OSSL_PROVIDER_load(ctx, "carryless");
    CHECK(standard != NULL && ours != NULL);
    if (argc > 2) {
        soak(one_round, atol(argv[2]));
    } else {
        for (size_t i = 0; i < ALG_COUNT; i++) {
            exchange(&ALGS[i]);
            if (ALGS[i].seed != 0) {
                raw_keys(&ALGS[i]);
                files(&ALGS[i]);
                known(&ALGS[i]);
            }
        }
        struct alg named = ALGS[0];
        named.name = "hqc1"; /* the name in TLS */
        EVP_PKEY *key = keygen(&named, NULL);
        CHECK(EVP_PKEY_is_a(key, "HQC-1") && EVP_PKEY_is_a(key, "hqc1") && !EVP_PKEY_is_a(key, "HQC-3"));
        EVP_PKEY_free(key);
        if (OpenSSL_version_num() >= 0x30500000L) { /* before, it knew only types of its own */
            key = EVP_PKEY_Q_keygen(ctx, NULL, "HQC-3");
            CHECK(key != NULL && EVP_PKEY_is_a(key, "hqc3"));
            EVP_PKEY_free(key);
        }
    }
    OSSL_PROVIDER_unload(ours);
    OSSL_PROVIDER_unload(standard);
    OSSL_LIB_CTX_free(ctx);
    return 0;
}
