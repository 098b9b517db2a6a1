// In Node: `node --test test/`.
import { test } from "node:test";
import { createCipheriv, createHash, createPrivateKey, createPublicKey, diffieHellman } from "node:crypto";
import { readFile } from "node:fs/promises";
import { runInNewContext } from "node:vm";
import { FileMac, poly1305, poly1305Verify, tagBlob } from "carryless";
import { GF2X } from "carryless/gf2x";
import { DecapsulationKey, decapsulate, encapsulate, generateKeyPair } from "carryless/hqc";
import { TESTS as ARGUMENTS, rows } from "./arguments.js";
import { equal, refuses } from "./check.js";
import { TESTS as VECTORS, hex } from "./vectors.js";

const read = async (name) => JSON.parse(await readFile(new URL(`../../../vectors/${name}`, import.meta.url), "utf8"));
const realm = (code) => runInNewContext(code);

for (const [name, run] of Object.entries({ ...VECTORS, ...ARGUMENTS })) test(name, () => run(read, realm));

// The tag of a message is that of ChaCha20-Poly1305 whose associated data it is, under the key that the cipher makes.
test("long messages, against OpenSSL", () => {
  const [secret, nonce] = [new Uint8Array(32).fill(7), new Uint8Array(12).fill(9)];
  const key = createCipheriv("chacha20", secret, Buffer.concat([Buffer.alloc(4), nonce])).update(Buffer.alloc(32));
  for (const length of [0, 1 << 20, (1 << 20) + 1, 5 << 20, (3 << 20) - 7]) {
    const data = Buffer.from(Uint8Array.from({ length }, (_, i) => i * 131 + (i >> 8) * 17));
    const cipher = createCipheriv("chacha20-poly1305", secret, nonce, { authTagLength: 16 });
    cipher.setAAD(data);
    cipher.final();
    const message = Buffer.alloc(Math.ceil(length / 16) * 16 + 16);
    data.copy(message);
    message.writeBigUInt64LE(BigInt(length), message.length - 16);
    equal(hex(poly1305(key, message)), cipher.getAuthTag().toString("hex"), `Poly1305 of ${message.length} bytes`);
    equal(poly1305Verify(key, new DataView(message.buffer, message.byteOffset, message.length), cipher.getAuthTag()), true, "the right tag");
    message[length >> 1] ^= 1;
    equal(poly1305Verify(key, message, cipher.getAuthTag()), false, "another message");
  }
});

// Poly1305 of zeros is a sum of powers of r: 2^128 for each block, and 2^(8 left) for `left` bytes at the end.
function tagOfZeros(key, length) {
  const number = (bytes) => bytes.reduceRight((all, byte) => (all << 8n) | BigInt(byte), 0n);
  const [p, r, s] = [(1n << 130n) - 5n, number(key.subarray(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn, number(key.subarray(16))];
  const power = (base, exponent) => {
    let result = 1n;
    for (; exponent > 0n; exponent >>= 1n, base = (base * base) % p) if (exponent & 1n) result = (result * base) % p;
    return result;
  };
  const [blocks, left] = [BigInt(length) / 16n, BigInt(length) % 16n];
  const sum = (power(r, blocks) - 1n) * power(r - 1n, p - 2n) * r;
  const hash = left === 0n ? (sum << 128n) % p : ((((sum * r) << 128n) + (r << (8n * left))) % p);
  let tag = (((hash + p) % p) + s) & ((1n << 128n) - 1n);
  return Uint8Array.from({ length: 16 }, () => [Number(tag & 255n), (tag >>= 8n)][0]);
}

// Their memory is never written, so that the system gives it none.
test("messages of 4 GiB", async () => {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i * 37 + 5);
  equal(hex(poly1305(key, new Uint8Array(33))), hex(tagOfZeros(key, 33)), "33 zeros");
  const huge = new ArrayBuffer(2 ** 32 + 5);
  equal(hex(poly1305(key, new DataView(huge, 5))), hex(tagOfZeros(key, 2 ** 32)), "2^32 zeros");
  // Node 20 has no longer arrays.
  if (process.version.startsWith("v20.")) await refuses(() => poly1305(key, huge), RangeError, "message", "2^32 + 5 zeros");
  else equal(hex(poly1305(key, huge)), hex(tagOfZeros(key, 2 ** 32 + 5)), "2^32 + 5 zeros");
  await refuses(() => GF2X.fromBytes(huge), RangeError, "bytes", "a polynomial");
  const unbounded = ["poly1305 message", "poly1305Verify message", "Poly1305#update piece", "FileMac#tag contents", "FileMac#verify contents", "FileMacStream#update piece"];
  for (const { name, kinds, right, call } of await rows(read)) {
    for (const [at, [argument, kind]] of kinds.entries()) {
      if (kind !== "bytes" || unbounded.includes(`${name} ${argument}`)) continue;
      const all = right.map((own, i) => (i === at ? new DataView(huge) : own));
      await refuses(() => call(...all), RangeError, argument, `${argument} of ${name}`);
    }
  }
});

// X25519, SHAKE256 and SHA3-256 are OpenSSL's: the secret is the hash that crates/hqc/src/hybrid.rs describes.
test("the hybrid, put together of its parts", () => {
  const set = "hqc-1-x25519-draft";
  const { encapsulationKey, decapsulationKey } = generateKeyPair(set);
  const { ciphertext, sharedSecret } = encapsulate(set, encapsulationKey);
  const expanded = createHash("shake256", { outputLength: 64 }).update(decapsulationKey).digest();
  const hqc = DecapsulationKey.fromDer(Buffer.concat([Buffer.from("3034020100300b060960864801650304040404228020", "hex"), expanded.subarray(0, 32)]));
  const der = Buffer.concat([Buffer.from("302e020100300506032b656e04220420", "hex"), expanded.subarray(32)]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const [point, sent] = [encapsulationKey.subarray(2241), ciphertext.subarray(4433)];
  const publicKey = createPublicKey({ key: Buffer.concat([Buffer.from("302a300506032b656e032100", "hex"), sent]), format: "der", type: "spki" });
  const parts = [hqc.decapsulate(ciphertext.subarray(0, 4433)), diffieHellman({ privateKey, publicKey }), sent, point, "carryless-draft-HQC-1-X25519"];
  const secret = parts.reduce((hash, part) => hash.update(part), createHash("sha3-256")).digest("hex");
  equal(hex(sharedSecret), secret, "the sender's secret");
  equal(hex(decapsulate(set, decapsulationKey, ciphertext)), secret, "the receiver's secret");
  const own = createPublicKey(privateKey).export({ format: "der", type: "spki" }).subarray(12);
  equal(hex(encapsulationKey), hex(hqc.encapsulationKey.toBytes()) + hex(own), "the encapsulation key");
});

test("the file MAC in pieces is that of the whole", async () => {
  const [mac, contents] = [new FileMac(new Uint8Array(32).fill(1)), new Uint8Array((3 << 20) + 5).fill(3)];
  const stream = mac.stream();
  for (let at = 0; at < contents.length; at += 4099) stream.update(contents.subarray(at, at + 4099));
  equal(hex(mac.tag(contents.buffer)), hex(stream.tag()), "contents of 3 MiB");
  equal(mac.verify(contents, stream.tag()), true, "the right tag");
  const ofBlob = await tagBlob(mac, new Blob([contents.buffer]));
  equal(hex(ofBlob), hex(stream.tag()), "a blob of 3 MiB");
  const stop = () => {
    throw new Error("stopped by onProgress");
  };
  await refuses(() => tagBlob(mac, new Blob([contents]), stop), Error, "stopped", "an error of onProgress");
});
