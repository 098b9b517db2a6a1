import { SHORT, bytes, text } from "./arguments.js";
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
