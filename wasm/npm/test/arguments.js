// Every argument of everything that the package exports: right values give the right result, wrong ones an error that names the
// argument. What Node and a browser check; `read` gives a file of the project's vectors, `realm` evaluates in another realm.
import * as mac from "carryless";
import * as aead from "carryless/aead";
import * as gf2x from "carryless/gf2x";
import * as hqc from "carryless/hqc";
import { equal, refuses } from "./check.js";
import { formsOf, wrongValues } from "./values.js";
import { PEM, bytes, hex } from "./vectors.js";

const { FileMac, Poly1305 } = mac;
const { GF, GF2X } = gf2x;

// RFC 8439, section 2.5.2.
const ONE_TIME = {
  key: bytes("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b"),
  message: new TextEncoder().encode("Cryptographic Forum Research Group"),
  tag: bytes("a8061dc1305136c6c22b8baf0c0127a9"),
};
// The first of FILES in vectors.js.
const FILE = {
  key: Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1),
  contents: Uint8Array.from({ length: 16 }, (_, i) => i * 131),
  tag: bytes("c5aef9d9c96d80d608c0cc397f9bd9a4"),
};
// RFC 8439, section 2.8.2.
const SEALED = {
  key: Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i),
  nonce: bytes("070000004041424344454647"),
  data: bytes("50515253c0c1c2c3c4c5c6c7"),
  message: new TextEncoder().encode("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."),
  sealed: bytes("d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36" +
    "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691"),
};
const AES = bytes("1b01");

const tagOf = (key, algorithm) => hex(new FileMac(key, algorithm).tag(FILE.contents));
const file = () => new FileMac(FILE.key);
const after = (state, piece) => (state.update(piece), state);
const { ChaCha20Poly1305, XChaCha20Poly1305 } = aead;
const cipher = () => new ChaCha20Poly1305(SEALED.key);
const extended = () => new XChaCha20Poly1305(SEALED.key);
// Random enough for a test.
const NONCE = new Uint8Array(24).fill(9);
const poly = (text) => new GF2X(text);
const receiver = () => hqc.DecapsulationKey.fromPem(PEM);
const sender = () => receiver().encapsulationKey;
// X^7 + X^6 + X^3 + X is the inverse of 0x53 modulo f: FIPS 197, section 4.2.
const [f, a, inverse] = ["0x11b", "0x53", "0xca"].map(poly);
const field = new GF(f);
const [element, inverted] = ["53", "ca"].map(bytes);

/**
 * By name: the kinds of the arguments by their names, right ones, what the call gives of them as a text, and that text.
 * `Class#method` is a method, `Class.method` one of the class.
 */
const table = ({ dk, ct, ss, pair }) => ({
  poly1305: [{ key: "bytes", message: "bytes" }, [ONE_TIME.key, ONE_TIME.message], (...all) => hex(mac.poly1305(...all)), hex(ONE_TIME.tag)],
  poly1305Verify: [{ key: "bytes", message: "bytes", tag: "bytes" }, [ONE_TIME.key, ONE_TIME.message, ONE_TIME.tag],
    (...all) => `${mac.poly1305Verify(...all)}`, "true"],
  Poly1305: [{ key: "bytes" }, [ONE_TIME.key], (key) => hex(after(new Poly1305(key), ONE_TIME.message).digest()), hex(ONE_TIME.tag)],
  "Poly1305#update": [{ piece: "bytes" }, [ONE_TIME.message], (piece) => hex(after(new Poly1305(ONE_TIME.key), piece).digest()), hex(ONE_TIME.tag)],
  "Poly1305#digest": [{}, [], () => hex(after(new Poly1305(ONE_TIME.key), ONE_TIME.message).digest()), hex(ONE_TIME.tag)],
  "Poly1305#verify": [{ tag: "bytes" }, [ONE_TIME.tag], (tag) => `${after(new Poly1305(ONE_TIME.key), ONE_TIME.message).verify(tag)}`, "true"],
  "Poly1305#free": [{}, [], () => `${new Poly1305(ONE_TIME.key).free()}`, "undefined"],
  FileMac: [{ key: "bytes", algorithm: "text or undefined" }, [FILE.key, "4-decbrwhash1305-hchacha20"], tagOf, hex(FILE.tag)],
  "FileMac#tag": [{ contents: "bytes" }, [FILE.contents], (contents) => hex(file().tag(contents)), hex(FILE.tag)],
  "FileMac#verify": [{ contents: "bytes", tag: "bytes" }, [FILE.contents, FILE.tag], (...all) => `${file().verify(...all)}`, "true"],
  "FileMac#stream": [{}, [], () => hex(after(file().stream(), FILE.contents).tag()), hex(FILE.tag)],
  "FileMac#free": [{}, [], () => `${file().free()}`, "undefined"],
  // Only stream() makes one: the class has its own test.
  FileMacStream: [{}, [], () => "", ""],
  "FileMacStream#update": [{ piece: "bytes" }, [FILE.contents], (piece) => hex(after(file().stream(), piece).tag()), hex(FILE.tag)],
  "FileMacStream#tag": [{}, [], () => hex(after(file().stream(), FILE.contents).tag()), hex(FILE.tag)],
  "FileMacStream#verify": [{ tag: "bytes" }, [FILE.tag], (tag) => `${after(file().stream(), FILE.contents).verify(tag)}`, "true"],
  "FileMacStream#free": [{}, [], () => `${file().stream().free()}`, "undefined"],
  tagBlob: [{ mac: "FileMac", blob: "Blob", onProgress: "function or undefined" }, [file(), new Blob([FILE.contents]), () => 0],
    async (...all) => hex(await mac.tagBlob(...all)), hex(FILE.tag)],
  verifyBlob: [{ mac: "FileMac", blob: "Blob", tag: "bytes", onProgress: "function or undefined" }, [file(), new Blob([FILE.contents]), FILE.tag, () => 0],
    async (...all) => `${await mac.verifyBlob(...all)}`, "true"],
  ChaCha20Poly1305: [{ key: "bytes" }, [SEALED.key],
    (key) => hex(new ChaCha20Poly1305(key).seal(SEALED.nonce, SEALED.message, SEALED.data)), hex(SEALED.sealed)],
  "ChaCha20Poly1305#seal": [{ nonce: "bytes", message: "bytes", data: "bytes or undefined" }, [SEALED.nonce, SEALED.message, SEALED.data],
    (...all) => hex(cipher().seal(...all)), hex(SEALED.sealed)],
  "ChaCha20Poly1305#open": [{ nonce: "bytes", sealed: "bytes", data: "bytes or undefined" }, [SEALED.nonce, SEALED.sealed, SEALED.data],
    (...all) => hex(cipher().open(...all)), hex(SEALED.message)],
  "ChaCha20Poly1305#free": [{}, [], () => `${cipher().free()}`, "undefined"],
  XChaCha20Poly1305: [{ key: "bytes" }, [SEALED.key], (key) => hex(new XChaCha20Poly1305(key).open(NONCE, extended().seal(NONCE, AES))), hex(AES)],
  "XChaCha20Poly1305#seal": [{ nonce: "bytes", message: "bytes", data: "bytes or undefined" }, [NONCE, AES, FILE.tag],
    (...all) => hex(extended().open(NONCE, extended().seal(...all), FILE.tag)), hex(AES)],
  "XChaCha20Poly1305#open": [{ nonce: "bytes", sealed: "bytes", data: "bytes or undefined" }, [NONCE, extended().seal(NONCE, AES, FILE.tag), FILE.tag],
    (...all) => hex(extended().open(...all)), hex(AES)],
  "XChaCha20Poly1305#free": [{}, [], () => `${extended().free()}`, "undefined"],
  GF2X: [{ text: "text" }, ["8,4,3,1,0"], (text) => new GF2X(text).toHex(), "0x11b"],
  "GF2X.fromBytes": [{ bytes: "bytes" }, [AES], (bytes) => GF2X.fromBytes(bytes).toHex(), "0x11b"],
  "GF2X#toBytes": [{}, [], () => hex(f.toBytes()), "1b01"],
  "GF2X#toString": [{}, [], () => f.toString(), "X^8 + X^4 + X^3 + X + 1"],
  "GF2X#toHex": [{}, [], () => f.toHex(), "0x11b"],
  "GF2X#exponents": [{}, [], () => f.exponents().join(), "8,4,3,1,0"],
  "GF2X#degree": [{}, [], () => `${f.degree}`, "8"],
  "GF2X#equals": [{ other: "GF2X" }, [poly("8,4,3,1,0")], (other) => `${f.equals(other)}`, "true"],
  "GF2X#add": [{ other: "GF2X" }, [inverse], (other) => a.add(other).toHex(), "0x99"],
  "GF2X#mul": [{ other: "GF2X" }, [poly("0x3")], (other) => a.mul(other).toHex(), "0xf5"],
  "GF2X#square": [{}, [], () => poly("0x13").square().toHex(), "0x105"],
  "GF2X#div": [{ divisor: "GF2X" }, [poly("0x3")], (divisor) => poly("0xf5").div(divisor).toHex(), "0x53"],
  "GF2X#rem": [{ divisor: "GF2X" }, [a], (divisor) => poly("0xf4").rem(divisor).toHex(), "0x1"],
  "GF2X#gcd": [{ other: "GF2X" }, [poly("0xf5")], (other) => a.gcd(other).toHex(), "0x53"],
  "GF2X#inverseMod": [{ f: "GF2X" }, [f], (f) => a.inverseMod(f).toHex(), "0xca"],
  "GF2X#mulMod": [{ other: "GF2X", f: "GF2X" }, [inverse, f], (...all) => a.mulMod(...all).toHex(), "0x1"],
  "GF2X#powMod": [{ exponent: "bigint", f: "GF2X" }, [254n, f], (...all) => a.powMod(...all).toHex(), "0xca"],
  "GF2X#isIrreducible": [{}, [], () => `${f.isIrreducible()}`, "true"],
  "GF2X#free": [{}, [], () => `${poly("0x3").free()}`, "undefined"],
  GF: [{ f: "GF2X" }, [f], (f) => `${new GF(f).degree}`, "8"],
  "GF#degree": [{}, [], () => `${field.degree}`, "8"],
  "GF#elementBytes": [{}, [], () => `${field.elementBytes}`, "1"],
  "GF#modulus": [{}, [], () => field.modulus.toHex(), "0x11b"],
  "GF#fromBigInt": [{ value: "bigint" }, [0x53n], (value) => hex(field.fromBigInt(value)), "53"],
  "GF#toBigInt": [{ element: "bytes" }, [element], (element) => `${field.toBigInt(element)}`, "83"],
  "GF#add": [{ a: "bytes", b: "bytes" }, [element, inverted], (...all) => hex(field.add(...all)), "99"],
  "GF#mul": [{ a: "bytes", b: "bytes" }, [element, inverted], (...all) => hex(field.mul(...all)), "01"],
  "GF#square": [{ a: "bytes" }, [element], (a) => hex(field.square(a)), "b5"],
  "GF#sqrt": [{ a: "bytes" }, [bytes("b5")], (a) => hex(field.sqrt(a)), "53"],
  "GF#invert": [{ a: "bytes" }, [element], (a) => hex(field.invert(a)), "ca"],
  "GF#pow": [{ a: "bytes", exponent: "bigint" }, [element, 254n], (...all) => hex(field.pow(...all)), "ca"],
  "GF#trace": [{ a: "bytes" }, [bytes("20")], (a) => hex(field.trace(a)), "01"],
  "GF#solve": [{ a: "bytes" }, [field.add(field.square(element), element)], (a) => hex(field.solve(a).map((byte) => byte & ~1)), "52"],
  "GF#free": [{}, [], () => `${new GF(f).free()}`, "undefined"],
  generateKeyPair: [{ set: "text" }, ["hqc-1"], (set) => `${hqc.generateKeyPair(set).encapsulationKey.length}`, `${pair.encapsulationKey.length}`],
  encapsulate: [{ set: "text", encapsulationKey: "bytes" }, ["hqc-1", pair.encapsulationKey], (...all) => {
    const { ciphertext, sharedSecret } = hqc.encapsulate(...all);
    return `${hex(hqc.decapsulate("hqc-1", pair.decapsulationKey, ciphertext)) === hex(sharedSecret)}`;
  }, "true"],
  decapsulate: [{ set: "text", decapsulationKey: "bytes", ciphertext: "bytes" }, ["hqc-1", dk, ct], (...all) => hex(hqc.decapsulate(...all)), ss],
  EncapsulationKey: [{ set: "text", key: "bytes" }, ["hqc-1", pair.encapsulationKey], (...all) => new hqc.EncapsulationKey(...all).set, "hqc-1"],
  "EncapsulationKey.fromPem": [{ pem: "text" }, [sender().toPem()], (pem) => hqc.EncapsulationKey.fromPem(pem).toPem(), sender().toPem()],
  "EncapsulationKey.fromDer": [{ der: "bytes" }, [sender().toDer()], (der) => hex(hqc.EncapsulationKey.fromDer(der).toDer()), hex(sender().toDer())],
  "EncapsulationKey#set": [{}, [], () => sender().set, "hqc-1"],
  "EncapsulationKey#toBytes": [{}, [], () => `${sender().toBytes().length}`, "2241"],
  "EncapsulationKey#toPem": [{}, [], () => sender().toPem().slice(0, 27), "-----BEGIN PUBLIC KEY-----\n"],
  "EncapsulationKey#toDer": [{}, [], () => `${sender().toDer().length}`, "2263"],
  "EncapsulationKey#encapsulate": [{}, [], () => `${sender().encapsulate().ciphertext.length}`, "4433"],
  "EncapsulationKey#free": [{}, [], () => `${sender().free()}`, "undefined"],
  DecapsulationKey: [{ set: "text", key: "bytes" }, ["hqc-1", dk], (...all) => hex(new hqc.DecapsulationKey(...all).decapsulate(ct)), ss],
  "DecapsulationKey.fromPem": [{ pem: "text" }, [PEM], (pem) => hqc.DecapsulationKey.fromPem(pem).toPem(), PEM],
  "DecapsulationKey.fromDer": [{ der: "bytes" }, [receiver().toDer()], (der) => hqc.DecapsulationKey.fromDer(der).toPem(), PEM],
  "DecapsulationKey#set": [{}, [], () => receiver().set, "hqc-1"],
  "DecapsulationKey#encapsulationKey": [{}, [], () => hex(receiver().encapsulationKey.toBytes()), hex(sender().toBytes())],
  "DecapsulationKey#toBytes": [{}, [], () => `${receiver().toBytes().length}`, "2321"],
  "DecapsulationKey#toPem": [{ form: "text or undefined" }, ["seed"], (form) => receiver().toPem(form), PEM],
  "DecapsulationKey#toDer": [{ form: "text or undefined" }, ["seed"], (form) => `${receiver().toDer(form).length}`, "54"],
  "DecapsulationKey#decapsulate": [{ ciphertext: "bytes" }, [ct], (ciphertext) => hex(new hqc.DecapsulationKey("hqc-1", dk).decapsulate(ciphertext)), ss],
  "DecapsulationKey#free": [{}, [], () => `${receiver().free()}`, "undefined"],
});

/** The rows of the table, by name, with a vector of HQC-1. */
export async function rows(read) {
  const { tests } = (await read("hqc_nr.json")).testGroups.find(({ scheme }) => scheme === "HQC-1");
  const test = tests.find(({ dk, ct }) => dk !== undefined && ct !== undefined);
  const made = table({ dk: bytes(test.dk), ct: bytes(test.ct), ss: test.ss, pair: hqc.generateKeyPair("hqc-1") });
  return Object.entries(made).map(([name, [kinds, right, call, expected]]) => ({ name, kinds: Object.entries(kinds), right, call, expected }));
}

const isClass = (value) => typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));

// The properties of a class' objects, those that it inherits too.
function propertiesOf(type) {
  const all = Object.create(null);
  for (let from = type.prototype; from !== Object.prototype; from = Object.getPrototypeOf(from)) {
    for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(from))) if (name !== "constructor") all[name] ??= property;
  }
  return all;
}

// Those of CommonJS have itself as a default, under one name or two.
const members = () => [mac, aead, gf2x, hqc].flatMap(Object.entries).filter(([name]) => !["default", "module.exports"].includes(name));

const classes = () => members().map(([, value]) => value).filter(isClass);

/** Everything that the package exports, by name, and how many arguments it declares. */
function exported() {
  const all = {};
  for (const [name, value] of members()) {
    all[name] = value.length;
    if (!isClass(value)) continue;
    for (const [method, property] of Object.entries(propertiesOf(value))) all[`${name}#${method}`] = property.value?.length ?? 0;
    for (const own of Object.getOwnPropertyNames(value)) {
      if (!["length", "name", "prototype"].includes(own)) all[`${name}.${own}`] = value[own].length;
    }
  }
  return all;
}

export async function testTableIsWhole(read) {
  const known = Object.fromEntries((await rows(read)).map(({ name, kinds }) => [name, kinds.length]));
  const sorted = (all) => JSON.stringify(Object.entries(all).sort());
  equal(sorted(exported()), sorted(known), "what is exported, and its arguments, against the table");
}

const replaced = (right, at, value) => right.map((own, i) => (i === at ? value : own));

export async function testWrongTypes(read, realm) {
  const wrong = wrongValues(realm);
  const faults = [];
  for (const { name, kinds, right, call } of await rows(read)) {
    for (const [at, [argument, kind]] of kinds.entries()) {
      for (const [what, value] of Object.entries(wrong[kind] ?? {})) {
        const attempt = refuses(() => call(...replaced(right, at, value)), TypeError, argument, `${argument} of ${name} is ${what}`);
        await attempt.catch((fault) => faults.push(fault.message));
      }
    }
  }
  equal(faults.slice(0, 20).join("\n"), "", `${faults.length} faults`);
}

export async function testRightTypes(read, realm) {
  for (const { name, kinds, right, call, expected } of await rows(read)) {
    equal(await call(...right), expected, name);
    for (const [at, [argument, kind]] of kinds.entries()) {
      if (!kind.startsWith("bytes")) continue;
      for (const [what, value] of Object.entries(formsOf(right[at], realm))) {
        equal(await call(...replaced(right, at, value)), expected, `${argument} of ${name} as ${what}`);
      }
    }
  }
}

export async function testNumbersOutOfRange() {
  for (const exponent of [-1n, 1n << 64n, -(1n << 64n)]) {
    await refuses(() => a.powMod(exponent, f), RangeError, "exponent", `${exponent}`);
  }
  for (const exponent of [-1n, 1n << 1280n]) await refuses(() => field.pow(element, exponent), RangeError, "exponent", `${exponent}`);
  for (const value of [-1n, 256n]) await refuses(() => field.fromBigInt(value), RangeError, "value", `${value}`);
  await refuses(() => field.square(new Uint8Array((1 << 24) + 1)), RangeError, "a", "many elements");
  equal(a.powMod((1n << 64n) - 1n, f).toHex(), a.powMod(((1n << 64n) - 1n) % 255n, f).toHex(), "the largest exponent");
  await refuses(() => new GF2X("1".repeat((1 << 27) + 3)), RangeError, "text", "a long text");
  await refuses(() => hqc.generateKeyPair("hqc-1".repeat(1000)), RangeError, "set", "a long name");
  await refuses(() => new FileMac(FILE.key, "a".repeat(1 << 20)), RangeError, "algorithm", "a long name");
  await refuses(() => mac.poly1305(new Uint8Array(1 << 20), ONE_TIME.message), RangeError, "key", "a long key");
}

export async function testWrongObjects() {
  const made = { Poly1305: new Poly1305(ONE_TIME.key), FileMac: file(), FileMacStream: file().stream(), GF2X: poly("0x13"), GF: new GF(f),
    ChaCha20Poly1305: cipher(), XChaCha20Poly1305: extended(), EncapsulationKey: sender(), DecapsulationKey: receiver() };
  for (const type of classes()) {
    const others = Object.entries(made).filter(([name]) => name !== type.name).map(([, value]) => value);
    const wrong = [undefined, null, 5, {}, type, Object.create(type.prototype), { __proto__: type.prototype, __wbg_ptr: 1114112 }, ...others];
    for (const [name, property] of Object.entries(propertiesOf(type))) {
      const method = property.value ?? property.get;
      // All have free(), which takes each of them.
      const values = name === "free" ? wrong.filter((value) => !others.includes(value)) : wrong;
      for (const value of values) await refuses(() => Reflect.apply(method, value, [value, value]), TypeError, "", `${name} of ${type.name} on a wrong object`);
    }
  }
  for (const value of [undefined, 8, {}, made.FileMac, made.FileMacStream]) {
    await refuses(() => new mac.FileMacStream(value), TypeError, "a FileMacStream comes from", "a stream without a key");
  }
  for (const call of [() => Poly1305(ONE_TIME.key), () => GF2X("0x3")]) await refuses(call, TypeError, "", "a class without new");
}

export async function testFreedObjects() {
  const make = { Poly1305: () => new Poly1305(ONE_TIME.key), FileMac: file, FileMacStream: () => file().stream(), GF2X: () => poly("0x13"), GF: () => new GF(f),
    ChaCha20Poly1305: cipher, XChaCha20Poly1305: extended, EncapsulationKey: sender, DecapsulationKey: receiver };
  for (const type of classes()) {
    const freed = make[type.name]();
    freed.free();
    freed.free();
    for (const [name, property] of Object.entries(propertiesOf(type))) {
      if (name === "free") continue;
      const method = property.value ?? property.get;
      await refuses(() => Reflect.apply(method, freed, [FILE.tag, FILE.tag]), Error, `this is a ${type.name} that has been freed`, `${name} of ${type.name}`);
    }
  }
  const freed = poly("0x13");
  freed.free();
  for (const name of ["equals", "add", "mul", "div", "rem", "gcd"]) await refuses(() => a[name](freed), Error, "", name);
  await refuses(() => a.add(freed), Error, "other is a GF2X that has been freed", "add");
  await refuses(() => a.mulMod(a, freed), Error, "f is a GF2X that has been freed", "mulMod");
  await refuses(() => a.powMod(5n, freed), Error, "f is a GF2X that has been freed", "powMod");
  await refuses(() => new GF(freed), Error, "f is a GF2X that has been freed", "GF");
  const stopped = file();
  stopped.free();
  await refuses(() => mac.tagBlob(stopped, new Blob([])), Error, "mac is a FileMac that has been freed", "tagBlob");
  const [kept, stream] = [file(), file().stream()];
  const own = kept.stream();
  kept.free();
  equal(hex(after(own, FILE.contents).tag()), hex(after(stream, FILE.contents).tag()), "a stream outlives its FileMac");
}

// Results that no module has the memory for are foreseen; dense polynomials of the highest degrees.
export async function testLargePolynomials() {
  const dense = GF2X.fromBytes(new Uint8Array(1 << 26).fill(0xff));
  const faults = { mul: [dense], square: [], mulMod: [dense, f], toString: [], exponents: [] };
  for (const [name, all] of Object.entries(faults)) await refuses(() => dense[name](...all), RangeError, "", name);
  equal(dense.degree, 2 ** 29 - 1, "the highest degree");
  equal(dense.add(dense).degree, -1, "the sum with itself");
  equal(dense.equals(GF2X.fromBytes(dense.toBytes())), true, "bytes and back");
  await refuses(() => GF2X.fromBytes(new Uint8Array((1 << 26) + 1)), RangeError, "bytes", "bytes of a higher degree");
  dense.free();
}

// An error, and not an empty object.
export async function testCopies() {
  const copies = { structuredClone, "JSON.stringify": JSON.stringify, postMessage: (value) => new MessageChannel().port1.postMessage(value),
    "a clone of a copy": (value) => structuredClone({ ...value }) };
  for (const value of [new Poly1305(ONE_TIME.key), file(), file().stream(), f, field, cipher(), extended(), sender(), receiver()]) {
    for (const [name, copy] of Object.entries(copies)) {
      for (const nested of [value, { inside: [value] }]) await refuses(() => copy(nested), TypeError, "objects of carryless cannot be copied", name);
    }
  }
  for (const set of ["hqc-1", "hqc-1-x25519-draft"]) {
    const pair = hqc.generateKeyPair(set);
    const { ciphertext, sharedSecret } = structuredClone(hqc.encapsulate(set, pair.encapsulationKey));
    equal(hex(hqc.decapsulate(set, structuredClone(pair).decapsulationKey, ciphertext)), hex(sharedSecret), "keys are copied");
    for (const result of [pair, hqc.encapsulate(set, pair.encapsulationKey)]) {
      await refuses(() => JSON.stringify({ result }), TypeError, "keys and secrets of HQC have no JSON", "JSON");
    }
  }
}

export const TESTS = { testTableIsWhole, testWrongTypes, testRightTypes, testNumbersOutOfRange, testWrongObjects, testFreedObjects, testLargePolynomials, testCopies };
