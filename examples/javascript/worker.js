import { FileMac, tagBlob, verifyBlob } from "carryless";

function bytes(hex) {
  // Otherwise `parseInt` would make zeros of other characters, and a last odd digit would be lost.
  if (!/^([0-9a-f]{2})*$/i.test(hex)) throw new TypeError("key and tag are pairs of hex digits");
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

async function resultOf({ key, tag, file }, onProgress) {
  const mac = new FileMac(bytes(key));
  try {
    if (tag === "") return hex(await tagBlob(mac, file, onProgress));
    return (await verifyBlob(mac, file, bytes(tag), onProgress)) ? "verified" : "another file, tag or key";
  } finally {
    mac.free();
  }
}

onmessage = async ({ data }) => {
  const result = await resultOf(data, (done, size) => postMessage({ done, size })).catch((error) => error.message);
  postMessage({ result });
};
postMessage({ ready: true });
