// Values for the tests of arguments: right and wrong ones of each kind. `realm(code)` evaluates an expression in another realm.
import { FileMac } from "carryless";
import { GF2X } from "carryless/gf2x";

function detached(make) {
  const buffer = new ArrayBuffer(32);
  const value = make(buffer);
  structuredClone(buffer, { transfer: [buffer] });
  return value;
}

// A view whose memory became shorter than the place where the view begins.
function outside(make) {
  const buffer = new ArrayBuffer(64, { maxByteLength: 64 });
  const value = make(buffer);
  buffer.resize(16);
  return value;
}

function revoked() {
  const { proxy, revoke } = Proxy.revocable(new Uint8Array(32), {});
  revoke();
  return proxy;
}

const anyObject = { "an object": {}, "a Map": new Map(), "a Promise": Promise.resolve(new Uint8Array(32)), "a revoked Proxy": revoked() };
const primitives = { undefined: undefined, null: null, 5: 5, 1.5: 1.5, NaN: NaN, "-1": -1, true: true, "a Symbol": Symbol("s"), "a function": () => 1 };

/** No bytes, though some have them in another form. */
export const notBytes = (realm) => ({
  ...anyObject,
  ...primitives,
  "a string": "attack at dawn",
  "a string of 32 letters": "a".repeat(32),
  "an empty string": "",
  "a String": new String("a".repeat(32)),
  "a bigint": 5n,
  "an Array": [97, 98, 300],
  "an Array of 32 zeros": Array(32).fill(0),
  "an empty Array": [],
  "a Uint8ClampedArray": new Uint8ClampedArray(32),
  "an Int8Array": new Int8Array(32),
  "a Uint16Array": new Uint16Array([300, 1]),
  "a Uint32Array": new Uint32Array(8),
  "a Float64Array": new Float64Array(4),
  "a BigUint64Array": new BigUint64Array(4),
  "a Blob": new Blob(["attack at dawn"]),
  "a Date": new Date(0),
  "something with a length": { length: 32, 0: 1 },
  "a forged view": { buffer: new ArrayBuffer(32), byteOffset: 0, byteLength: 32, length: 32 },
  "a forged name": { length: 32, [Symbol.toStringTag]: "Uint8Array" },
  "a forged prototype": Object.create(Uint8Array.prototype),
  "a Proxy": new Proxy(new Uint8Array(32), {}),
  "a bare SharedArrayBuffer": typeof SharedArrayBuffer === "undefined" ? {} : new SharedArrayBuffer(32),
  "a detached Uint8Array": detached((buffer) => new Uint8Array(buffer)),
  "a detached ArrayBuffer": detached((buffer) => buffer),
  "a detached DataView": detached((buffer) => new DataView(buffer)),
  "a Uint8Array outside of its buffer": outside((buffer) => new Uint8Array(buffer, 32)),
  "a Uint8Array beyond its buffer": outside((buffer) => new Uint8Array(buffer, 8, 32)),
  "a DataView outside of its buffer": outside((buffer) => new DataView(buffer, 32)),
  "an Array of another realm": realm("[1, 2, 3]"),
  "a Uint16Array of another realm": realm("new Uint16Array(16)"),
  "a detached Uint8Array of another realm": detached((buffer) => realm("(buffer) => new Uint8Array(buffer)")(buffer)),
});

const notText = { ...anyObject, ...primitives, "a bigint": 5n, "a String": new String("hqc-1"), "an Array": ["hqc-1"],
  "a Uint8Array": new Uint8Array(32), "something with toString": { toString: () => "hqc-1" } };

const poly = new GF2X("0x13");
const notPoly = { ...anyObject, ...primitives, "a bigint": 5n, "a string": "0x13", "an Array": [4, 1, 0], "a Uint8Array": new Uint8Array([19]),
  "a FileMac": new FileMac(new Uint8Array(32)), "something with an address": { __wbg_ptr: 1114112 },
  "a forged prototype": Object.create(GF2X.prototype), "a forged prototype with an address": Object.assign(Object.create(GF2X.prototype), { __wbg_ptr: 8 }),
  "a Proxy": new Proxy(poly, {}), "a child": Object.create(poly), "the class": GF2X };

const notMac = { ...anyObject, ...primitives, "a string": "mac", "a GF2X": poly, "a Uint8Array": new Uint8Array(32), "a Blob": new Blob(["x"]),
  "a stream": new FileMac(new Uint8Array(32)).stream(), "a forged prototype": Object.create(FileMac.prototype) };

const without = (values, ...names) => Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

/** By kind of argument, what is a TypeError. */
export const wrongValues = (realm) => ({
  bytes: notBytes(realm),
  "bytes or undefined": without(notBytes(realm), "undefined"),
  text: notText,
  "text or undefined": without(notText, "undefined"),
  bigint: { ...anyObject, ...primitives, "a string": "5", "a BigInt": Object(5n), "an Array": [5n] },
  GF2X: notPoly,
  FileMac: notMac,
  Blob: { ...anyObject, ...primitives, "a string": "blob", "a Uint8Array": new Uint8Array(32), "an ArrayBuffer": new ArrayBuffer(8),
    "something like a Blob": { size: 1, stream: () => new ReadableStream({ start: (stream) => stream.close() }) } },
  "function or undefined": without({ ...anyObject, ...primitives, "a string": "f" }, "undefined", "a function"),
});

class Bytes extends Uint8Array {}

/** The same bytes as every type that a function takes. */
export function formsOf(bytes, realm) {
  const longer = (size, make) => {
    const buffer = make(size);
    new Uint8Array(buffer).fill(0xa5);
    new Uint8Array(buffer, 3, bytes.length).set(bytes);
    return buffer;
  };
  const own = longer(bytes.length + 9, (size) => new ArrayBuffer(size));
  const foreign = longer(bytes.length + 9, realm("(size) => new ArrayBuffer(size)"));
  const resizable = longer(bytes.length + 3, (size) => new ArrayBuffer(size, { maxByteLength: size + 9 }));
  const forms = {
    "a Uint8Array": bytes.slice(),
    "a part of a Uint8Array": new Uint8Array(own).subarray(3, 3 + bytes.length),
    "an ArrayBuffer": bytes.slice().buffer,
    "a DataView": new DataView(own, 3, bytes.length),
    "a Uint8Array of another realm": realm("(...all) => new Uint8Array(...all)")(foreign, 3, bytes.length),
    "a Uint8Array here of memory there": new Uint8Array(foreign, 3, bytes.length),
    "an ArrayBuffer of another realm": foreign.slice(3, 3 + bytes.length),
    "a DataView of another realm": realm("(...all) => new DataView(...all)")(foreign, 3, bytes.length),
    "an array that follows its buffer": new Uint8Array(resizable, 3),
    "a view that follows its buffer": new DataView(resizable, 3),
    "an array of another class": new Bytes(own, 3, bytes.length),
    "an array with a shorter length": Object.defineProperty(bytes.slice(), "length", { value: 1 }),
    "an array with a longer length": Object.defineProperty(bytes.slice(), "length", { value: 1e9 }),
  };
  if (typeof Buffer !== "undefined") forms["a Buffer"] = Buffer.from(own, 3, bytes.length);
  if (typeof SharedArrayBuffer !== "undefined") {
    const shared = longer(bytes.length + 9, (size) => new SharedArrayBuffer(size));
    forms["a Uint8Array of shared memory"] = new Uint8Array(shared, 3, bytes.length);
    forms["a DataView of shared memory"] = new DataView(shared, 3, bytes.length);
  }
  return forms;
}
