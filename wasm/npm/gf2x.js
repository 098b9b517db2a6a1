import { bytes, text, uint64 } from "./arguments.js";
import { Handle, inner, wrap } from "./handle.js";
import { module } from "./modules/gf2x.js";

/** The most bytes of a polynomial. A function, because the module may start later. */
const most = () => module.mostBytes();

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
    return own(poly(this).powMod(uint64(exponent, "exponent"), poly(f, "f")));
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
