/// <reference lib="esnext.disposable" />
import type { Bytes, OwnBytes } from "./arguments.js";

export type { Bytes, OwnBytes };

/** A key pair, as bytes. `structuredClone` and `postMessage` copy it; `JSON.stringify` throws a `TypeError`. */
export interface KeyPair {
  /** Public: for whoever sends a secret. */
  readonly encapsulationKey: OwnBytes;
  /** Secret. */
  readonly decapsulationKey: OwnBytes;
}

/** A shared secret, and the ciphertext that gives it to the holder of the key. `JSON.stringify` throws a `TypeError`. */
export interface Encapsulated {
  /** To be sent. */
  readonly ciphertext: OwnBytes;
  /** Secret, 32 bytes, or 64 in profile 2023. */
  readonly sharedSecret: OwnBytes;
}

/**
 * A key pair of the set `hqc-1`, `hqc-3` or `hqc-5`, or of `hqc-1-v5`, `hqc-3-v5` or `hqc-5-v5` in profile `v5`, from the random numbers
 * of the platform. Builds with feature `hqc-2023` also have `hqc-128`, `hqc-192` and `hqc-256`.
 *
 * `hqc-1-x25519-draft` is a hybrid, for tests: its secret is safe as long as HQC-1 or X25519 is. The encapsulation key has 2,273 bytes,
 * the decapsulation key 32, the ciphertext 4,465. No standard names it, so its bytes will change; the classes have not this set.
 *
 * Throws an `Error` if there is no such set, or no source of random numbers.
 */
export function generateKeyPair(set: string): KeyPair;

/**
 * A new shared secret for the holder of a key.
 *
 * Throws an `Error` if there is no such set, or the key is not one of this set.
 */
export function encapsulate(set: string, encapsulationKey: Bytes): Encapsulated;

/**
 * The shared secret of a ciphertext. A ciphertext that was changed gives another secret, and no error.
 *
 * Throws an `Error` if there is no such set, the key is not one of this set, or the ciphertext has another length.
 */
export function decapsulate(set: string, decapsulationKey: Bytes, ciphertext: Bytes): OwnBytes;

/** The form of a private key in PKCS #8: the seed, which is the shortest, the key in full length, or both. */
export type Form = "seed" | "expanded" | "both";

/**
 * An encapsulation key that is ready for many messages. It takes 29 to 95 KB, until `free()`.
 *
 * Its methods throw an `Error` after that.
 */
export class EncapsulationKey {
  /** Throws an `Error` if there is no such set, or the key is not one of this set. */
  constructor(set: string, key: Bytes);
  /** From PEM with the label `PUBLIC KEY`, which names the set. Throws an `Error` if it has no key. */
  static fromPem(pem: string): EncapsulationKey;
  /** From a SubjectPublicKeyInfo, which names the set. Throws an `Error` if it has no key. */
  static fromDer(der: Bytes): EncapsulationKey;
  /** The name of the set. */
  readonly set: string;
  /** The bytes of the key. */
  toBytes(): OwnBytes;
  /** PEM with the label `PUBLIC KEY`. Throws an `Error` in profiles `v5` and `2023`, which have no object identifiers. */
  toPem(): string;
  /** A SubjectPublicKeyInfo. Throws an `Error` in profiles `v5` and `2023`. */
  toDer(): OwnBytes;
  /** A new shared secret for the holder of the key. */
  encapsulate(): Encapsulated;
  /** Returns the memory. A second call does nothing. */
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * A decapsulation key, secret, that is ready for many ciphertexts. It takes 42 to 139 KB, which `free()` wipes.
 *
 * Its methods throw an `Error` after that.
 */
export class DecapsulationKey {
  /** Throws an `Error` if there is no such set, or the key is not one of this set. */
  constructor(set: string, key: Bytes);
  /** From PEM with the label `PRIVATE KEY`, which names the set, in any form. Throws an `Error` if it has no key. */
  static fromPem(pem: string): DecapsulationKey;
  /** From a PKCS #8 PrivateKeyInfo, which names the set, in any form. Throws an `Error` if it has no key. */
  static fromDer(der: Bytes): DecapsulationKey;
  /** The name of the set. */
  readonly set: string;
  /** A new object with the public key, to be freed by itself. */
  readonly encapsulationKey: EncapsulationKey;
  /** The bytes of the key. Secret. */
  toBytes(): OwnBytes;
  /** PEM with the label `PRIVATE KEY`, by default of the seed. Throws an `Error` in profiles `v5` and `2023`, which have no object identifiers. */
  toPem(form?: Form): string;
  /** A PKCS #8 PrivateKeyInfo, by default of the seed. Throws an `Error` in profiles `v5` and `2023`. */
  toDer(form?: Form): OwnBytes;
  /** The shared secret of a ciphertext. Throws an `Error` if its length is wrong. */
  decapsulate(ciphertext: Bytes): OwnBytes;
  /** Wipes the key. A second call does nothing. */
  free(): void;
  [Symbol.dispose](): void;
}
