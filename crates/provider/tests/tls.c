/* Handshakes of TLS 1.3 in memory, in every group. Usage:
 *
 *     tls SERVER_FOLDER SERVER_PROVIDER CLIENT_FOLDER CLIENT_PROVIDER [SECONDS | rounds COUNT]
 *
 * With SECONDS it prints handshakes a second in each group. With COUNT it shakes hands that many times, in all groups in
 * turn, and memory must not grow. */
#include "common.h"

#include <openssl/evp.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <string.h>

static const char *const GROUPS[] = { "hqc1",      "p256_hqc1", "x25519_hqc1", "hqc3",
                                      "p384_hqc3", "x448_hqc3", "hqc5",        "p521_hqc5" };
#define GROUP_COUNT (sizeof GROUPS / sizeof *GROUPS)

struct side {
    OSSL_LIB_CTX *ctx;
    OSSL_PROVIDER *standard, *provider;
    SSL_CTX *ssl;
};

static struct side open_side(const SSL_METHOD *method, const char *folder, const char *provider)
{
    struct side side = { 0 };
    CHECK((side.ctx = OSSL_LIB_CTX_new()) != NULL && OSSL_PROVIDER_set_default_search_path(side.ctx, folder));
    CHECK((side.standard = OSSL_PROVIDER_load(side.ctx, "default")) != NULL);
    CHECK((side.provider = OSSL_PROVIDER_load(side.ctx, provider)) != NULL);
    CHECK((side.ssl = SSL_CTX_new_ex(side.ctx, NULL, method)) != NULL);
    CHECK(SSL_CTX_set_min_proto_version(side.ssl, TLS1_3_VERSION));
    SSL_CTX_set_session_cache_mode(side.ssl, SSL_SESS_CACHE_OFF);
    return side;
}

static void close_side(struct side *side)
{
    SSL_CTX_free(side->ssl);
    OSSL_PROVIDER_unload(side->provider);
    OSSL_PROVIDER_unload(side->standard);
    OSSL_LIB_CTX_free(side->ctx);
}

static void self_signed(struct side *side)
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(side->ctx, NULL, "EC", "P-256");
    X509 *cert = X509_new_ex(side->ctx, NULL);
    CHECK(key != NULL && cert != NULL && ASN1_INTEGER_set(X509_get_serialNumber(cert), 1));
    CHECK(X509_gmtime_adj(X509_getm_notBefore(cert), 0) && X509_gmtime_adj(X509_getm_notAfter(cert), 3600));
    X509_NAME *name = X509_NAME_new();
    CHECK(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"test", -1, -1, 0));
    CHECK(X509_set_subject_name(cert, name) && X509_set_issuer_name(cert, name) && X509_set_pubkey(cert, key));
    CHECK(X509_sign(cert, key, EVP_sha256()) > 0);
    CHECK(SSL_CTX_use_certificate(side->ssl, cert) == 1 && SSL_CTX_use_PrivateKey(side->ssl, key) == 1);
    X509_NAME_free(name);
    X509_free(cert);
    EVP_PKEY_free(key);
}

static SSL *connection(SSL_CTX *ctx, const char *group, int server)
{
    SSL *ssl = SSL_new(ctx);
    CHECK(ssl != NULL && SSL_set1_groups_list(ssl, group) == 1);
    server ? SSL_set_accept_state(ssl) : SSL_set_connect_state(ssl);
    return ssl;
}

/* Moves what one side wrote to the other. `damage`: byte to change of what moves, or -1. */
static int carry(SSL *from, SSL *to, long damage)
{
    static unsigned char buffer[1 << 16];
    int len = BIO_read(SSL_get_wbio(from), buffer, sizeof buffer);
    if (len <= 0)
        return 0;
    if (damage >= 0 && damage < len)
        buffer[damage] ^= 1;
    return BIO_write(SSL_get_rbio(to), buffer, len) == len;
}

/* One handshake. Returns 1 if both sides finish and can exchange a message. */
static int handshake(struct side *server, struct side *client, const char *offered, const char *accepted,
                     long damage)
{
    SSL *s = connection(server->ssl, accepted, 1), *c = connection(client->ssl, offered, 0);
    int done = 0;
    char text[6] = "";
    SSL_set_bio(s, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_bio(c, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    for (int round = 0; round < 10 && !done; round++) {
        int by_client = SSL_do_handshake(c);
        carry(c, s, -1);
        int by_server = SSL_do_handshake(s);
        carry(s, c, round == 0 ? damage : -1);
        done = by_client == 1 && by_server == 1;
    }
    if (done) {
        CHECK(SSL_write(c, "hello", 6) == 6 && carry(c, s, -1) && SSL_read(s, text, 6) == 6);
        CHECK(strcmp(text, "hello") == 0);
    }
    SSL_free(s);
    SSL_free(c);
    return done;
}

/* The server ends in the middle of its first flight, and the client in the middle of its hello: an error on the other side. */
static void stops(struct side *server, struct side *client, const char *group)
{
    static unsigned char flight[1 << 16];
    for (int by_client = 0; by_client < 2; by_client++)
        for (int part = 0; part < 8; part++) {
            SSL *s = connection(server->ssl, group, 1), *c = connection(client->ssl, group, 0);
            SSL *from = by_client ? c : s, *to = by_client ? s : c;
            SSL_set_bio(s, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
            SSL_set_bio(c, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
            CHECK(SSL_do_handshake(c) <= 0);
            if (!by_client)
                CHECK(carry(c, s, -1) && SSL_do_handshake(s) <= 0);
            int len = BIO_read(SSL_get_wbio(from), flight, sizeof flight) * part / 8;
            CHECK(BIO_write(SSL_get_rbio(to), flight, len) == len);
            BIO_set_mem_eof_return(SSL_get_rbio(to), 0);
            int result = SSL_do_handshake(to), error = SSL_get_error(to, result);
            CHECK(result <= 0 && (error == SSL_ERROR_SSL || error == SSL_ERROR_SYSCALL));
            SSL_free(s);
            SSL_free(c);
        }
    ERR_clear_error();
}

static void measure(struct side *server, struct side *client, const char *group, double limit)
{
    long count = 0;
    double start = seconds(), end;
    do {
        CHECK(handshake(server, client, group, group, -1));
        count++;
        end = seconds();
    } while (end - start < limit);
    printf("%-12s %8.1f handshakes/s\n", group, (double)count / (end - start));
}

static struct side server, client;

/* Every eighth handshake in a group is damaged, which must not leak either. */
static void one_round(long round)
{
    const char *group = GROUPS[(size_t)round % GROUP_COUNT];
    int damaged = (size_t)round / GROUP_COUNT % 8 == 7;
    CHECK(handshake(&server, &client, group, group, damaged ? 1401 : -1) == !damaged);
    ERR_clear_error();
}

int main(int argc, char **argv)
{
    CHECK(argc >= 5);
    server = open_side(TLS_server_method(), argv[1], argv[2]);
    client = open_side(TLS_client_method(), argv[3], argv[4]);
    self_signed(&server);
    if (argc > 6) {
        soak(one_round, atol(argv[6]));
        close_side(&client);
        close_side(&server);
        return 0;
    }
    if (argc > 5)
        measure(&server, &client, "X25519", atof(argv[5]));
    for (size_t i = 0; i < GROUP_COUNT; i++) {
        if (argc > 5) {
            measure(&server, &client, GROUPS[i], atof(argv[5]));
            continue;
        }
        const char *other = GROUPS[(i + 1) % GROUP_COUNT];
        CHECK(handshake(&server, &client, GROUPS[i], GROUPS[i], -1));
        printf("%s: shaken hands\n", GROUPS[i]);
        /* No common group, and bytes changed in the server's share: the handshake fails, nothing crashes. */
        CHECK(!handshake(&server, &client, GROUPS[i], other, -1));
        for (long at = 100; at < 4000; at += 1301)
            CHECK(!handshake(&server, &client, GROUPS[i], GROUPS[i], at));
        stops(&server, &client, GROUPS[i]);
    }
    close_side(&client);
    close_side(&server);
    return 0;
}
