/// <reference lib="esnext.disposable" />
import type { Bytes, OwnBytes } from "./arguments.js";

export type { Bytes, OwnBytes };

/**
 * The tag of a message, 16 bytes: Poly1305 of RFC 8439. A key serves one message.
 *
 * Throws an `Error` if the key has not 32 bytes.
 */
export function poly1305(key: Bytes, message: Bytes): OwnBytes;

/**
 * Whether `tag` is the message's, compared in constant time; one of another length is not.
 *
 * Throws an `Error` if the key has not 32 bytes.
 */
export function poly1305Verify(key: Bytes, message: Bytes, tag: Bytes): boolean;

/** Poly1305 of a message in pieces. */
export class Poly1305 {
  /** Begins a message. Throws an `Error` if the key has not 32 bytes. */
  constructor(key: Bytes);
  /** Takes the next piece, of any length. */
  update(piece: Bytes): void;
  /** The tag of what came so far, 16 bytes; more may follow. */
  digest(): OwnBytes;
  /** Whether `tag` is that of what came so far, compared in constant time. */
  verify(tag: Bytes): boolean;
  /** Wipes the key and returns the memory. Afterwards every other method throws an `Error`. */
  free(): void;
  [Symbol.dispose](): void;
}

/** The MAC of the command `carryless tag`: one key for any number of files, without a nonce. Equal files have equal tags. */
export class FileMac {
  /**
   * The MAC under a key of 32 bytes. `algorithm` is `4-decbrwhash1305-hchacha20`, the default, or `polyhash1305-hchacha20`.
   *
   * Throws an `Error` if the key has not 32 bytes, or there is no such algorithm.
   */
  constructor(key: Bytes, algorithm?: string);
  /** The tag of a file's contents, 16 bytes. */
  tag(contents: Bytes): OwnBytes;
  /** Whether `tag` is that of the contents, compared in constant time; one of another length is not. */
  verify(contents: Bytes, tag: Bytes): boolean;
  /** Begins a file that comes in pieces. The stream copies the keys, so that this MAC may be freed before it. */
  stream(): FileMacStream;
  /** Wipes the key and returns the memory. Streams keep theirs. Afterwards every other method throws an `Error`. */
  free(): void;
  [Symbol.dispose](): void;
}

/** The file MAC of contents in pieces. It keeps the key, and a state of fixed size. */
export class FileMacStream {
  private constructor();
  /** Takes the next piece, of any length. */
  update(piece: Bytes): void;
  /** The tag of what came so far, 16 bytes; more may follow. */
  tag(): OwnBytes;
  /** Whether `tag` is that of what came so far, compared in constant time. */
  verify(tag: Bytes): boolean;
  /** Wipes the key and returns the memory. Afterwards every other method throws an `Error`. */
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * The file MAC of a `Blob` or `File`, 16 bytes, read as a stream: memory does not grow with its size.
 * `onProgress` is called with the bytes done and the size after each chunk.
 *
 * Rejects with a `TypeError` if an argument has another type, or with the reason if the blob cannot be read.
 */
export function tagBlob(
  mac: FileMac,
  blob: Blob,
  onProgress?: (done: number, size: number) => void,
): Promise<OwnBytes>;

/**
 * Whether `tag` is that of a `Blob` or `File`, compared in constant time; one of another length is not. Reads as `tagBlob` does.
 *
 * Rejects with a `TypeError` if an argument has another type, or with the reason if the blob cannot be read.
 */
export function verifyBlob(
  mac: FileMac,
  blob: Blob,
  tag: Bytes,
  onProgress?: (done: number, size: number) => void,
): Promise<boolean>;
