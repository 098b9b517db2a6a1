import { SHORT, bytes, text } from "./arguments.js";
import { Handle, inner, wrap } from "./handle.js";
import { module } from "./modules/hqc.js";

// Not enumerable, so that structuredClone does not see it: a copy is right, where JSON would be numbered bytes that no function takes.
const toJSON = {
  value() {
    throw new TypeError("keys and secrets of HQC have no JSON: encode each Uint8Array by itself");
  },
};
const withoutJson = (result) => Object.defineProperty(result, "toJSON", toJSON);

export function generateKeyPair(set) {
  const [encapsulationKey, decapsulationKey] = module.generateKeyPair(text(set, "set"));
  return withoutJson({ encapsulationKey, decapsulationKey });
}

export function encapsulate(set, encapsulationKey) {
  const key = bytes(encapsulationKey, "encapsulationKey", SHORT);
  const [ciphertext, sharedSecret] = module.encapsulate(text(set, "set"), key);
  return withoutJson({ ciphertext, sharedSecret });
}

export function decapsulate(set, decapsulationKey, ciphertext) {
  const key = bytes(decapsulationKey, "decapsulationKey", SHORT);
  return module.decapsulate(text(set, "set"), key, bytes(ciphertext, "ciphertext", SHORT));
}

const encapsulationKey = (value) => inner(value, EncapsulationKey);
const decapsulationKey = (value) => inner(value, DecapsulationKey);
const formOf = (value = "seed") => text(value, "form");

export class EncapsulationKey extends Handle {
  // Minifiers rename classes; errors keep this.
  static name = "EncapsulationKey";

  constructor(set, key) {
    super(new module.EncapsulationKey(text(set, "set"), bytes(key, "key", SHORT)));
  }

  static fromPem(pem) {
    return wrap(module.EncapsulationKey.fromPem(text(pem, "pem", SHORT)), EncapsulationKey);
  }

  static fromDer(der) {
    return wrap(module.EncapsulationKey.fromDer(bytes(der, "der", SHORT)), EncapsulationKey);
  }

  get set() {
    return encapsulationKey(this).set;
  }

  toBytes() {
    return encapsulationKey(this).toBytes();
  }

  toPem() {
    return encapsulationKey(this).toPem();
  }

  toDer() {
    return encapsulationKey(this).toDer();
  }

  encapsulate() {
    const [ciphertext, sharedSecret] = encapsulationKey(this).encapsulate();
    return withoutJson({ ciphertext, sharedSecret });
  }
}

export class DecapsulationKey extends Handle {
  static name = "DecapsulationKey";

  constructor(set, key) {
    super(new module.DecapsulationKey(text(set, "set"), bytes(key, "key", SHORT)));
  }

  static fromPem(pem) {
    return wrap(module.DecapsulationKey.fromPem(text(pem, "pem", SHORT)), DecapsulationKey);
  }

  static fromDer(der) {
    return wrap(module.DecapsulationKey.fromDer(bytes(der, "der", SHORT)), DecapsulationKey);
  }

  get set() {
    return decapsulationKey(this).set;
  }

  get encapsulationKey() {
    return wrap(decapsulationKey(this).encapsulationKey(), EncapsulationKey);
  }

  toBytes() {
    return decapsulationKey(this).toBytes();
  }

  toPem(form) {
    return decapsulationKey(this).toPem(formOf(form));
  }

  toDer(form) {
    return decapsulationKey(this).toDer(formOf(form));
  }

  decapsulate(ciphertext) {
    return decapsulationKey(this).decapsulate(bytes(ciphertext, "ciphertext", SHORT));
  }
}
