import init, * as module from "./pkg/hqc/carryless_wasm_hqc.js";
import { SHORT, bytes, text } from "./arguments.js";
import { load } from "./load.js";

await load(init, new URL("./pkg/hqc/carryless_wasm_hqc_bg.wasm", import.meta.url));

export function generateKeyPair(set) {
  const [encapsulationKey, decapsulationKey] = module.generateKeyPair(text(set, "set"));
  return { encapsulationKey, decapsulationKey };
}

export function encapsulate(set, encapsulationKey) {
  const key = bytes(encapsulationKey, "encapsulationKey", SHORT);
  const [ciphertext, sharedSecret] = module.encapsulate(text(set, "set"), key);
  return { ciphertext, sharedSecret };
}

export function decapsulate(set, decapsulationKey, ciphertext) {
  const key = bytes(decapsulationKey, "decapsulationKey", SHORT);
  return module.decapsulate(text(set, "set"), key, bytes(ciphertext, "ciphertext", SHORT));
}
