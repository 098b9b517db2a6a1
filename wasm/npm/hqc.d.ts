export { Encapsulated, KeyPair, decapsulate, encapsulate, generateKeyPair } from "./pkg/hqc/carryless_wasm_hqc.js";
