// What both Node and a browser check. `read` gives a file of the project's vectors.
import { FileMac, Poly1305, poly1305, poly1305Verify, tagBlob, verifyBlob } from "carryless";
import { ChaCha20Poly1305, XChaCha20Poly1305 } from "carryless/aead";
import { GF, GF2X } from "carryless/gf2x";
import { DecapsulationKey, EncapsulationKey, decapsulate, encapsulate, generateKeyPair } from "carryless/hqc";
import { equal } from "./check.js";

export const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
export const hex = (array) => Array.from(array, (byte) => byte.toString(16).padStart(2, "0")).join("");

function throws(call, reason) {
  try {
    call();
  } catch (error) {
    if (error instanceof Error && error.message.includes(reason)) return;
    throw new Error(`'${error}' does not say '${reason}'`);
  }
  throw new Error(`no error that says '${reason}'`);
}

// Its bytes, or what the rule of vectors/README.md makes.
function messageOf({ msg, msgGen }) {
  if (msg !== undefined) return bytes(msg);
  const message = new Uint8Array(msgGen.bits / 8);
  if (msgGen.kind === "repeat") {
    const pattern = bytes(msgGen.pattern);
    return message.map((_, i) => pattern[i % pattern.length]);
  }
  const words = new DataView(new ArrayBuffer(Math.ceil(message.length / 8) * 8));
  let state = BigInt(msgGen.seed);
  for (let at = 0; at < words.byteLength; at += 8) {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let word = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    word = BigInt.asUintN(64, (word ^ (word >> 27n)) * 0x94d049bb133111ebn);
    words.setBigUint64(at, word ^ (word >> 31n), true);
  }
  message.set(new Uint8Array(words.buffer, 0, message.length));
  return message;
}

const group = (vectors, type) => vectors.testGroups.find((candidate) => candidate.type === type).tests;

export async function testPoly1305(read) {
  for (const test of group(await read("poly1305.json"), "MacTest")) {
    const [key, message] = [bytes(test.key), messageOf(test)];
    if (test.result === "invalid") {
      equal(poly1305Verify(key, message, bytes(test.tag)), false, `Poly1305, test ${test.tcId}`);
      continue;
    }
    equal(hex(poly1305(key, message)), test.tag, `Poly1305, test ${test.tcId}`);
    const stream = new Poly1305(key);
    for (let at = 0; at < message.length; at += 1000) stream.update(message.subarray(at, at + 1000));
    equal(hex(stream.digest()), test.tag, `Poly1305 in pieces, test ${test.tcId}`);
    equal(poly1305Verify(key, message, bytes(test.tag)), true, "the right tag");
    const wrong = bytes(test.tag);
    wrong[15] ^= 0x80;
    equal(poly1305Verify(key, message, wrong) || stream.verify(wrong), false, "a wrong tag");
    stream.free();
  }
  throws(() => poly1305(new Uint8Array(31), new Uint8Array(0)), "a key has 32 bytes, this one 31");
}

// Values of crates/cli/tests/known_answers.rs, which another program computed.
const FILES = [
  ["4-decbrwhash1305-hchacha20", 16, "c5aef9d9c96d80d608c0cc397f9bd9a4"],
  ["4-decbrwhash1305-hchacha20", 0, "377cf3ef472a6454f686bde21ab1ad4d"],
  ["4-decbrwhash1305-hchacha20", 300001, "3cd251bbb016541cc514c6f255dd06e3"],
  ["4-decbrwhash1305-hchacha20", 9000017, "277a5975935a111a008b551c1539d450"],
  ["polyhash1305-hchacha20", 4096, "a94ca9ac52d249fc59798b510243cf32"],
  ["polyhash1305-hchacha20", 9000017, "6c53466fcdb5f965ca076fb0c047d2ab"],
];

export async function testFileMac() {
  const key = Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1);
  for (const [algorithm, length, expected] of FILES) {
    const contents = Uint8Array.from({ length }, (_, i) => i * 131 + (i >> 8) * 17);
    const mac = new FileMac(key, algorithm);
    equal(hex(mac.tag(contents)), expected, `${algorithm} of ${length} bytes`);
    let last = 0;
    const tag = await tagBlob(mac, new Blob([contents]), (done) => (last = done));
    equal(hex(tag), expected, `${algorithm} of a blob of ${length} bytes`);
    equal(last, length, "progress");
    equal(mac.verify(contents, tag), true, "the right tag");
    const verifying = verifyBlob(mac, new Blob([contents]), tag, (done) => (last = -done));
    tag[0] ^= 1;
    equal(await verifying, true, "the right tag of a blob, although it changes later");
    equal(last, -length, "progress");
    equal(await verifyBlob(mac, new Blob([contents]), tag), false, "a wrong tag of a blob");
    equal(await verifyBlob(mac, new Blob([contents, "x"]), await tagBlob(mac, new Blob([contents]))), false, "a longer blob");
    equal(mac.verify(contents, tag), false, "a wrong tag");
    mac.free();
  }
  throws(() => new FileMac(key, "md5"), "unknown algorithm");
  throws(() => new FileMac(new Uint8Array(0)), "a key has 32 bytes, this one 0");
}

export async function testAead(read) {
  for (const [file, type] of Object.entries({ chacha20_poly1305_test: ChaCha20Poly1305, xchacha20_poly1305_test: XChaCha20Poly1305 })) {
    const { testGroups } = await read(`wycheproof/${file}.json`);
    for (const { ivSize, tests } of testGroups) {
      for (const { tcId, key, iv, aad, msg, ct, tag, result } of tests) {
        const cipher = new type(bytes(key));
        const open = () => cipher.open(bytes(iv), bytes(ct + tag), bytes(aad));
        const what = `${type.name}, test ${tcId}`;
        if (result === "valid") {
          equal(hex(cipher.seal(bytes(iv), bytes(msg), bytes(aad))), ct + tag, what);
          equal(hex(open()), msg, what);
        } else {
          throws(open, 8 * (type === XChaCha20Poly1305 ? 24 : 12) === ivSize ? "sealed is not authentic" : "a nonce has");
        }
        cipher.free();
      }
    }
  }
  throws(() => new ChaCha20Poly1305(new Uint8Array(31)), "a key has 32 bytes, this one 31");
  throws(() => new ChaCha20Poly1305(new Uint8Array(32)).open(new Uint8Array(12), new Uint8Array(15)), "sealed is not authentic");
}

export async function testGf2x(read) {
  const vectors = await read("f2x.json");
  const poly = (text) => GF2X.fromBytes(bytes(text));
  for (const { a, b, product } of group(vectors, "F2xMul")) {
    equal(poly(a).mul(poly(b)).equals(poly(product)), true, "a product");
  }
  for (const { a, square } of group(vectors, "F2xSquare")) {
    equal(poly(a).square().equals(poly(square)), true, "a square");
  }
  for (const { a, b, gcd } of group(vectors, "F2xGcd")) {
    equal(poly(a).gcd(poly(b)).equals(poly(gcd)), true, "a greatest common divisor");
  }
  const f = new GF2X("X^8 + X^4 + X^3 + X + 1");
  equal(f.isIrreducible(), true, "the polynomial of AES");
  equal(f.toHex(), "0x11b", "in hexadecimal digits");
  equal(f.exponents().join(), "8,4,3,1,0", "its exponents");
  equal(new GF2X("0x53").inverseMod(f).toString(), "X^7 + X^6 + X^3 + X", "an inverse");
  equal(new GF2X("X").powMod(255n, f).toHex(), "0x1", "X^255");
  const [a, b] = [new GF2X("0xdeadbeef"), new GF2X("0x1235")];
  equal(a.div(b).mul(b).add(a.rem(b)).equals(a), true, "quotient and remainder");
  equal(new GF2X("0").degree, -1, "the degree of zero");
  equal(new GF2X("0").toHex(), "0x0", "zero");
  throws(() => a.rem(new GF2X("0")), "division by the zero polynomial");
  throws(() => new GF2X("X + Y"), "not a sum of");
  throws(() => f.inverseMod(f), "no inverse");
}

export async function testFields(read) {
  for (const { type, poly, tests } of (await read("gf2m.json")).testGroups) {
    if (type !== "Gf2mTest") {
      for (const { poly, irreducible } of tests) if (!irreducible && poly[0] > 1) throws(() => new GF(new GF2X(poly.join())), "reducible");
      continue;
    }
    const field = new GF(new GF2X(poly.join()));
    // All elements in one call, more than the module converts at a time.
    const repeated = Array(30).fill(tests).flat();
    const all = (name) => repeated.map((test) => test[name]).join("");
    const [a, b] = [bytes(all("a")), bytes(all("b"))];
    equal(hex(field.mul(a, b)), all("mul"), `GF(2^${field.degree}): products`);
    equal(hex(field.square(a)), all("sqr"), "squares");
    equal(hex(field.sqrt(a)), all("sqrt"), "square roots");
    equal(field.trace(a).join(""), all("trace"), "traces");
    const solutions = field.solve(field.add(field.square(a), a));
    equal(hex(field.add(field.square(solutions), solutions)), hex(field.add(field.square(a), a)), "solutions");
    for (const test of tests) {
      const [one, other] = [bytes(test.a), bytes(test.b)];
      if (test.inv === null) throws(() => field.invert(bytes(`01${"00".repeat(field.elementBytes - 1)}${test.a}`)), "element 1 of a is 0");
      else equal(hex(field.invert(one)), test.inv, "an inverse");
      equal(hex(field.pow(one, 1n << BigInt(test.k))), test.multiSqr, "a power");
      equal(hex(field.mul(a, other)), hex(field.mul(a, bytes(test.b.repeat(repeated.length)))), "products by one element");
      equal(hex(field.fromBigInt(field.toBigInt(one))), test.a, "an integer and back");
      if (test.trace === 1) throws(() => field.solve(one), "element 0 of a has trace 1");
    }
    equal(field.modulus.exponents().join(), poly.join(), "f");
    throws(() => field.mul(a, b.subarray(0, 2 * field.elementBytes)), "b has 2 elements");
    throws(() => field.add(a.subarray(1), b), "bytes, no multiple of");
    throws(() => field.square(new Uint8Array(field.elementBytes).fill(0xff)), "element 0 of a has bits from z^");
    throws(() => field.toBigInt(new Uint8Array(field.elementBytes).fill(0xff)), "element has bits from z^");
    throws(() => field.toBigInt(a), "element has");
    field.free();
  }
  throws(() => new GF(new GF2X("0")), "the polynomial of a field is not 0");
  const binary = new GF(new GF2X("X + 1"));
  equal(hex(binary.add(bytes("000101"), bytes("010001"))), "010100", "sums in GF(2)");
  equal(hex(binary.pow(bytes("0001"), 0n)), "0101", "powers with exponent 0");
  equal(`${binary.mul(new Uint8Array(0), bytes("01")).length}`, "0", "no elements");
}

export async function testHqc(read) {
  for (const { scheme, tests } of (await read("hqc_nr.json")).testGroups) {
    const set = scheme.toLowerCase();
    const whole = tests.filter((test) => test.dk !== undefined && test.ct !== undefined);
    equal(whole.length > 0, true, "the file has keys and ciphertexts");
    for (const test of whole) {
      const [key, ciphertext] = [bytes(test.dk), bytes(test.ct)];
      equal(hex(decapsulate(set, key, ciphertext)), test.ss, `${scheme}, test ${test.tcId}`);
      for (const { byte, xor, ss } of test.reject ?? []) {
        const changed = ciphertext.slice();
        changed[byte] ^= xor;
        equal(hex(decapsulate(set, key, changed)), ss, `${scheme}, a changed ciphertext`);
      }
    }
    const pair = generateKeyPair(set);
    const sent = encapsulate(set, pair.encapsulationKey);
    const received = decapsulate(set, pair.decapsulationKey, sent.ciphertext);
    equal(hex(received), hex(sent.sharedSecret), `${scheme}, a round trip`);
    const other = encapsulate(set, pair.encapsulationKey);
    equal(hex(other.sharedSecret) === hex(sent.sharedSecret), false, "two secrets are the same");
    throws(() => encapsulate(set, pair.encapsulationKey.subarray(1)), "bytes");
    throws(() => decapsulate(set, pair.decapsulationKey, sent.ciphertext.subarray(1)), "bytes");
  }
  throws(() => generateKeyPair("hqc-2"), "there are hqc-1, hqc-3, hqc-5, hqc-1-v5, hqc-3-v5, hqc-5-v5");
}

// Its values are checked in node.test.js, against other libraries.
export async function testHybrid() {
  const set = "hqc-1-x25519-draft";
  const pair = generateKeyPair(set);
  const { ciphertext, sharedSecret } = encapsulate(set, pair.encapsulationKey);
  equal([pair.encapsulationKey, pair.decapsulationKey, ciphertext, sharedSecret].map(({ length }) => length).join(), "2273,32,4465,32", "sizes");
  equal(hex(decapsulate(set, pair.decapsulationKey, ciphertext)), hex(sharedSecret), "a round trip");
  equal(hex(encapsulate(set, pair.encapsulationKey).sharedSecret) === hex(sharedSecret), false, "two secrets are the same");
  for (const at of [0, ciphertext.length - 1]) {
    const changed = ciphertext.slice();
    changed[at] ^= 1;
    equal(hex(decapsulate(set, pair.decapsulationKey, changed)) === hex(sharedSecret), false, "a changed half has the same secret");
  }
  throws(() => encapsulate(set, pair.encapsulationKey.subarray(1)), "bytes, not 2272");
  throws(() => decapsulate(set, pair.decapsulationKey.subarray(1), ciphertext), "bytes, not 31");
  throws(() => decapsulate(set, pair.decapsulationKey, ciphertext.subarray(1)), "bytes, not 4464");
  throws(() => new DecapsulationKey(set, pair.decapsulationKey), "for keys as bytes");
}

export async function testHqcV5(read) {
  for (const { scheme, tests } of (await read("hqc_v5.json")).testGroups) {
    const set = `${scheme.toLowerCase()}-v5`;
    let count = 0;
    for (const { tcId, dk, ct, ss } of tests) {
      if (dk === undefined || ct === undefined) continue;
      equal(hex(decapsulate(set, bytes(dk), bytes(ct))), ss, `${set}, test ${tcId}`);
      // The other profile takes the bytes of the key for those of another key, and refuses them.
      throws(() => decapsulate(scheme.toLowerCase(), bytes(dk), bytes(ct)), "the key is not the one that its seed gives");
      count += 1;
    }
    equal(count > 0, true, `vectors of ${set}`);
    const key = new DecapsulationKey(set, generateKeyPair(set).decapsulationKey);
    throws(() => key.toPem(), "has no object identifier");
    throws(() => key.encapsulationKey.toDer(), "has no object identifier");
    key.free();
  }
}

// The seed is 32 bytes of 7. RustCrypto and OpenSSL with carryless.so write the same.
export const PEM = `-----BEGIN PRIVATE KEY-----
MDQCAQAwCwYJYIZIAWUDBAQEBCKAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH
BwcHBwcH
-----END PRIVATE KEY-----
`;

export async function testHqcKeys() {
  const known = DecapsulationKey.fromPem(PEM);
  equal(known.set, "hqc-1", "the set of a file");
  equal(known.toPem(), PEM, "the file again");
  equal(hex(known.toDer()).slice(0, 44), "3034020100300b060960864801650304040404228020", "its beginning");
  for (const set of ["hqc-1", "hqc-3", "hqc-5"]) {
    const pair = generateKeyPair(set);
    const key = new DecapsulationKey(set, pair.decapsulationKey);
    const sender = new EncapsulationKey(set, pair.encapsulationKey);
    const { ciphertext, sharedSecret } = sender.encapsulate();
    equal(hex(key.decapsulate(ciphertext)), hex(sharedSecret), `${set}: both sides`);
    equal(hex(decapsulate(set, pair.decapsulationKey, ciphertext)), hex(sharedSecret), `${set}: by bytes`);
    throws(() => key.decapsulate(ciphertext.subarray(1)), "bytes instead of");
    for (const form of ["seed", "expanded", "both"]) {
      equal(hex(DecapsulationKey.fromPem(key.toPem(form)).toBytes()), hex(pair.decapsulationKey), `${set}: PEM of form ${form}`);
      const der = key.toDer(form);
      equal(hex(DecapsulationKey.fromDer(der).toBytes()), hex(pair.decapsulationKey), `${set}: DER of form ${form}`);
      for (const wrong of [der.subarray(1), der.subarray(0, -1), Uint8Array.of(...der, 0), new Uint8Array(0)]) throws(() => DecapsulationKey.fromDer(wrong), "the key is not in the expected DER");
    }
    const [seed, expanded, both] = ["seed", "expanded", "both"].map((form) => key.toDer(form).length);
    // Both have another header, and the seed of 32 bytes with its own.
    equal(`${seed}, ${expanded > pair.decapsulationKey.length}, ${both - expanded}`, "54, true, 38", `${set}: sizes of the forms`);
    throws(() => key.toPem("whole"), "there are seed, expanded and both");
    equal(hex(key.encapsulationKey.toBytes()), hex(pair.encapsulationKey), `${set}: the public key`);
    equal(hex(EncapsulationKey.fromPem(sender.toPem()).toBytes()), hex(pair.encapsulationKey), `${set}: PEM of the public key`);
    const der = sender.toDer();
    equal(EncapsulationKey.fromDer(der).set, set, "the set of a file");
    der[der.length - 1] |= 0x80;
    throws(() => EncapsulationKey.fromDer(der), "unused bits");
    throws(() => DecapsulationKey.fromPem(sender.toPem()), "does not hold a PRIVATE KEY");
    throws(() => new EncapsulationKey(set, pair.decapsulationKey), "bytes instead of");
    key.free();
  }
}

export const TESTS = { testPoly1305, testFileMac, testAead, testGf2x, testFields, testHqc, testHybrid, testHqcV5, testHqcKeys };
