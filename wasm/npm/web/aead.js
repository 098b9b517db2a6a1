import { fetched } from "../load.js";
import { start } from "../modules/aead.js";

start(await fetched(new URL("../pkg/aead/carryless_wasm_aead_bg.wasm", import.meta.url)));

export * from "../aead.js";
