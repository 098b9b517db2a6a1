/// <reference lib="esnext.disposable" />
import type { Bytes, OwnBytes } from "./arguments.js";

export type { Bytes, OwnBytes };

/**
 * A polynomial over F2 of a degree below 2^29. Operations return new ones; their times depend on the operands, so that secrets do not
 * belong here.
 *
 * An argument that is no `GF2X` is a `TypeError`, one that was freed an `Error`. A result of a higher degree, or one for which the
 * module has no memory, is a `RangeError`.
 */
export class GF2X {
  /**
   * From `X^8 + X^4 + X^3 + X + 1`, `0x11b`, or exponents `8,4,3,1,0`. Exponents go up to 65,535; hexadecimal digits reach every degree.
   *
   * Throws an `Error` if the text is none of these, a `RangeError` if it has more than 2^27 + 2 characters.
   */
  constructor(text: string);
  /**
   * From bytes, little-endian: bit i of byte j is the coefficient of X^(8 j + i).
   *
   * Throws a `RangeError` if there are more than 2^26 bytes.
   */
  static fromBytes(bytes: Bytes): GF2X;
  /** The bytes, little-endian, without zeros at the end. */
  toBytes(): OwnBytes;
  /** `X^8 + X^4 + X^3 + X + 1`. Throws a `RangeError` if that could have more than 2^28 characters. */
  toString(): string;
  /** `0x11b`. */
  toHex(): string;
  /** The exponents, greatest first. */
  exponents(): Uint32Array;
  /** The degree; -1 for the zero polynomial. */
  readonly degree: number;
  /** Whether both are the same. */
  equals(other: GF2X): boolean;
  /** The sum, which is also the difference. */
  add(other: GF2X): GF2X;
  /** The product. */
  mul(other: GF2X): GF2X;
  /** The square. */
  square(): GF2X;
  /** The quotient. Throws an `Error` if the divisor is zero. */
  div(divisor: GF2X): GF2X;
  /** The remainder. Throws an `Error` if the divisor is zero. */
  rem(divisor: GF2X): GF2X;
  /** The greatest common divisor. */
  gcd(other: GF2X): GF2X;
  /** The inverse modulo `f`. Throws an `Error` if there is none. */
  inverseMod(f: GF2X): GF2X;
  /** The product modulo `f`. Throws an `Error` if `f` is zero. */
  mulMod(other: GF2X, f: GF2X): GF2X;
  /** The power modulo `f`. Throws a `RangeError` if the exponent is negative or 2^64 or more, an `Error` if `f` is zero. */
  powMod(exponent: bigint, f: GF2X): GF2X;
  /** Whether it is irreducible (Rabin's test). */
  isIrreducible(): boolean;
  /** Returns the memory. Afterwards every other method throws an `Error`. */
  free(): void;
  [Symbol.dispose](): void;
}
