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
  /** The polynomial as a sum, such as `X^8 + X^4 + X^3 + X + 1`. Throws a `RangeError` if that could have more than 2^28 characters. */
  toString(): string;
  /** The polynomial in hexadecimal, such as `0x11b`: bit i is the coefficient of X^i. */
  toHex(): string;
  /** The exponents of all terms, greatest first; empty for the zero polynomial. */
  exponents(): Uint32Array;
  /** The degree; -1 for the zero polynomial. */
  readonly degree: number;
  /** Whether both are the same. */
  equals(other: GF2X): boolean;
  /** The sum, which is also the difference. */
  add(other: GF2X): GF2X;
  /** The product. Throws a `RangeError` if its degree would be 2^29 or more. */
  mul(other: GF2X): GF2X;
  /** The square. Throws a `RangeError` if its degree would be 2^29 or more. */
  square(): GF2X;
  /** The quotient of the division by `divisor`. Throws an `Error` if that is zero. */
  div(divisor: GF2X): GF2X;
  /** The remainder of the division by `divisor`. Throws an `Error` if that is zero. */
  rem(divisor: GF2X): GF2X;
  /** The greatest common divisor; zero if both are zero. */
  gcd(other: GF2X): GF2X;
  /** The inverse modulo `f`. Throws an `Error` if there is none: a common factor, or `f` is zero. */
  inverseMod(f: GF2X): GF2X;
  /** The product modulo `f`. Throws an `Error` if `f` is zero. */
  mulMod(other: GF2X, f: GF2X): GF2X;
  /** The power modulo `f`. Throws a `RangeError` if the exponent is negative or 2^64 or more, an `Error` if `f` is zero. */
  powMod(exponent: bigint, f: GF2X): GF2X;
  /** Whether the polynomial is irreducible, by Rabin's test. */
  isIrreducible(): boolean;
  /** Returns the memory. Afterwards every other method throws an `Error`. */
  free(): void;
  [Symbol.dispose](): void;
}

/**
 * A field GF(2^m) = F2[z]/f for any irreducible f of degree m, from 1 to 1279.
 *
 * An element has `elementBytes` bytes, little-endian: bit i of byte j is the coefficient of z^(8 j + i). Methods take any number of
 * elements, one after the other, and return as many. An argument that is no sequence of elements is an `Error`, one of more than 2^24
 * bytes a `RangeError`.
 */
export class GF {
  /** Throws an `Error` if f is reducible, or its degree is out of range. */
  constructor(f: GF2X);
  /** The degree m. */
  readonly degree: number;
  /** Bytes of an element, ceil(m / 8). */
  readonly elementBytes: number;
  /** The polynomial f, a new object. */
  readonly modulus: GF2X;
  /** The element with these bits. Throws a `RangeError` if the number is negative, or 2^m or more. */
  fromBigInt(value: bigint): OwnBytes;
  /** The bits of one element. */
  toBigInt(element: Bytes): bigint;
  /** The sums, which are also the differences, of as many elements or of those in `a` and one. */
  add(a: Bytes, b: Bytes): OwnBytes;
  /** The products of as many elements, or of those in `a` and one. */
  mul(a: Bytes, b: Bytes): OwnBytes;
  /** The squares. */
  square(a: Bytes): OwnBytes;
  /** The square roots, of which each element has one. */
  sqrt(a: Bytes): OwnBytes;
  /** The inverses. Throws an `Error` if an element is 0. */
  invert(a: Bytes): OwnBytes;
  /** The powers; 0^0 is 1. Throws a `RangeError` if the exponent is negative, or 2^1280 or more. */
  pow(a: Bytes, exponent: bigint): OwnBytes;
  /** The traces, a byte of 0 or 1 for each element. */
  trace(a: Bytes): OwnBytes;
  /** A solution x of x^2 + x = a for each element; the other one is x + 1. Throws an `Error` if an element has trace 1, and so no solution. */
  solve(a: Bytes): OwnBytes;
  /** Returns the memory. Afterwards every other method throws an `Error`. */
  free(): void;
  [Symbol.dispose](): void;
}
