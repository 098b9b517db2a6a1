// Everything that the package exports, with its types. The chore copies it to types.cts, which is CommonJS.
import { FileMac, FileMacStream, Poly1305, poly1305, poly1305Verify, tagBlob, verifyBlob, type Bytes, type OwnBytes } from "carryless";
import { ChaCha20Poly1305, XChaCha20Poly1305 } from "carryless/aead";
import { GF, GF2X } from "carryless/gf2x";
import { DecapsulationKey, decapsulate, EncapsulationKey, encapsulate, type Encapsulated, type Form, generateKeyPair, type KeyPair } from "carryless/hqc";

const key: Uint8Array = new Uint8Array(32);
const tag: OwnBytes = poly1305(key, key);
const right: boolean = poly1305Verify(key.buffer as ArrayBuffer, new DataView(key.buffer), tag);
const one: Poly1305 = new Poly1305(key);
one.update(key);
const mac: FileMac = new FileMac(key, "polyhash1305-hchacha20");
const stream: FileMacStream = mac.stream();
const ofBlob: Promise<Uint8Array> = tagBlob(mac, new Blob([]), (done: number, size: number) => void [done, size]);
const ofRight: Promise<boolean> = verifyBlob(mac, new Blob([]), tag.buffer, () => undefined);

const sealed: OwnBytes = new XChaCha20Poly1305(key).seal(new Uint8Array(24), key);
const opened: OwnBytes = new ChaCha20Poly1305(key).open(new ArrayBuffer(12), sealed, new DataView(tag.buffer));

const f: GF2X = new GF2X("X^2 + X + 1");
const degree: number = f.degree;
const power: GF2X = f.powMod(3n, f);
const exponents: Uint32Array = f.exponents();
const field: GF = new GF(f);
const [m, size]: [number, number] = [field.degree, field.elementBytes];
const elements: OwnBytes = field.mul(field.pow(key, 5n), field.fromBigInt(3n));
const bits: bigint = field.toBigInt(field.trace(elements));

const pair: KeyPair = generateKeyPair("hqc-1");
const sent: Encapsulated = encapsulate("hqc-1", pair.encapsulationKey);
const secret: OwnBytes = decapsulate("hqc-1", pair.decapsulationKey, sent.ciphertext);
const receiver: DecapsulationKey = DecapsulationKey.fromPem("");
const sender: EncapsulationKey = receiver.encapsulationKey;
const form: Form = "both";
const file: string = receiver.toPem(form) + sender.toPem();
const received: OwnBytes = new DecapsulationKey("hqc-1", key).decapsulate(sender.encapsulate().ciphertext);

// Results are what the platform takes.
const ofTag: Promise<ArrayBuffer> = crypto.subtle.digest("SHA-256", poly1305(key, key));
const ofSecret: Promise<CryptoKey> = crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
const ofPolynomial: Blob = new Blob([f.toBytes(), pair.encapsulationKey, sent.ciphertext, one.digest(), mac.tag(key), stream.tag()]);
const anyBytes: Bytes[] = [key, tag, tag.buffer, new DataView(tag.buffer), new Uint8Array(new SharedArrayBuffer(32))];
using short: FileMac = new FileMac(tag.buffer);

// @ts-expect-error: a key is bytes.
poly1305("key", key);
// @ts-expect-error: exponents are big integers.
f.powMod(3, f);
// @ts-expect-error: elements are bytes.
field.add(3n, elements);
// @ts-expect-error: numbers are not bytes.
mac.tag([1, 2, 3]);
// @ts-expect-error: nor is a string.
GF2X.fromBytes("0x13");
// @ts-expect-error: a stream comes from a FileMac.
new FileMacStream();
// @ts-expect-error: no such form.
receiver.toPem("whole");
// @ts-expect-error: another class.
f.add(mac);

export { anyBytes, bits, degree, exponents, file, m, ofBlob, ofPolynomial, ofRight, ofSecret, ofTag, opened, power, received, right, short, size, stream };
