// carryless: AEADs, MACs, universal hashes, polynomials over F2, fields GF(2^m), binary curves and HQC. book/src/c.md is the manual.
//
// Every function but carryless_strerror and carryless_version returns a status: CARRYLESS_STATUS_OK is 0. Buffers are passed with their lengths.
// A null pointer, a wrong length, a pointer to words or a state that is not aligned, and an output that overlaps another argument are errors, and
// then nothing was written, except that the handle of a state that was not made is null. Pointers to buffers of no bytes may be null.

#ifndef CARRYLESS_H
#define CARRYLESS_H

// Written by cbindgen from crates/capi/src: `cargo xtask capi` compares it.

#include <stddef.h>
#include <stdint.h>

// An AEAD: ChaCha20-Poly1305 (RFC 8439), with nonces of 12 bytes, which should be counters.
#define CARRYLESS_AEAD_CHACHA20POLY1305 1

// An AEAD: XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03), with nonces of 24 bytes, which may be random.
#define CARRYLESS_AEAD_XCHACHA20POLY1305 2

// An AEAD: XChaCha20-decBRW1305, with nonces of 24 bytes. It is no standard, and no other library opens its messages.
#define CARRYLESS_AEAD_XCHACHA20DECBRW1305 3

// Bytes of the secret key of an AEAD. It serves many messages, each with a nonce of its own.
#define CARRYLESS_AEAD_KEY_LEN 32

// A curve: NIST K-163 (sect163k1 of SEC 2), a Koblitz curve over GF(2^163).
#define CARRYLESS_CURVE_K163 1

// A curve: NIST B-163 (sect163r2 of SEC 2), a pseudo-random curve over GF(2^163).
#define CARRYLESS_CURVE_B163 2

// A curve: NIST K-233 (sect233k1 of SEC 2), a Koblitz curve over GF(2^233).
#define CARRYLESS_CURVE_K233 3

// A curve: NIST B-233 (sect233r1 of SEC 2), a pseudo-random curve over GF(2^233).
#define CARRYLESS_CURVE_B233 4

// A curve: NIST K-283 (sect283k1 of SEC 2), a Koblitz curve over GF(2^283).
#define CARRYLESS_CURVE_K283 5

// A curve: NIST B-283 (sect283r1 of SEC 2), a pseudo-random curve over GF(2^283).
#define CARRYLESS_CURVE_B283 6

// A curve: NIST K-409 (sect409k1 of SEC 2), a Koblitz curve over GF(2^409).
#define CARRYLESS_CURVE_K409 7

// A curve: NIST B-409 (sect409r1 of SEC 2), a pseudo-random curve over GF(2^409).
#define CARRYLESS_CURVE_B409 8

// A curve: NIST K-571 (sect571k1 of SEC 2), a Koblitz curve over GF(2^571).
#define CARRYLESS_CURVE_K571 9

// A curve: NIST B-571 (sect571r1 of SEC 2), a pseudo-random curve over GF(2^571).
#define CARRYLESS_CURVE_B571 10

// A hash function, for nonces of ECDSA: SHA-256.
#define CARRYLESS_HASH_SHA256 1

// A hash function, for nonces of ECDSA: SHA-384.
#define CARRYLESS_HASH_SHA384 2

// A hash function, for nonces of ECDSA: SHA-512.
#define CARRYLESS_HASH_SHA512 3

// Bytes of the secret key of a file MAC. A key serves any number of messages.
#define CARRYLESS_FILE_MAC_KEY_LEN 32

// Bytes of the message that a part covers; the last one may be shorter.
#define CARRYLESS_FILE_MAC_PART (1 << 20)

// Bytes of a part outside of the library.
#define CARRYLESS_FILE_MAC_PART_LEN 96

// An algorithm: 4-decbrwhash1305-hchacha20, which new programs take.
#define CARRYLESS_FILE_MAC_DECBRWHASH1305 0

// An algorithm: polyhash1305-hchacha20, whose tags differ from those of the other one.
#define CARRYLESS_FILE_MAC_POLYHASH1305 1

// A subject: the contents of a file, or any message.
#define CARRYLESS_FILE_MAC_FILE 0

// A subject: a list of files. Its tags differ from those of a file with the same bytes.
#define CARRYLESS_FILE_MAC_MANIFEST 1

// The version of the header, MAJOR.MINOR.PATCH; carryless_version has that of the library.
#define CARRYLESS_VERSION_MAJOR 0

// The second number of the version.
#define CARRYLESS_VERSION_MINOR 1

// The third number of the version.
#define CARRYLESS_VERSION_PATCH 0

// A scheme: HQC-1 in profile NR, which is that of liboqs 0.16.
#define CARRYLESS_HQC_1 1

// A scheme: HQC-3 in profile NR, that of liboqs 0.16. Profiles do not understand each other.
#define CARRYLESS_HQC_3 2

// A scheme: HQC-5 in profile NR, that of liboqs 0.16.
#define CARRYLESS_HQC_5 3

// A scheme: HQC-1 in profile V5, which is that of the reference code 5.0.0.
#define CARRYLESS_HQC_1_V5 4

// A scheme: HQC-3 in profile V5, that of the reference code 5.0.0.
#define CARRYLESS_HQC_3_V5 5

// A scheme: HQC-5 in profile V5, that of the reference code 5.0.0.
#define CARRYLESS_HQC_5_V5 6

// A scheme: hqc-128 of the submission of 2023, for old data. Profile 2023 is in builds with feature hqc-2023.
#define CARRYLESS_HQC_128_2023 7

// A scheme: hqc-192 of the submission of 2023, for old data.
#define CARRYLESS_HQC_192_2023 8

// A scheme: hqc-256 of the submission of 2023, for old data.
#define CARRYLESS_HQC_256_2023 9

// A form of the private key in PKCS #8: the seed, which is the shortest and all that is needed.
#define CARRYLESS_HQC_FORM_SEED 1

// A form of the private key in PKCS #8: the key in full length.
#define CARRYLESS_HQC_FORM_EXPANDED 2

// A form of the private key in PKCS #8: the seed and the key in full length.
#define CARRYLESS_HQC_FORM_BOTH 3

// An encoding of key files: DER, which is bytes.
#define CARRYLESS_HQC_DER 1

// An encoding of key files: PEM, which is text, without a zero byte at the end.
#define CARRYLESS_HQC_PEM 2

// A kind of states, for carryless_layout: carryless_poly1305.
#define CARRYLESS_KIND_POLY1305 1

// A kind of states, for carryless_layout: carryless_file_mac, a key that is ready for many messages.
#define CARRYLESS_KIND_FILE_MAC 2

// A kind of states, for carryless_layout: carryless_file_mac_stream, a message that comes in pieces.
#define CARRYLESS_KIND_FILE_MAC_STREAM 3

// A kind of states, for carryless_layout: carryless_file_mac_parts, a message whose parts are hashed apart.
#define CARRYLESS_KIND_FILE_MAC_PARTS 4

// A kind of states, for carryless_layout: carryless_poly_plan, how a product of given sizes is computed.
#define CARRYLESS_KIND_POLY_PLAN 5

// A kind of states, for carryless_layout: carryless_field, a field GF(2^m).
#define CARRYLESS_KIND_FIELD 6

// A kind of states, for carryless_layout: carryless_wegman_carter, a key of the Wegman-Carter MAC.
#define CARRYLESS_KIND_WEGMAN_CARTER 7

// A kind of states, for carryless_layout: carryless_wegman_carter_stream, a message that comes in pieces.
#define CARRYLESS_KIND_WEGMAN_CARTER_STREAM 8

// A kind of states, for carryless_layout: carryless_universal, a key of a universal hash.
#define CARRYLESS_KIND_UNIVERSAL 9

// A kind of states, for carryless_layout: carryless_universal_stream, a message that comes in pieces.
#define CARRYLESS_KIND_UNIVERSAL_STREAM 10

// A kind of states, for carryless_layout: carryless_hqc_encapsulation_key, which is ready for many messages.
#define CARRYLESS_KIND_HQC_ENCAPSULATION_KEY 11

// A kind of states, for carryless_layout: carryless_hqc_decapsulation_key, which is ready for many ciphertexts.
#define CARRYLESS_KIND_HQC_DECAPSULATION_KEY 12

// Bytes of a one-time key.
#define CARRYLESS_POLY1305_KEY_LEN 32

// Bytes of a tag, of Poly1305 and of the file MAC.
#define CARRYLESS_TAG_LEN 16

// A universal hash: polyHash1305, over 2^130 - 5.
#define CARRYLESS_UNIVERSAL_POLYHASH1305 1

// A universal hash: polyHash1271, over 2^127 - 1, whose keys have two zero bits at the top.
#define CARRYLESS_UNIVERSAL_POLYHASH1271 2

// A universal hash: c-decBRWHash1305 of c streams, over 2^130 - 5.
#define CARRYLESS_UNIVERSAL_DECBRWHASH1305 3

// A universal hash: c-decBRWHash1271 of c streams, over 2^127 - 1, whose keys have two zero bits at the top.
#define CARRYLESS_UNIVERSAL_DECBRWHASH1271 4

// Bytes of the secret key of a universal hash, a number, least significant byte first.
#define CARRYLESS_UNIVERSAL_KEY_LEN 16

// Bytes of the digest of a universal hash, a number, least significant byte first.
#define CARRYLESS_UNIVERSAL_DIGEST_LEN 16

// Bytes of the secret key of the Wegman-Carter MAC. A key serves any number of messages.
#define CARRYLESS_WEGMAN_CARTER_KEY_LEN 32

// Bytes of a nonce of the Wegman-Carter MAC.
#define CARRYLESS_WEGMAN_CARTER_NONCE_LEN 16

// The status that functions return. carryless_strerror gives a text for each value.
enum carryless_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  // Success: outputs are written, and a tag or signature that was compared is right.
  CARRYLESS_STATUS_OK = 0,
  // A pointer is null where the function needs one.
  CARRYLESS_STATUS_NULL = 1,
  // A buffer has the wrong length.
  CARRYLESS_STATUS_LENGTH = 2,
  // A pointer to words or to a state is not aligned.
  CARRYLESS_STATUS_ALIGNMENT = 3,
  // An output overlaps another argument.
  CARRYLESS_STATUS_OVERLAP = 4,
  // A tag or a signature does not belong to the message under the key.
  CARRYLESS_STATUS_MISMATCH = 5,
  // The pointer is to no state of this kind, or to one that is finished.
  CARRYLESS_STATUS_STATE = 6,
  // A number or an encoding is not one that the function takes: a key out of range, a point that is not on the curve, a reducible polynomial.
  CARRYLESS_STATUS_VALUE = 7,
  // A constant that names an algorithm, a curve or a scheme is unknown, or not in this build.
  CARRYLESS_STATUS_UNSUPPORTED = 8,
  // The heap has no memory for a state, where memory of the caller would do, or for the messages of a batch.
  CARRYLESS_STATUS_MEMORY = 9,
  // A part of a message is not the one that comes next, or belongs to another key.
  CARRYLESS_STATUS_ORDER = 10,
  // A defect of this library. The state that the function was given may only be freed.
  CARRYLESS_STATUS_INTERNAL = 11,
  // A function of the caller stopped the computation.
  CARRYLESS_STATUS_STOPPED = 12,
  // The system gives no random bytes.
  CARRYLESS_STATUS_RANDOM = 13,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum carryless_status carryless_status;
#else
typedef int32_t carryless_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// GF(2^m) = F2[z]/f. Threads may share it.
//
// Elements are ceil(m / 64) words, least significant first: bit i of word j is the coefficient of z^(64 j + i). Functions take arrays of elements, one
// after the other, whose lengths are given in words; an array of one is an element. CARRYLESS_STATUS_VALUE if an operand has bits from z^m on. All run in
// constant time with respect to elements.
typedef struct carryless_field carryless_field;

// A key, ready for many messages. Threads may share it.
typedef struct carryless_file_mac carryless_file_mac;

// A message whose parts are hashed apart.
typedef struct carryless_file_mac_parts carryless_file_mac_parts;

// A message that comes in pieces.
typedef struct carryless_file_mac_stream carryless_file_mac_stream;

// A decapsulation key of HQC with what every decapsulation needs computed once. Threads may share it.
//
// The state holds a pointer to 42 to 139 KB on the heap, which copies share. They are wiped when the last copy is freed.
typedef struct carryless_hqc_decapsulation_key carryless_hqc_decapsulation_key;

// An encapsulation key of HQC with what every encapsulation needs computed once. Threads may share it.
//
// The state holds a pointer to 29 to 95 KB on the heap, which copies share.
typedef struct carryless_hqc_encapsulation_key carryless_hqc_encapsulation_key;

// Poly1305 of a message that comes in pieces.
typedef struct carryless_poly1305 carryless_poly1305;

// How a product of given sizes is computed. Threads may share it.
//
// A polynomial is an array of words, least significant first: bit i of word j is the coefficient of X^(64 j + i). Contents are secret: no branch and no address
// depends on them; sizes are public. Products write into `scratch`, which the caller wipes.
typedef struct carryless_poly_plan carryless_poly_plan;

// A key of a universal hash, ready for many messages. Threads may share it.
//
// A digest is NO tag: who sees one can compute the key. Add a one-time mask, or encrypt it.
typedef struct carryless_universal carryless_universal;

// A message of a universal hash that comes in pieces.
typedef struct carryless_universal_stream carryless_universal_stream;

// A key of the Wegman-Carter MAC, ready for many messages. Threads may share it.
//
// A nonce serves ONE message under a key: two messages under one nonce give the key away. It may be a counter, or random.
typedef struct carryless_wegman_carter carryless_wegman_carter;

// A message of the Wegman-Carter MAC that comes in pieces.
typedef struct carryless_wegman_carter_stream carryless_wegman_carter_stream;

// Sizes of what belongs to a curve, in bytes.
typedef struct carryless_curve_sizes {
  // A secret key: a number d, 1 <= d < n, most significant byte first.
  size_t secret_key;
  // A public key as functions write it: 4 and both coordinates (SEC 1).
  size_t public_key;
  // A public key of one coordinate, which functions read as well.
  size_t compressed_public_key;
  // A shared secret: the x coordinate, most significant byte first.
  size_t shared_secret;
  // A signature: r, then s.
  size_t signature;
} carryless_curve_sizes;

// Bytes of the texts of keys in PEM, without a zero byte at the end.
typedef struct carryless_curve_pem_sizes {
  // A secret key, as carryless_curve_secret_to_pem writes it.
  size_t secret_pem;
  // A public key, as carryless_curve_public_to_pem writes it.
  size_t public_pem;
} carryless_curve_pem_sizes;

// A function that a long computation calls between its steps with the `context` of the call. If it returns another number than 0, the computation ends with
// CARRYLESS_STATUS_STOPPED. It must return. A null pointer stands for none.
typedef int32_t (*carryless_gf2x_proceed)(void *context);

// A function that receives an irreducible factor with the `context` of the call. The words are there until it returns, and it must return.
typedef void (*carryless_gf2x_receive)(void *context, const uint64_t *factor, size_t factor_words, size_t multiplicity);

// Sizes of what belongs to a scheme, in bytes.
typedef struct carryless_hqc_sizes {
  // The random bytes that a key pair is made of.
  size_t seed;
  // An encapsulation key, which is public.
  size_t encapsulation_key;
  // A decapsulation key, which is secret.
  size_t decapsulation_key;
  // The random bytes that an encapsulation takes.
  size_t randomness;
  // A ciphertext, which is public and carries a shared secret.
  size_t ciphertext;
  // A shared secret, which both sides get and nobody else.
  size_t shared_secret;
} carryless_hqc_sizes;

// Bytes of the key files of a scheme.
typedef struct carryless_hqc_file_sizes {
  // A file of a decapsulation key.
  size_t decapsulation_key;
  // A file of an encapsulation key.
  size_t encapsulation_key;
} carryless_hqc_file_sizes;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The bytes of a nonce of an AEAD, one of CARRYLESS_AEAD_*POLY1305 and CARRYLESS_AEAD_XCHACHA20DECBRW1305.
//
// # Safety
// `nonce_len` is null, or can be written.
carryless_status carryless_aead_nonce_len(uint32_t algorithm, size_t *nonce_len);

// Encrypts a message and computes its tag. `ciphertext` has as many bytes as `message`, and may be the same buffer; the tag, 16 bytes, is apart from both,
// such as directly behind the ciphertext. A nonce serves one message under a key: two messages under one nonce reveal both and let anyone forge.
// A message has at most 2^38 - 64 bytes.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_aead_seal(uint32_t algorithm,
                                     const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *nonce,
                                     size_t nonce_len,
                                     const uint8_t *ad,
                                     size_t ad_len,
                                     const uint8_t *message,
                                     size_t message_len,
                                     uint8_t *ciphertext,
                                     size_t ciphertext_len,
                                     uint8_t *tag,
                                     size_t tag_len);

// Decrypts a message if its tag is right, and otherwise returns CARRYLESS_STATUS_MISMATCH and writes nothing; compares in constant time. `message` has as many
// bytes as `ciphertext`, and may be the same buffer.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_aead_open(uint32_t algorithm,
                                     const uint8_t *key,
                                     size_t key_len,
                                     const uint8_t *nonce,
                                     size_t nonce_len,
                                     const uint8_t *ad,
                                     size_t ad_len,
                                     const uint8_t *ciphertext,
                                     size_t ciphertext_len,
                                     const uint8_t *tag,
                                     size_t tag_len,
                                     uint8_t *message,
                                     size_t message_len);

// The sizes of keys, secrets and signatures of a curve, one of CARRYLESS_CURVE_*.
//
// # Safety
// `sizes` is null, or can be written.
carryless_status carryless_curve_get_sizes(uint32_t curve, struct carryless_curve_sizes *sizes);

// The public key d G of a secret key: 4 and both coordinates. CARRYLESS_STATUS_VALUE if the secret key is not one, 1 <= d < n: random bytes are
// drawn again then.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_curve_public_key(uint32_t curve,
                                            const uint8_t *secret,
                                            size_t secret_len,
                                            uint8_t *public_,
                                            size_t public_len);

// ECDH: the secret that the owners of two keys share, without the cofactor. The public key, in either form of SEC 1, is validated in full:
// CARRYLESS_STATUS_VALUE if it is no multiple of the generator. Derive keys from the secret by a KDF.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_curve_ecdh(uint32_t curve,
                                      const uint8_t *secret,
                                      size_t secret_len,
                                      const uint8_t *public_,
                                      size_t public_len,
                                      uint8_t *shared,
                                      size_t shared_len);

// ECDSA: signs the hash of a message, of any length, with the nonce of RFC 6979 by `hash_function`, one of CARRYLESS_HASH_*. It should be the function that
// made the hash. The same message has always the same signature.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_curve_ecdsa_sign(uint32_t curve,
                                            uint32_t hash_function,
                                            const uint8_t *secret,
                                            size_t secret_len,
                                            const uint8_t *hash,
                                            size_t hash_len,
                                            uint8_t *signature,
                                            size_t signature_len);

// ECDSA: CARRYLESS_STATUS_OK if the signature is one of this hash by the owner of the public key, CARRYLESS_STATUS_MISMATCH if not, and CARRYLESS_STATUS_VALUE
// if the key or the signature is none. What is verified is public.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_curve_ecdsa_verify(uint32_t curve,
                                              const uint8_t *public_,
                                              size_t public_len,
                                              const uint8_t *hash,
                                              size_t hash_len,
                                              const uint8_t *signature,
                                              size_t signature_len);

// A pair of keys, made of random bytes of the system; the public key is 4 and both coordinates. CARRYLESS_STATUS_RANDOM if it gives none.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_curve_generate(uint32_t curve,
                                          uint8_t *secret,
                                          size_t secret_len,
                                          uint8_t *public_,
                                          size_t public_len);

// The sizes of keys of a curve in PEM.
//
// # Safety
// `sizes` is null, or can be written.
carryless_status carryless_curve_get_pem_sizes(uint32_t curve, struct carryless_curve_pem_sizes *sizes);

// A secret key in PEM: PKCS #8, as OpenSSL writes it, with the label PRIVATE KEY and no zero byte at the end. carryless_curve_get_pem_sizes has the length.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_curve_secret_to_pem(uint32_t curve,
                                               const uint8_t *secret,
                                               size_t secret_len,
                                               char *pem,
                                               size_t pem_len);

// A public key in PEM, with the label PUBLIC KEY and no zero byte at the end. carryless_curve_get_pem_sizes has the length.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_curve_public_to_pem(uint32_t curve,
                                               const uint8_t *public_,
                                               size_t public_len,
                                               char *pem,
                                               size_t pem_len);

// The secret key in a text: PKCS #8 or SEC 1. CARRYLESS_STATUS_VALUE if it holds no secret key of this curve, or an encrypted one.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_curve_secret_from_pem(uint32_t curve,
                                                 const char *pem,
                                                 size_t pem_len,
                                                 uint8_t *secret,
                                                 size_t secret_len);

// The public key in a text, as 4 and both coordinates. CARRYLESS_STATUS_VALUE if it holds no public key of this curve.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_curve_public_from_pem(uint32_t curve,
                                                 const char *pem,
                                                 size_t pem_len,
                                                 uint8_t *public_,
                                                 size_t public_len);

// The field whose f is the sum of these powers of z, in any order: irreducible, of degree 1 to 1279, with any number of terms. It is made in `memory`, as
// carryless_layout asks for, or on the heap if `memory` is null and `memory_len` 0; the exponents are always kept on the heap. Ends with carryless_free.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_field_new(const size_t *exponents,
                                     size_t exponents_len,
                                     void *memory,
                                     size_t memory_len,
                                     struct carryless_field **field);

// m, and the words of an element.
//
// # Safety
// Pointers are null, or can be written; `field` came from this library.
carryless_status carryless_field_degree(const struct carryless_field *field, size_t *degree, size_t *words);

// `out = a + b`, element by element; every array has `words` words.
//
// # Safety
// Pointers are null, or lead to as many words as are given; `field` came from this library.
carryless_status carryless_field_add(const struct carryless_field *field,
                                     const uint64_t *a,
                                     const uint64_t *b,
                                     uint64_t *out,
                                     size_t words);

// `out = a b`, element by element.
//
// # Safety
// `a`, `b` and `out` are null, or lead to `words` words; `field` came from this library.
carryless_status carryless_field_mul(const struct carryless_field *field,
                                     const uint64_t *a,
                                     const uint64_t *b,
                                     uint64_t *out,
                                     size_t words);

// `out = a^(2^k)`, element by element, by k mod m squarings, where m is the degree; k is public. A square has k = 1.
//
// # Safety
// `a` and `out` are null, or lead to `words` words; `field` came from this library.
carryless_status carryless_field_frobenius(const struct carryless_field *field,
                                           const uint64_t *a,
                                           size_t k,
                                           uint64_t *out,
                                           size_t words);

// `out = sqrt(a)`, element by element: every element has one square root.
//
// # Safety
// `a` and `out` are null, or lead to `words` words; `field` came from this library.
carryless_status carryless_field_sqrt(const struct carryless_field *field,
                                      const uint64_t *a,
                                      uint64_t *out,
                                      size_t words);

// `out = 1 / a`, element by element, and 0 for 0.
//
// # Safety
// `a` and `out` are null, or lead to `words` words; `field` came from this library.
carryless_status carryless_field_invert(const struct carryless_field *field,
                                        const uint64_t *a,
                                        uint64_t *out,
                                        size_t words);

// x with x^2 + x = c, element by element, where the trace of c is 0; where it is 1 there is no solution and something else is written. The other solution is
// x + 1.
//
// # Safety
// `c` and `out` are null, or lead to `words` words; `field` came from this library.
carryless_status carryless_field_solve(const struct carryless_field *field,
                                       const uint64_t *c,
                                       uint64_t *out,
                                       size_t words);

// `out = a^e`, element by element, for one exponent of `e_words` words, least significant first. It is public; 0^0 is 1.
//
// # Safety
// Pointers are null, or lead to `words` words, `e` to `e_words`; `field` came from this library.
carryless_status carryless_field_pow(const struct carryless_field *field,
                                     const uint64_t *a,
                                     const uint64_t *e,
                                     size_t e_words,
                                     uint64_t *out,
                                     size_t words);

// The traces of elements, 0 or 1 in a byte each: `traces_len` is the number of elements.
//
// # Safety
// `a` is null or leads to `words` words, `traces` to `traces_len` bytes; `field` came from this library.
carryless_status carryless_field_trace(const struct carryless_field *field,
                                       const uint64_t *a,
                                       size_t words,
                                       uint8_t *traces,
                                       size_t traces_len);

// Makes a key of 32 bytes ready, for one of CARRYLESS_FILE_MAC_DECBRWHASH1305 and _POLYHASH1305 and one of CARRYLESS_FILE_MAC_FILE and _MANIFEST: in
// `memory`, as carryless_layout asks for, or on the heap if `memory` is null and `memory_len` 0. Ends with carryless_free.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_file_mac_new(uint32_t algorithm,
                                        uint32_t subject,
                                        const uint8_t *key,
                                        size_t key_len,
                                        void *memory,
                                        size_t memory_len,
                                        struct carryless_file_mac **mac);

// The tag of a message, in 16 bytes.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `mac` came from this library.
carryless_status carryless_file_mac_tag(const struct carryless_file_mac *mac,
                                        const uint8_t *message,
                                        size_t message_len,
                                        uint8_t *tag,
                                        size_t tag_len);

// Compares the tag of a message in constant time: CARRYLESS_STATUS_OK or CARRYLESS_STATUS_MISMATCH.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `mac` came from this library.
carryless_status carryless_file_mac_verify(const struct carryless_file_mac *mac,
                                           const uint8_t *message,
                                           size_t message_len,
                                           const uint8_t *tag,
                                           size_t tag_len);

// A message that comes in pieces. It has copies of the keys, so that `mac` may be freed before it.
//
// # Safety
// As of carryless_file_mac_new; `mac` came from this library.
carryless_status carryless_file_mac_stream_new(const struct carryless_file_mac *mac,
                                               void *memory,
                                               size_t memory_len,
                                               struct carryless_file_mac_stream **stream);

// Appends `message` to the bytes so far. The tag does not depend on how a message is cut into pieces.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `stream` came from this library, and no other thread uses it.
carryless_status carryless_file_mac_stream_update(struct carryless_file_mac_stream *stream,
                                                  const uint8_t *message,
                                                  size_t message_len);

// The tag of all bytes so far, in 16 bytes. More may follow.
//
// # Safety
// `tag` is null or leads to `tag_len` bytes; `stream` came from this library, and no other thread changes it.
carryless_status carryless_file_mac_stream_tag(const struct carryless_file_mac_stream *stream,
                                               uint8_t *tag,
                                               size_t tag_len);

// Back to the start, for another message under the same key.
//
// # Safety
// `stream` is null or came from this library, and no other thread uses it.
carryless_status carryless_file_mac_stream_reset(struct carryless_file_mac_stream *stream);

// The hash of part `index` of a message, counted from 0: CARRYLESS_FILE_MAC_PART bytes, or what is left for the last part. It is written as
// CARRYLESS_FILE_MAC_PART_LEN bytes, which are as secret as the key: encrypt and authenticate them where others can read or write them.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `mac` came from this library.
carryless_status carryless_file_mac_part(const struct carryless_file_mac *mac,
                                         uint64_t index,
                                         const uint8_t *message,
                                         size_t message_len,
                                         uint8_t *part,
                                         size_t part_len);

// A message whose parts are hashed apart, of which there are none so far.
//
// # Safety
// As of carryless_file_mac_new; `mac` came from this library.
carryless_status carryless_file_mac_parts_new(const struct carryless_file_mac *mac,
                                              void *memory,
                                              size_t memory_len,
                                              struct carryless_file_mac_parts **parts);

// Appends the next part. CARRYLESS_STATUS_ORDER if it is not the next one, or belongs to another key, algorithm or subject; CARRYLESS_STATUS_VALUE if the bytes
// are no part.
//
// # Safety
// As of carryless_file_mac_tag; no other thread uses `parts`.
carryless_status carryless_file_mac_parts_push(struct carryless_file_mac_parts *parts,
                                               const struct carryless_file_mac *mac,
                                               const uint8_t *part,
                                               size_t part_len);

// The tag of the parts so far, in 16 bytes: that of the message in one piece. More may follow.
//
// # Safety
// `tag` is null or leads to `tag_len` bytes; `parts` came from this library, and no other thread changes it.
carryless_status carryless_file_mac_parts_tag(const struct carryless_file_mac_parts *parts,
                                              uint8_t *tag,
                                              size_t tag_len);

// The version of the library, such as "0.1.0".
const char *carryless_version(void);

// The text of a status, in English; for numbers that are none "unknown status". Never null, never to be freed.
const char *carryless_strerror(int32_t status);

// The bytes that a state of this kind takes, one of CARRYLESS_KIND_*, and its alignment. They may change with every version of the library.
//
// # Safety
// Pointers are null, or can be written.
carryless_status carryless_layout(uint32_t kind,
                                  size_t *size,
                                  size_t *alignment);

// A copy of a state of any kind, in `memory`, or on the heap if `memory` is null and `memory_len` 0.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `state` came from this library.
carryless_status carryless_copy(const void *state, void *memory, size_t memory_len, void **copy);

// Wipes a state of any kind, wherever it lies, and frees what this library allocated. Null is no error.
//
// # Safety
// `state` is null, or came from this library; nobody uses it any more.
carryless_status carryless_free(void *state);

// The product of a and b. `out` has as many words as both together. Operands are public; carryless_poly_mul takes secret ones.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_gf2x_mul(const uint64_t *a,
                                    size_t a_words,
                                    const uint64_t *b,
                                    size_t b_words,
                                    uint64_t *out,
                                    size_t out_words);

// Division with remainder: a = quotient d + remainder, where the remainder has a lower degree than d; CARRYLESS_STATUS_VALUE if d is 0. `quotient` has as
// many words as a, and `remainder` as many as d; one that is not wanted is null with 0 words. Operands are public.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_gf2x_div_rem(const uint64_t *a,
                                        size_t a_words,
                                        const uint64_t *d,
                                        size_t d_words,
                                        uint64_t *quotient,
                                        size_t quotient_words,
                                        uint64_t *remainder,
                                        size_t remainder_words);

// The greatest common divisor of a and b, 0 for 0 and 0, and the factors of least degree with gcd = u a + v b. All three have as many words as the
// longer of a and b. Operands are public: the time depends on their coefficients.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_gf2x_xgcd(const uint64_t *a,
                                     size_t a_words,
                                     const uint64_t *b,
                                     size_t b_words,
                                     uint64_t *gcd,
                                     size_t gcd_words,
                                     uint64_t *u,
                                     size_t u_words,
                                     uint64_t *v,
                                     size_t v_words);

// The greatest common divisor of a and b, 0 for 0 and 0. `out` has as many words as the longer of them. Operands are public: the time depends on their
// coefficients.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_gf2x_gcd(const uint64_t *a,
                                    size_t a_words,
                                    const uint64_t *b,
                                    size_t b_words,
                                    uint64_t *out,
                                    size_t out_words);

// The inverse of a modulo f; CARRYLESS_STATUS_VALUE if there is none or f is 0. `out` has as many words as f. Operands are public.
//
// # Safety
// Pointers are as those of carryless_gf2x_gcd.
carryless_status carryless_gf2x_inverse_mod(const uint64_t *a,
                                            size_t a_words,
                                            const uint64_t *f,
                                            size_t f_words,
                                            uint64_t *out,
                                            size_t out_words);

// Whether a is irreducible: `irreducible` becomes 1 or 0. Degrees above 100,000 may take minutes.
//
// # Safety
// As of carryless_gf2x_gcd; `proceed` is null or can be called with `context`.
carryless_status carryless_gf2x_is_irreducible(const uint64_t *a,
                                               size_t a_words,
                                               carryless_gf2x_proceed proceed,
                                               void *context,
                                               uint8_t *irreducible);

// An irreducible polynomial of degree n: the trinomial X^n + X^k + 1 with the least k, or else the pentanomial with the least exponents; X for n = 1.
// CARRYLESS_STATUS_VALUE for n = 0. `out` has n / 64 + 1 words.
//
// # Safety
// `out` is null or leads to `out_words` words; `proceed` is null or can be called with `context`.
carryless_status carryless_gf2x_find_irreducible(size_t n,
                                                 carryless_gf2x_proceed proceed,
                                                 void *context,
                                                 uint64_t *out,
                                                 size_t out_words);

// Factors a: when all irreducible factors are known, `receive` gets each with its multiplicity, in ascending order. CARRYLESS_STATUS_VALUE for a = 0.
//
// # Safety
// As of carryless_gf2x_is_irreducible; `receive` is null or can be called with `context`.
carryless_status carryless_gf2x_factor(const uint64_t *a,
                                       size_t a_words,
                                       carryless_gf2x_proceed proceed,
                                       carryless_gf2x_receive receive,
                                       void *context);

// The sizes of what belongs to a scheme, one of CARRYLESS_HQC_*.
//
// # Safety
// `sizes` is null, or can be written.
carryless_status carryless_hqc_get_sizes(uint32_t scheme, struct carryless_hqc_sizes *sizes);

// A pair of keys, made of random bytes.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_hqc_key_pair(uint32_t scheme,
                                        const uint8_t *seed,
                                        size_t seed_len,
                                        uint8_t *encapsulation_key,
                                        size_t encapsulation_key_len,
                                        uint8_t *decapsulation_key,
                                        size_t decapsulation_key_len);

// A pair of keys, made of random bytes of the system. CARRYLESS_STATUS_RANDOM if it gives none.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_hqc_generate(uint32_t scheme,
                                        uint8_t *encapsulation_key,
                                        size_t encapsulation_key_len,
                                        uint8_t *decapsulation_key,
                                        size_t decapsulation_key_len);

// A shared secret, and the ciphertext that carries it to the holder of the decapsulation key, made of random bytes that serve once.
// CARRYLESS_STATUS_LENGTH if the key has another length, CARRYLESS_STATUS_VALUE if it is no key.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_hqc_encapsulate(uint32_t scheme,
                                           const uint8_t *encapsulation_key,
                                           size_t encapsulation_key_len,
                                           const uint8_t *randomness,
                                           size_t randomness_len,
                                           uint8_t *ciphertext,
                                           size_t ciphertext_len,
                                           uint8_t *shared_secret,
                                           size_t shared_secret_len);

// carryless_hqc_encapsulate with random bytes of the system. CARRYLESS_STATUS_RANDOM if it gives none.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_hqc_encapsulate_random(uint32_t scheme,
                                                  const uint8_t *encapsulation_key,
                                                  size_t encapsulation_key_len,
                                                  uint8_t *ciphertext,
                                                  size_t ciphertext_len,
                                                  uint8_t *shared_secret,
                                                  size_t shared_secret_len);

// The shared secret of a ciphertext. One that encapsulation did not make gives another secret, not an error. CARRYLESS_STATUS_VALUE if the bytes
// are no key: it is made anew from its seed and compared.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_hqc_decapsulate(uint32_t scheme,
                                           const uint8_t *decapsulation_key,
                                           size_t decapsulation_key_len,
                                           const uint8_t *ciphertext,
                                           size_t ciphertext_len,
                                           uint8_t *shared_secret,
                                           size_t shared_secret_len);

// The sizes of key files, for a form and an encoding. CARRYLESS_STATUS_UNSUPPORTED for profiles V5 and 2023, which have no object identifiers.
//
// # Safety
// `sizes` is null, or can be written.
carryless_status carryless_hqc_get_file_sizes(uint32_t scheme,
                                              uint32_t form,
                                              uint32_t encoding,
                                              struct carryless_hqc_file_sizes *sizes);

// Writes a decapsulation key as PKCS #8 in one of CARRYLESS_HQC_FORM_*, which OpenSSL reads with the provider carryless.so; in PEM with the label PRIVATE KEY.
// carryless_hqc_get_file_sizes has the length. CARRYLESS_STATUS_LENGTH if the key has another length, CARRYLESS_STATUS_VALUE if it is no key.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_hqc_write_decapsulation_key(uint32_t scheme,
                                                       uint32_t form,
                                                       uint32_t encoding,
                                                       const uint8_t *decapsulation_key,
                                                       size_t decapsulation_key_len,
                                                       uint8_t *file,
                                                       size_t file_len);

// Writes an encapsulation key as SubjectPublicKeyInfo; in PEM with the label PUBLIC KEY. carryless_hqc_get_file_sizes has the length.
// CARRYLESS_STATUS_LENGTH if the key has another length, CARRYLESS_STATUS_VALUE if it is no key.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_hqc_write_encapsulation_key(uint32_t scheme,
                                                       uint32_t encoding,
                                                       const uint8_t *encapsulation_key,
                                                       size_t encapsulation_key_len,
                                                       uint8_t *file,
                                                       size_t file_len);

// Reads a decapsulation key from PKCS #8 in any form. CARRYLESS_STATUS_VALUE if the file is malformed or encrypted, or holds no key of this scheme.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_hqc_read_decapsulation_key(uint32_t scheme,
                                                      uint32_t encoding,
                                                      const uint8_t *file,
                                                      size_t file_len,
                                                      uint8_t *decapsulation_key,
                                                      size_t decapsulation_key_len);

// Reads an encapsulation key from a SubjectPublicKeyInfo. CARRYLESS_STATUS_VALUE if the file is malformed, or holds no key of this scheme.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_hqc_read_encapsulation_key(uint32_t scheme,
                                                      uint32_t encoding,
                                                      const uint8_t *file,
                                                      size_t file_len,
                                                      uint8_t *encapsulation_key,
                                                      size_t encapsulation_key_len);

// Makes an encapsulation key ready for many messages: in `memory`, as carryless_layout asks for, or on the heap if `memory` is null and
// `memory_len` 0. Ends with carryless_free. CARRYLESS_STATUS_LENGTH if the key has another length, CARRYLESS_STATUS_VALUE if it is no key.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_hqc_encapsulation_key_new(uint32_t scheme,
                                                     const uint8_t *bytes,
                                                     size_t bytes_len,
                                                     void *memory,
                                                     size_t memory_len,
                                                     struct carryless_hqc_encapsulation_key **key);

// Makes a decapsulation key ready for many ciphertexts: in `memory`, as carryless_layout asks for, or on the heap if `memory` is null and
// `memory_len` 0. Ends with carryless_free. CARRYLESS_STATUS_LENGTH if the key has another length, CARRYLESS_STATUS_VALUE if it is no key.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_hqc_decapsulation_key_new(uint32_t scheme,
                                                     const uint8_t *bytes,
                                                     size_t bytes_len,
                                                     void *memory,
                                                     size_t memory_len,
                                                     struct carryless_hqc_decapsulation_key **key);

// carryless_hqc_encapsulate with a key that is ready.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `key` came from this library.
carryless_status carryless_hqc_encapsulate_with(const struct carryless_hqc_encapsulation_key *key,
                                                const uint8_t *randomness,
                                                size_t randomness_len,
                                                uint8_t *ciphertext,
                                                size_t ciphertext_len,
                                                uint8_t *shared_secret,
                                                size_t shared_secret_len);

// carryless_hqc_decapsulate with a key that is ready.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `key` came from this library.
carryless_status carryless_hqc_decapsulate_with(const struct carryless_hqc_decapsulation_key *key,
                                                const uint8_t *ciphertext,
                                                size_t ciphertext_len,
                                                uint8_t *shared_secret,
                                                size_t shared_secret_len);

// The plan for operands of these sizes, in words: in `memory`, as carryless_layout asks for, or on the heap if `memory` is null and `memory_len` 0. Ends
// with carryless_free.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_poly_plan_new(size_t a_words,
                                         size_t b_words,
                                         void *memory,
                                         size_t memory_len,
                                         struct carryless_poly_plan **plan);

// The words of scratch that products and preparations take, and those of a prepared operand. Products modulo X^n - 1 take the words of a product more.
//
// # Safety
// Pointers are null, or can be written; `plan` came from this library.
carryless_status carryless_poly_plan_words(const struct carryless_poly_plan *plan,
                                           size_t *scratch_words,
                                           size_t *prepared_words);

// `out = a b`: as many words as the plan has for each operand, `out` as many as both together.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `plan` came from this library.
carryless_status carryless_poly_mul(const struct carryless_poly_plan *plan,
                                    const uint64_t *a,
                                    size_t a_words,
                                    const uint64_t *b,
                                    size_t b_words,
                                    uint64_t *out,
                                    size_t out_words,
                                    uint64_t *scratch,
                                    size_t scratch_words);

// Prepares a second operand that comes again, for plans of the same sizes in the same version of the library. It is as secret as the operand.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `plan` came from this library.
carryless_status carryless_poly_prepare(const struct carryless_poly_plan *plan,
                                        const uint64_t *b,
                                        size_t b_words,
                                        uint64_t *prepared,
                                        size_t prepared_words,
                                        uint64_t *scratch,
                                        size_t scratch_words);

// `out = a b` for an operand b that carryless_poly_prepare prepared.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `plan` came from this library.
carryless_status carryless_poly_mul_prepared(const struct carryless_poly_plan *plan,
                                             const uint64_t *a,
                                             size_t a_words,
                                             const uint64_t *prepared,
                                             size_t prepared_words,
                                             uint64_t *out,
                                             size_t out_words,
                                             uint64_t *scratch,
                                             size_t scratch_words);

// `out = a b mod X^n - 1`, for a plan, operands and `out` of ceil(n / 64) words. Scratch is that of carryless_poly_plan_words and the words of a product.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `plan` came from this library.
carryless_status carryless_poly_mul_mod_xn_1(const struct carryless_poly_plan *plan,
                                             size_t n,
                                             const uint64_t *a,
                                             size_t a_words,
                                             const uint64_t *b,
                                             size_t b_words,
                                             uint64_t *out,
                                             size_t out_words,
                                             uint64_t *scratch,
                                             size_t scratch_words);

// `out = a b mod X^n - 1` for an operand b that carryless_poly_prepare prepared.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `plan` came from this library.
carryless_status carryless_poly_mul_mod_xn_1_prepared(const struct carryless_poly_plan *plan,
                                                      size_t n,
                                                      const uint64_t *a,
                                                      size_t a_words,
                                                      const uint64_t *prepared,
                                                      size_t prepared_words,
                                                      uint64_t *out,
                                                      size_t out_words,
                                                      uint64_t *scratch,
                                                      size_t scratch_words);

// The tag of a message under a one-time key of 32 bytes (RFC 8439), in 16 bytes. A key serves one message.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_poly1305_mac(const uint8_t *key,
                                        size_t key_len,
                                        const uint8_t *message,
                                        size_t message_len,
                                        uint8_t *tag,
                                        size_t tag_len);

// CARRYLESS_STATUS_OK if the tag belongs to the message under the key, and CARRYLESS_STATUS_MISMATCH if not; compares in constant time.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_poly1305_verify(const uint8_t *key,
                                           size_t key_len,
                                           const uint8_t *message,
                                           size_t message_len,
                                           const uint8_t *tag,
                                           size_t tag_len);

// The tags of `count` messages, each under its own one-time key: faster than one by one for short messages. `keys` are 32 bytes for each message and
// `tags` 16, one after the other; message i has `message_lens[i]` bytes.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `messages` and `message_lens` to `count` of them.
carryless_status carryless_poly1305_batch(const uint8_t *keys,
                                          size_t keys_len,
                                          const uint8_t *const *messages,
                                          const size_t *message_lens,
                                          size_t count,
                                          uint8_t *tags,
                                          size_t tags_len);

// A message that comes in pieces, under a one-time key of 32 bytes: in `memory`, as carryless_layout asks for, or on the heap if `memory` is null
// and `memory_len` 0. Ends with carryless_free.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_poly1305_new(const uint8_t *key,
                                        size_t key_len,
                                        void *memory,
                                        size_t memory_len,
                                        struct carryless_poly1305 **state);

// Appends `message` to the bytes so far. The tag does not depend on how a message is cut into pieces.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `state` came from this library, and no other thread uses it.
carryless_status carryless_poly1305_update(struct carryless_poly1305 *state,
                                           const uint8_t *message,
                                           size_t message_len);

// The tag of all bytes, in 16 bytes. The state is finished then, because a key serves one message: it may only be freed.
//
// # Safety
// `tag` is null or leads to `tag_len` bytes; `state` came from this library, and no other thread uses it.
carryless_status carryless_poly1305_finish(struct carryless_poly1305 *state,
                                           uint8_t *tag,
                                           size_t tag_len);

// Compares the tag of all bytes in constant time, as carryless_poly1305_verify does. The state is finished then.
//
// # Safety
// `tag` is null or leads to `tag_len` bytes; `state` came from this library, and no other thread uses it.
carryless_status carryless_poly1305_finish_verify(struct carryless_poly1305 *state, const uint8_t *tag, size_t tag_len);

// Fills `bytes` with random bytes of the system's source, fit for keys, nonces and seeds. CARRYLESS_STATUS_RANDOM if it gives none; bytes may be written then.
//
// # Safety
// `bytes` is null or leads to `bytes_len` bytes.
carryless_status carryless_random_generate(uint8_t *bytes,
                                           size_t bytes_len);

// Makes a key of 16 bytes ready, for one of CARRYLESS_UNIVERSAL_POLYHASH* with `streams` 0, or CARRYLESS_UNIVERSAL_DECBRWHASH* with 1, 2, 3, 4, 8 or 16
// streams, each of which is another hash. CARRYLESS_STATUS_VALUE if the key does not fit the hash. It is made in `memory`, as carryless_layout asks for, or on
// the heap if `memory` is null and `memory_len` 0. Ends with carryless_free.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_universal_new(uint32_t algorithm,
                                         uint32_t streams,
                                         const uint8_t *key,
                                         size_t key_len,
                                         void *memory,
                                         size_t memory_len,
                                         struct carryless_universal **hash);

// The digest of a message, in 16 bytes, as secret as the key.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `hash` came from this library.
carryless_status carryless_universal_digest(const struct carryless_universal *hash,
                                            const uint8_t *message,
                                            size_t message_len,
                                            uint8_t *digest,
                                            size_t digest_len);

// A message that comes in pieces; arguments as of carryless_universal_new.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_universal_stream_new(uint32_t algorithm,
                                                uint32_t streams,
                                                const uint8_t *key,
                                                size_t key_len,
                                                void *memory,
                                                size_t memory_len,
                                                struct carryless_universal_stream **stream);

// Appends `message` to the bytes so far. The digest does not depend on how a message is cut into pieces.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `stream` came from this library, and no other thread uses it.
carryless_status carryless_universal_stream_update(struct carryless_universal_stream *stream,
                                                   const uint8_t *message,
                                                   size_t message_len);

// The digest of all bytes so far, in 16 bytes, as secret as the key. More may follow.
//
// # Safety
// `digest` is null or leads to `digest_len` bytes; `stream` came from this library, and no other thread changes it.
carryless_status carryless_universal_stream_digest(const struct carryless_universal_stream *stream,
                                                   uint8_t *digest,
                                                   size_t digest_len);

// Back to the start, for another message under the same key.
//
// # Safety
// `stream` is null or came from this library, and no other thread uses it.
carryless_status carryless_universal_stream_reset(struct carryless_universal_stream *stream);

// Makes a key of 32 bytes ready: in `memory`, as carryless_layout asks for, or on the heap if `memory` is null and `memory_len` 0. Ends with
// carryless_free.
//
// # Safety
// Pointers are null, or lead to what their lengths say.
carryless_status carryless_wegman_carter_new(const uint8_t *key,
                                             size_t key_len,
                                             void *memory,
                                             size_t memory_len,
                                             struct carryless_wegman_carter **mac);

// The tag of a message under a nonce of 16 bytes, in 16 bytes.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `mac` came from this library.
carryless_status carryless_wegman_carter_tag(const struct carryless_wegman_carter *mac,
                                             const uint8_t *nonce,
                                             size_t nonce_len,
                                             const uint8_t *message,
                                             size_t message_len,
                                             uint8_t *tag,
                                             size_t tag_len);

// Compares the tag of a message in constant time: CARRYLESS_STATUS_OK or CARRYLESS_STATUS_MISMATCH.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `mac` came from this library.
carryless_status carryless_wegman_carter_verify(const struct carryless_wegman_carter *mac,
                                                const uint8_t *nonce,
                                                size_t nonce_len,
                                                const uint8_t *message,
                                                size_t message_len,
                                                const uint8_t *tag,
                                                size_t tag_len);

// A message that comes in pieces, under the nonce of the whole message. It has copies of the keys, so that `mac` may be freed before it.
//
// # Safety
// As of carryless_wegman_carter_new; `mac` came from this library.
carryless_status carryless_wegman_carter_stream_new(const struct carryless_wegman_carter *mac,
                                                    const uint8_t *nonce,
                                                    size_t nonce_len,
                                                    void *memory,
                                                    size_t memory_len,
                                                    struct carryless_wegman_carter_stream **stream);

// Appends `message` to the bytes so far. The tag does not depend on how a message is cut into pieces.
//
// # Safety
// Pointers are null, or lead to what their lengths say; `stream` came from this library, and no other thread uses it.
carryless_status carryless_wegman_carter_stream_update(struct carryless_wegman_carter_stream *stream,
                                                       const uint8_t *message,
                                                       size_t message_len);

// The tag of all bytes, in 16 bytes. The stream is finished then, because a nonce serves one message: it may only be freed.
//
// # Safety
// `tag` is null or leads to `tag_len` bytes; `stream` came from this library, and no other thread uses it.
carryless_status carryless_wegman_carter_stream_finish(struct carryless_wegman_carter_stream *stream,
                                                       uint8_t *tag,
                                                       size_t tag_len);

// Compares the tag of all bytes in constant time, as carryless_wegman_carter_verify does. The stream is finished then.
//
// # Safety
// `tag` is null or leads to `tag_len` bytes; `stream` came from this library, and no other thread uses it.
carryless_status carryless_wegman_carter_stream_finish_verify(struct carryless_wegman_carter_stream *stream,
                                                              const uint8_t *tag,
                                                              size_t tag_len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CARRYLESS_H */
