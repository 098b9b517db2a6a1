import { SHORT, bits, bytes, text } from "./arguments.js";
import { Handle, inner, wrap } from "./handle.js";
import { module } from "./modules/gf2x.js";

/** The most bytes of a polynomial. A function, because the module may start later. */
const most = () => module.mostBytes();

/** The most bytes of elements of a field. */
const MOST_ELEMENTS = 1 << 24;

/** The most bits of an exponent of elements: as many as the largest element has. */
const EXPONENT_BITS = 1280;

const poly = (value, name) => inner(value, GF2X, name);
const own = (result) => wrap(result, GF2X);

export class GF2X extends Handle {
  // Minifiers rename classes; errors keep this.
  static name = "GF2X";

  constructor(text) {
    super(fromText(text));
  }

  static fromBytes(value) {
    value = bytes(value, "bytes", most());
    module.reserve(value.length);
    return own(module.GF2X.fromBytes(value));
  }

  toBytes() {
    return poly(this).toBytes();
  }

  toString() {
    return poly(this).toString();
  }

  toHex() {
    return poly(this).toHex();
  }

  exponents() {
    return poly(this).exponents();
  }

  get degree() {
    return poly(this).degree;
  }

  equals(other) {
    return poly(this).equals(poly(other, "other"));
  }

  add(other) {
    return own(poly(this).add(poly(other, "other")));
  }

  mul(other) {
    return own(poly(this).mul(poly(other, "other")));
  }

  square() {
    return own(poly(this).square());
  }

  div(divisor) {
    return own(poly(this).div(poly(divisor, "divisor")));
  }

  rem(divisor) {
    return own(poly(this).rem(poly(divisor, "divisor")));
  }

  gcd(other) {
    return own(poly(this).gcd(poly(other, "other")));
  }

  inverseMod(f) {
    return own(poly(this).inverseMod(poly(f, "f")));
  }

  mulMod(other, f) {
    return own(poly(this).mulMod(poly(other, "other"), poly(f, "f")));
  }

  powMod(exponent, f) {
    return own(poly(this).powMod(bits(exponent, "exponent", 64), poly(f, "f")));
  }

  isIrreducible() {
    return poly(this).isIrreducible();
  }
}

// The longest is hexadecimal, two digits a byte and the 0x in front of them.
function fromText(value) {
  value = text(value, "text", 2 * most() + 2);
  module.reserve(Math.ceil(value.length / 2));
  return new module.GF2X(value);
}

const field = (value) => inner(value, GF);

// The argument is copied into the module's memory, which must have room.
function elements(value, name) {
  value = bytes(value, name, MOST_ELEMENTS);
  module.reserve(value.length);
  return value;
}

// Least significant first.
function words(value) {
  const all = [];
  for (; value > 0n; value >>= 64n) all.push(BigInt.asUintN(64, value));
  return BigUint64Array.from(all);
}

export class GF extends Handle {
  static name = "GF";

  constructor(f) {
    super(new module.GF(poly(f, "f")));
  }

  get degree() {
    return field(this).degree;
  }

  get elementBytes() {
    return field(this).elementBytes;
  }

  get modulus() {
    return own(field(this).modulus());
  }

  fromBigInt(value) {
    const { degree, elementBytes } = field(this);
    value = bits(value, "value", degree);
    return Uint8Array.from({ length: elementBytes }, (_, i) => Number(BigInt.asUintN(8, value >> BigInt(8 * i))));
  }

  toBigInt(element) {
    const { degree, elementBytes } = field(this);
    const view = bytes(element, "element", SHORT);
    if (view.length !== elementBytes) throw new Error(`element has ${view.length} bytes, not ${elementBytes}`);
    const value = view.reduceRight((all, byte) => all << 8n | BigInt(byte), 0n);
    if (value >> BigInt(degree)) throw new Error(`element has bits from z^${degree} on`);
    return value;
  }

  add(a, b) {
    return field(this).add(elements(a, "a"), elements(b, "b"));
  }

  mul(a, b) {
    return field(this).mul(elements(a, "a"), elements(b, "b"));
  }

  square(a) {
    return field(this).square(elements(a, "a"));
  }

  sqrt(a) {
    return field(this).sqrt(elements(a, "a"));
  }

  invert(a) {
    return field(this).invert(elements(a, "a"));
  }

  pow(a, exponent) {
    return field(this).pow(elements(a, "a"), words(bits(exponent, "exponent", EXPONENT_BITS)));
  }

  trace(a) {
    return field(this).trace(elements(a, "a"));
  }

  solve(a) {
    return field(this).solve(elements(a, "a"));
  }
}
