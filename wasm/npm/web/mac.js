import { fetched } from "../load.js";
import { start } from "../modules/mac.js";

start(await fetched(new URL("../pkg/mac/carryless_wasm_mac_bg.wasm", import.meta.url)));

export * from "../mac.js";
