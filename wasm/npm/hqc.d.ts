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
  /** Secret, 32 bytes. */
  readonly sharedSecret: OwnBytes;
}

/**
 * A key pair of the set `hqc-1`, `hqc-3` or `hqc-5`, from the random numbers of the platform.
 *
 * Throws an `Error` if there is no such set, or no source of random numbers.
 */
export function generateKeyPair(set: string): KeyPair;

/**
 * A new shared secret for the holder of a key.
 *
 * Throws an `Error` if there is no such set, or the key is none of it.
 */
export function encapsulate(set: string, encapsulationKey: Bytes): Encapsulated;

/**
 * The shared secret of a ciphertext, 32 bytes. A ciphertext that was changed gives another secret, and no error.
 *
 * Throws an `Error` if there is no such set, the key is none of it, or the ciphertext has another length.
 */
export function decapsulate(set: string, decapsulationKey: Bytes, ciphertext: Bytes): OwnBytes;
