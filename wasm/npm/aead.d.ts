/// <reference lib="esnext.disposable" />
import type { Bytes, OwnBytes } from "./arguments.js";

export type { Bytes, OwnBytes };

/**
 * ChaCha20-Poly1305 of RFC 8439 under a key of 32 bytes. **A nonce serves one message under a key.** Those of 12 bytes should be
 * counters: random ones repeat too soon.
 */
export class ChaCha20Poly1305 {
  /** Throws an `Error` if the key has not 32 bytes. */
  constructor(key: Bytes);
  /**
   * The ciphertext of a message, and its tag of 16 bytes. `data` is authenticated and not encrypted.
   *
   * Throws an `Error` if the nonce has another length, a `RangeError` if there are more than 2^28 bytes.
   */
  seal(nonce: Bytes, message: Bytes, data?: Bytes): OwnBytes;
  /**
   * The message of what `seal` gave.
   *
   * Throws an `Error` if that is not authentic, or the nonce has another length.
   */
  open(nonce: Bytes, sealed: Bytes, data?: Bytes): OwnBytes;
  /** Wipes the key and returns the memory. Afterwards every other method throws an `Error`. */
  free(): void;
  [Symbol.dispose](): void;
}

/** XChaCha20-Poly1305 of draft-irtf-cfrg-xchacha-03. Nonces of 24 bytes may be random. */
export class XChaCha20Poly1305 {
  /** Throws an `Error` if the key has not 32 bytes. */
  constructor(key: Bytes);
  /** As of `ChaCha20Poly1305`. */
  seal(nonce: Bytes, message: Bytes, data?: Bytes): OwnBytes;
  /** As of `ChaCha20Poly1305`. */
  open(nonce: Bytes, sealed: Bytes, data?: Bytes): OwnBytes;
  /** Wipes the key and returns the memory. Afterwards every other method throws an `Error`. */
  free(): void;
  [Symbol.dispose](): void;
}
