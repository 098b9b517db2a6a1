// The entries with init(), and those with the module inlined.
import initMac, { FileMac, type Source } from "carryless/init";
import initAead, { ChaCha20Poly1305 } from "carryless/aead/init";
import initGf2x, { GF2X } from "carryless/gf2x/init";
import initHqc, { generateKeyPair } from "carryless/hqc/init";
import * as mac from "carryless/inline";
import * as aead from "carryless/aead/inline";
import * as gf2x from "carryless/gf2x/inline";
import * as hqc from "carryless/hqc/inline";

const bytes = new Uint8Array(8);
const sources: Source[] = [bytes, bytes.buffer, "mac.wasm", new URL("https://localhost/mac.wasm"), new WebAssembly.Module(bytes)];
const started: Promise<void>[] = [initMac, initAead, initGf2x, initHqc].map((init) => WebAssembly.compile(bytes).then(init));
// @ts-expect-error: a promise of bytes.
initMac(Promise.resolve(bytes));
// @ts-expect-error: a number.
initMac(5);
// @ts-expect-error: no source.
initMac();

// The same classes.
const same: mac.FileMac = new FileMac(bytes);
const cipher: aead.ChaCha20Poly1305 = new ChaCha20Poly1305(bytes);
const one: gf2x.GF2X = new GF2X("0x1");
const pair: hqc.KeyPair = generateKeyPair("hqc-1");

export { cipher, one, pair, same, sources, started };
