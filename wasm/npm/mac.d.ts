import { FileMac } from "./pkg/mac/carryless_wasm_mac.js";

export { FileMac, FileMacStream, Poly1305, poly1305, poly1305Verify } from "./pkg/mac/carryless_wasm_mac.js";

/**
 * The file MAC of a `Blob` or `File`, 16 bytes, read as a stream: memory does not grow with its size.
 * `onProgress` is called with the bytes done and the size after each chunk. Rejects if the blob cannot be read.
 */
export function tagBlob(
  mac: FileMac,
  blob: Blob,
  onProgress?: (done: number, size: number) => void,
): Promise<Uint8Array>;
