import { PIECE, SHORT, bytes, kindOf, text } from "./arguments.js";
import { Handle, inner, wrap } from "./handle.js";
import { module } from "./modules/mac.js";

const keyBytes = (key) => bytes(key, "key", SHORT);
const tagBytes = (tag) => bytes(tag, "tag", SHORT);

/** What `end` gives after a long message. It passes in pieces: as a whole it would take memory of the module, which cannot shrink. */
function inPieces(state, message, end) {
  try {
    feed(state, message);
    return end(state);
  } finally {
    state.free();
  }
}

function feed(state, message) {
  if (message.length <= PIECE) return state.update(message);
  for (let at = 0; at < message.length; at += PIECE) state.update(message.subarray(at, at + PIECE));
}

export function poly1305(key, message) {
  key = keyBytes(key);
  message = bytes(message, "message");
  if (message.length <= PIECE) return module.poly1305(key, message);
  return inPieces(new module.Poly1305(key), message, (state) => state.digest());
}

export function poly1305Verify(key, message, tag) {
  key = keyBytes(key);
  message = bytes(message, "message");
  tag = tagBytes(tag);
  if (message.length <= PIECE) return module.poly1305Verify(key, message, tag);
  return inPieces(new module.Poly1305(key), message, (state) => state.verify(tag));
}

export class Poly1305 extends Handle {
  // Minifiers rename classes; errors keep this.
  static name = "Poly1305";

  constructor(key) {
    super(new module.Poly1305(keyBytes(key)));
  }

  update(piece) {
    feed(inner(this, Poly1305), bytes(piece, "piece"));
  }

  digest() {
    return inner(this, Poly1305).digest();
  }

  verify(tag) {
    return inner(this, Poly1305).verify(tagBytes(tag));
  }
}

export class FileMac extends Handle {
  static name = "FileMac";

  constructor(key, algorithm) {
    super(new module.FileMac(keyBytes(key), algorithm === undefined ? undefined : text(algorithm, "algorithm")));
  }

  tag(contents) {
    const mac = inner(this, FileMac);
    contents = bytes(contents, "contents");
    if (contents.length <= PIECE) return mac.tag(contents);
    return inPieces(mac.stream(), contents, (state) => state.tag());
  }

  verify(contents, tag) {
    const mac = inner(this, FileMac);
    contents = bytes(contents, "contents");
    tag = tagBytes(tag);
    if (contents.length <= PIECE) return mac.verify(contents, tag);
    return inPieces(mac.stream(), contents, (state) => state.verify(tag));
  }

  stream() {
    return wrap(inner(this, FileMac).stream(), FileMacStream);
  }
}

export class FileMacStream extends Handle {
  static name = "FileMacStream";

  constructor() {
    throw new TypeError("a FileMacStream comes from stream() of a FileMac");
  }

  update(piece) {
    feed(inner(this, FileMacStream), bytes(piece, "piece"));
  }

  tag() {
    return inner(this, FileMacStream).tag();
  }

  verify(tag) {
    return inner(this, FileMacStream).verify(tagBytes(tag));
  }
}

export async function tagBlob(mac, blob, onProgress) {
  return ofBlob(mac, blob, onProgress, (state) => state.tag());
}

export async function verifyBlob(mac, blob, tag, onProgress) {
  // A copy: the caller may write to the array in the meantime.
  const expected = Uint8Array.from(tagBytes(tag));
  return ofBlob(mac, blob, onProgress, (state) => state.verify(expected));
}

/** What `end` gives after a blob, of which one chunk at a time is in memory. */
async function ofBlob(mac, blob, onProgress, end) {
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw new TypeError(`onProgress must be a function, not ${kindOf(onProgress)}`);
  }
  const state = inner(mac, FileMac, "mac").stream();
  try {
    const { size, reader } = open(blob);
    let done = 0;
    for await (const chunk of chunks(reader)) {
      feed(state, bytes(chunk, "a chunk of blob"));
      done += chunk.length;
      onProgress?.(done, size);
    }
    return end(state);
  } finally {
    state.free();
  }
}

// The methods of Blob itself check what they are called on, which may be of another realm.
function open(blob) {
  try {
    const { size, stream } = Object.getOwnPropertyDescriptors(Blob.prototype);
    return { size: size.get.call(blob), reader: stream.value.call(blob).getReader() };
  } catch {
    throw new TypeError(`blob must be a Blob or a File, not ${kindOf(blob)}`);
  }
}

async function* chunks(reader) {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Ends the reading of the rest after an error of onProgress. The blob's own error has been thrown by read().
    reader.cancel().catch(() => {});
  }
}
