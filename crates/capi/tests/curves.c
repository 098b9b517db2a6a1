// ECDH and ECDSA.
#include "common.h"

enum { ROOM = 160 };

// A message "sample", its SHA-256, and what RFC 6979 makes of it: appendices A.2.8 and A.2.13, with keys and signatures in full length.
static const char *sample = "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf";

static void rfc_6979(uint32_t curve, const char *secret_hex, const char *public_hex, const char *signature_hex) {
    carryless_curve_sizes sizes;
    STATUS(OK, carryless_curve_get_sizes(curve, &sizes));
    uint8_t secret[ROOM], key[ROOM], signature[ROOM], hash[32];
    unhex(sample, hash, 32);
    unhex(secret_hex, secret, sizes.secret_key);
    STATUS(OK, carryless_curve_public_key(curve, secret, sizes.secret_key, key, sizes.public_key));
    CHECK(equals_hex(public_hex, key, sizes.public_key));
    STATUS(OK, carryless_curve_ecdsa_sign(curve, CARRYLESS_HASH_SHA256, secret, sizes.secret_key, hash, 32, signature, sizes.signature));
    CHECK(equals_hex(signature_hex, signature, sizes.signature));
    STATUS(OK, carryless_curve_ecdsa_verify(curve, key, sizes.public_key, hash, 32, signature, sizes.signature));
    hash[0] ^= 0x80;
    STATUS(MISMATCH, carryless_curve_ecdsa_verify(curve, key, sizes.public_key, hash, 32, signature, sizes.signature));
    memset(signature, 0xff, sizes.signature);
    STATUS(VALUE, carryless_curve_ecdsa_verify(curve, key, sizes.public_key, hash, 32, signature, sizes.signature));
    STATUS(LENGTH, carryless_curve_ecdsa_verify(curve, key, sizes.public_key, hash, 32, signature, sizes.signature - 1));
    STATUS(UNSUPPORTED, carryless_curve_ecdsa_sign(curve, 9, secret, sizes.secret_key, hash, 32, signature, sizes.signature));
}

// Random keys, in PEM and back.
static void keys(uint32_t curve, const carryless_curve_sizes *sizes) {
    uint8_t secret[ROOM], key[ROOM], other[ROOM];
    char pem[1000];
    carryless_curve_pem_sizes pems = {0, 0};
    STATUS(OK, carryless_curve_generate(curve, secret, sizes->secret_key, key, sizes->public_key));
    STATUS(OK, carryless_curve_public_key(curve, secret, sizes->secret_key, other, sizes->public_key));
    CHECK(memcmp(key, other, sizes->public_key) == 0);
    STATUS(OK, carryless_curve_generate(curve, other, sizes->secret_key, key, sizes->public_key));
    CHECK(memcmp(secret, other, sizes->secret_key) != 0);
    STATUS(LENGTH, carryless_curve_generate(curve, other, sizes->secret_key, key, sizes->public_key - 1));
    STATUS(LENGTH, carryless_curve_generate(curve, other, sizes->secret_key + 1, key, sizes->public_key));
    STATUS(NULL, carryless_curve_generate(curve, NULL, sizes->secret_key, key, sizes->public_key));
    STATUS(OVERLAP, carryless_curve_generate(curve, key + 1, sizes->secret_key, key, sizes->public_key));

    STATUS(OK, carryless_curve_get_pem_sizes(curve, &pems));
    CHECK(pems.secret_pem < sizeof pem && pems.public_pem < sizeof pem);
    STATUS(OK, carryless_curve_secret_to_pem(curve, secret, sizes->secret_key, pem, pems.secret_pem));
    CHECK(memcmp(pem, "-----BEGIN PRIVATE KEY-----\n", 28) == 0 && pem[pems.secret_pem - 1] == '\n');
    STATUS(OK, carryless_curve_secret_from_pem(curve, pem, pems.secret_pem, other, sizes->secret_key));
    CHECK(memcmp(secret, other, sizes->secret_key) == 0);
    STATUS(VALUE, carryless_curve_public_from_pem(curve, pem, pems.secret_pem, other, sizes->public_key));
    STATUS(LENGTH, carryless_curve_secret_from_pem(curve, pem, pems.secret_pem, other, sizes->secret_key - 1));
    STATUS(NULL, carryless_curve_secret_from_pem(curve, NULL, 1, other, sizes->secret_key));
    STATUS(VALUE, carryless_curve_secret_from_pem(curve, NULL, 0, other, sizes->secret_key));
    STATUS(VALUE, carryless_curve_secret_from_pem(curve, pem, pems.secret_pem / 2, other, sizes->secret_key));
    STATUS(LENGTH, carryless_curve_secret_to_pem(curve, secret, sizes->secret_key, pem, pems.secret_pem + 1));
    STATUS(OVERLAP, carryless_curve_secret_to_pem(curve, (uint8_t *)pem, sizes->secret_key, pem, pems.secret_pem));
    pem[40] = (char)0xff; // No UTF-8.
    STATUS(VALUE, carryless_curve_secret_from_pem(curve, pem, pems.secret_pem, other, sizes->secret_key));
    STATUS(OK, carryless_curve_public_to_pem(curve, key, sizes->public_key, pem, pems.public_pem));
    CHECK(memcmp(pem, "-----BEGIN PUBLIC KEY-----\n", 27) == 0);
    STATUS(OK, carryless_curve_public_from_pem(curve, pem, pems.public_pem, other, sizes->public_key));
    CHECK(memcmp(key, other, sizes->public_key) == 0);
    key[sizes->public_key - 1] ^= 1;
    STATUS(VALUE, carryless_curve_public_to_pem(curve, key, sizes->public_key, pem, pems.public_pem));
}

// Keys that OpenSSL 3.0 wrote by `openssl ec` and `openssl pkey`, of the number for K-233 in test_curves.
static void openssl_keys(void) {
    const char *sec1 =
        "-----BEGIN EC PRIVATE KEY-----\n"
        "MG0CAQEEHSPzL7DDVSW7RWr0FON3UILl1wUq69+jvrmPv7/IoAcGBSuBBAAaoUAD\n"
        "PgAEAAN48RaOAX87gEpvN5mLN8i+Xf4EbaU7hJzBRtBGAH5cAMcjF61XVifWthwm\n"
        "coP2y0xpXMZCO1ubsa1b\n"
        "-----END EC PRIVATE KEY-----\n";
    const char *pkcs8 =
        "-----BEGIN PRIVATE KEY-----\n"
        "MH0CAQAwEAYHKoZIzj0CAQYFK4EEABoEZjBkAgEBBB0j8y+ww1Ulu0Vq9BTjd1CC\n"
        "5dcFKuvfo765j7+/yKFAAz4ABAADePEWjgF/O4BKbzeZizfIvl3+BG2lO4ScwUbQ\n"
        "RgB+XADHIxetV1Yn1rYcJnKD9stMaVzGQjtbm7GtWw==\n"
        "-----END PRIVATE KEY-----\n";
    const char *spki =
        "-----BEGIN PUBLIC KEY-----\n"
        "MFIwEAYHKoZIzj0CAQYFK4EEABoDPgAEAAN48RaOAX87gEpvN5mLN8i+Xf4EbaU7\n"
        "hJzBRtBGAH5cAMcjF61XVifWthwmcoP2y0xpXMZCO1ubsa1b\n"
        "-----END PUBLIC KEY-----\n";
    const char *compressed =
        "-----BEGIN PUBLIC KEY-----\n"
        "MDQwEAYHKoZIzj0CAQYFK4EEABoDIAACAAN48RaOAX87gEpvN5mLN8i+Xf4EbaU7\n"
        "hJzBRtBG\n"
        "-----END PUBLIC KEY-----\n";
    uint32_t curve = CARRYLESS_CURVE_K233;
    uint8_t secret[ROOM], key[ROOM], other[ROOM];
    char pem[1000];
    carryless_curve_sizes sizes;
    carryless_curve_pem_sizes pems;
    STATUS(OK, carryless_curve_get_sizes(curve, &sizes));
    STATUS(OK, carryless_curve_get_pem_sizes(curve, &pems));
    STATUS(OK, carryless_curve_secret_from_pem(curve, sec1, strlen(sec1), secret, sizes.secret_key));
    CHECK(equals_hex("23f32fb0c35525bb456af414e3775082e5d7052aebdfa3beb98fbfbfc8", secret, sizes.secret_key));
    STATUS(OK, carryless_curve_secret_from_pem(curve, pkcs8, strlen(pkcs8), other, sizes.secret_key));
    CHECK(memcmp(secret, other, sizes.secret_key) == 0);
    CHECK(pems.secret_pem == strlen(pkcs8) && pems.public_pem == strlen(spki));
    STATUS(OK, carryless_curve_secret_to_pem(curve, secret, sizes.secret_key, pem, pems.secret_pem));
    CHECK(memcmp(pem, pkcs8, pems.secret_pem) == 0);
    STATUS(OK, carryless_curve_public_from_pem(curve, spki, strlen(spki), key, sizes.public_key));
    STATUS(OK, carryless_curve_public_key(curve, secret, sizes.secret_key, other, sizes.public_key));
    CHECK(memcmp(key, other, sizes.public_key) == 0);
    STATUS(OK, carryless_curve_public_from_pem(curve, compressed, strlen(compressed), other, sizes.public_key));
    CHECK(memcmp(key, other, sizes.public_key) == 0);
    STATUS(OK, carryless_curve_public_to_pem(curve, key, sizes.public_key, pem, pems.public_pem));
    CHECK(memcmp(pem, spki, pems.public_pem) == 0);
    // A key of another curve.
    STATUS(VALUE, carryless_curve_secret_from_pem(CARRYLESS_CURVE_B233, sec1, strlen(sec1), secret, sizes.secret_key));
    STATUS(VALUE, carryless_curve_public_from_pem(CARRYLESS_CURVE_B233, spki, strlen(spki), key, sizes.public_key));
}

// Returns 0 if this build has not the curve.
static int agreement(uint32_t curve) {
    carryless_curve_sizes sizes;
    carryless_status status = carryless_curve_get_sizes(curve, &sizes);
    if (status == CARRYLESS_STATUS_UNSUPPORTED)
        return 0;
    STATUS(OK, status);
    keys(curve, &sizes);
    uint8_t secrets[2][ROOM], publics[2][ROOM], shared[2][ROOM];
    for (int i = 0; i < 2; i++) {
        fill(secrets[i], sizes.secret_key);
        secrets[i][0] = 0; // Below n.
        STATUS(OK, carryless_curve_public_key(curve, secrets[i], sizes.secret_key, publics[i], sizes.public_key));
        CHECK(publics[i][0] == 4);
    }
    for (int i = 0; i < 2; i++)
        STATUS(OK, carryless_curve_ecdh(curve, secrets[i], sizes.secret_key, publics[1 - i], sizes.public_key, shared[i], sizes.shared_secret));
    CHECK(memcmp(shared[0], shared[1], sizes.shared_secret) == 0);

    uint8_t out[ROOM], bad[ROOM];
    STATUS(LENGTH, carryless_curve_ecdh(curve, secrets[0], sizes.secret_key, publics[1], sizes.public_key - 1, out, sizes.shared_secret));
    STATUS(LENGTH, carryless_curve_ecdh(curve, secrets[0], sizes.secret_key, publics[1], sizes.public_key, out, sizes.shared_secret - 1));
    STATUS(OVERLAP, carryless_curve_ecdh(curve, secrets[0], sizes.secret_key, publics[1], sizes.public_key, publics[1] + 1, sizes.shared_secret));
    STATUS(NULL, carryless_curve_ecdh(curve, NULL, sizes.secret_key, publics[1], sizes.public_key, out, sizes.shared_secret));
    memcpy(bad, publics[1], sizes.public_key);
    bad[sizes.public_key - 1] ^= 1;
    STATUS(VALUE, carryless_curve_ecdh(curve, secrets[0], sizes.secret_key, bad, sizes.public_key, out, sizes.shared_secret));
    memset(bad, 0, sizes.secret_key);
    STATUS(VALUE, carryless_curve_public_key(curve, bad, sizes.secret_key, out, sizes.public_key));
    memset(bad, 0xff, sizes.secret_key);
    STATUS(VALUE, carryless_curve_public_key(curve, bad, sizes.secret_key, out, sizes.public_key));
    STATUS(LENGTH, carryless_curve_public_key(curve, bad, sizes.secret_key, out, sizes.public_key + 1));
    return 1;
}

void test_curves(void) {
    rfc_6979(CARRYLESS_CURVE_K233, "23f32fb0c35525bb456af414e3775082e5d7052aebdfa3beb98fbfbfc8",
             "04000378f1168e017f3b804a6f37998b37c8be5dfe046da53b849cc146d046007e5c00c72317ad575627d6b61c267283f6cb4c695cc6423b5b9bb1ad5b",
             "5d003add1a441e893c6f3d7c34e96f89f7b190ff26bd74b5de0f152fa60613f0e83e5cbbf18aa3f3ac6c9f955ff156c391ba0fd49925a6491652");
    rfc_6979(CARRYLESS_CURVE_B233, "007965575131644fc76cb5fd7238df80d8ca55090cf5054cab7815d15887",
             "0401681e3e403d81c8f6469e674cd0a830b720a9505794b25a37edbc9836a8013796f013a9503e9cd01170ee113e6af1911fce1183b6092badf1175715",
             "00f6dba089469289c5dd1b5d08e0aa637a0043014e7141ce8a8c1e38738d0076e173b17a7c0259f6f0054d558e598b84fe87c9b493354211f1bcbdf6");
    openssl_keys();
    int curves = 0;
    for (uint32_t curve = CARRYLESS_CURVE_K163; curve <= CARRYLESS_CURVE_B571; curve++)
        curves += agreement(curve);
    printf("%d curves\n", curves);
    CHECK(curves == 2 || curves == 10);
    carryless_curve_sizes sizes;
    STATUS(UNSUPPORTED, carryless_curve_get_sizes(0, &sizes));
    STATUS(NULL, carryless_curve_get_sizes(CARRYLESS_CURVE_K233, NULL));
}
