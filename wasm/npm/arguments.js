// What the functions of this package check of their arguments: the right type, or an error that names the argument. Nothing is converted.
const { apply } = Reflect;
const getter = (prototype, name) => Object.getOwnPropertyDescriptor(prototype, name).get;

// These getters read internal slots: they know objects of every realm, and neither a proxy nor an object with forged properties deceives them.
const array = Object.getPrototypeOf(Uint8Array.prototype);
const typeOf = getter(array, Symbol.toStringTag);
const lengthOf = getter(array, "length");
const layoutOf = (prototype) => ["buffer", "byteOffset", "byteLength"].map((name) => getter(prototype, name));
const layouts = { array: layoutOf(array), view: layoutOf(DataView.prototype) };
const sizeOf = getter(ArrayBuffer.prototype, "byteLength");

/** Longer bytes pass to a module in pieces of this size. */
export const PIECE = 1 << 20;

/** The most bytes of a key, a tag or a ciphertext: none that is right is longer. */
export const SHORT = 1 << 16;

/** The most characters of a name. */
const NAME = 1 << 10;

/** What a value is, for an error. */
export function kindOf(value) {
  if (value === null || value === undefined) return `${value}`;
  if (typeof value === "object") return apply(typeOf, value, []) ?? "another object";
  return `a ${typeof value}`;
}

/**
 * The bytes of an argument as a Uint8Array, not copied. A TypeError if it is no Uint8Array, ArrayBuffer or DataView, or
 * its memory was detached; a RangeError if there are more than `most`.
 */
export function bytes(value, name, most = Infinity) {
  const view = plainArray(value) ? value : viewOf(value, name);
  if (view.length > most) throw new RangeError(`${name} has ${view.length} bytes: more than ${most} are never right`);
  return view;
}

// One that needs no view of its own. The length that generated code reads is that of the memory, and not a property that hides it.
function plainArray(value) {
  if (!ArrayBuffer.isView(value) || apply(typeOf, value, []) !== "Uint8Array") return false;
  const length = apply(lengthOf, value, []);
  return length > 0 && length <= PIECE && value.length === length;
}

function viewOf(value, name) {
  const layout = layoutFor(value);
  if (layout === undefined && !isBuffer(value)) {
    throw new TypeError(`${name} must be a Uint8Array, an ArrayBuffer or a DataView, not ${kindOf(value)}`);
  }
  try {
    if (layout === undefined) return new Uint8Array(value);
    const view = new Uint8Array(...layout.map((part) => apply(part, value, [])));
    // The length of an array outside of its memory is zero, without an error; `at` has one.
    if (layout === layouts.array) apply(array.at, value, [0]);
    return view;
  } catch (error) {
    if (error instanceof RangeError) throw new RangeError(`${name} has more bytes than a Uint8Array can have here`);
    throw new TypeError(`${name} has lost its memory: an ArrayBuffer that was detached, or became too short`);
  }
}

function layoutFor(value) {
  if (!ArrayBuffer.isView(value)) return undefined;
  const type = apply(typeOf, value, []);
  // Of all views a DataView alone has no type of element.
  return type === undefined ? layouts.view : type === "Uint8Array" ? layouts.array : undefined;
}

/** Whether a value holds bytes, if not in a form that `bytes` accepts. */
export const isBytes = (value) => ArrayBuffer.isView(value) || isBuffer(value);

function isBuffer(value) {
  try {
    apply(sizeOf, value, []);
    return true;
  } catch {
    return false;
  }
}

/** A string of at most `most` characters, or a TypeError or RangeError. */
export function text(value, name, most = NAME) {
  if (typeof value !== "string") throw new TypeError(`${name} must be a string, not ${kindOf(value)}`);
  if (value.length > most) throw new RangeError(`${name} has ${value.length} characters: more than ${most}`);
  return value;
}

/** A bigint from 0 to 2^count - 1, or a TypeError or RangeError. */
export function bits(value, name, count) {
  if (typeof value !== "bigint") throw new TypeError(`${name} must be a bigint, not ${kindOf(value)}`);
  if (value !== BigInt.asUintN(count, value)) throw new RangeError(`${name} must lie between 0 and 2^${count} - 1`);
  return value;
}
