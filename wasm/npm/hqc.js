import init from "./pkg/hqc/carryless_wasm_hqc.js";
import { load } from "./load.js";

await load(init, new URL("./pkg/hqc/carryless_wasm_hqc_bg.wasm", import.meta.url));

export { Encapsulated, KeyPair, decapsulate, encapsulate, generateKeyPair } from "./pkg/hqc/carryless_wasm_hqc.js";
