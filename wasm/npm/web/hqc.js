import { fetched } from "../load.js";
import { start } from "../modules/hqc.js";

start(await fetched(new URL("../pkg/hqc/carryless_wasm_hqc_bg.wasm", import.meta.url)));

export * from "../hqc.js";
