// Everything that the package exports, with its types.
import { FileMac, FileMacStream, Poly1305, poly1305, poly1305Verify, tagBlob } from "../mac.js";
import { GF2X } from "../gf2x.js";
import { decapsulate, encapsulate, Encapsulated, generateKeyPair, KeyPair } from "../hqc.js";

const key: Uint8Array = new Uint8Array(32);
const tag: Uint8Array = poly1305(key, key);
const right: boolean = poly1305Verify(key, key, tag);
const one: Poly1305 = new Poly1305(key);
one.update(key);
const mac: FileMac = new FileMac(key, "polyhash1305-hchacha20");
const stream: FileMacStream = mac.stream();
const ofBlob: Promise<Uint8Array> = tagBlob(mac, new Blob([]), (done: number, size: number) => void [done, size]);

const f: GF2X = new GF2X("X^2 + X + 1");
const degree: number = f.degree;
const power: GF2X = f.powMod(3n, f);
const exponents: Uint32Array = f.exponents();

const pair: KeyPair = generateKeyPair("hqc-1");
const sent: Encapsulated = encapsulate("hqc-1", pair.encapsulationKey);
const secret: Uint8Array = decapsulate("hqc-1", pair.decapsulationKey, sent.ciphertext);

// @ts-expect-error: a key is bytes.
poly1305("key", key);
// @ts-expect-error: exponents are big integers.
f.powMod(3, f);

export { degree, exponents, ofBlob, power, right, secret, stream };
