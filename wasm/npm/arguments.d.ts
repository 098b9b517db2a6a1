/**
 * What a function takes for bytes: exactly those that the array or view has, of any realm, `Buffer` included. Anything else is a
 * `TypeError` that names the argument, and so is one whose memory was detached.
 */
export type Bytes = Uint8Array | ArrayBuffer | DataView;

/** Bytes that a function returns, in memory of their own: `Uint8Array<ArrayBuffer>` since TypeScript 5.7. */
export type OwnBytes = ReturnType<typeof Uint8Array.of>;
