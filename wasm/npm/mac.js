import init from "./pkg/mac/carryless_wasm_mac.js";
import { load } from "./load.js";

await load(init, new URL("./pkg/mac/carryless_wasm_mac_bg.wasm", import.meta.url));

export { FileMac, FileMacStream, Poly1305, poly1305, poly1305Verify } from "./pkg/mac/carryless_wasm_mac.js";

// A stream of chunks, so that a file of any size takes little memory.
export async function tagBlob(mac, blob, onProgress) {
  const stream = mac.stream();
  try {
    let done = 0;
    for await (const chunk of chunks(blob)) {
      stream.update(chunk);
      done += chunk.length;
      onProgress?.(done, blob.size);
    }
    return stream.tag();
  } finally {
    stream.free();
  }
}

async function* chunks(blob) {
  const reader = blob.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}
