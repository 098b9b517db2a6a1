import { fetched } from "../load.js";
import { start } from "../modules/gf2x.js";

start(await fetched(new URL("../pkg/gf2x/carryless_wasm_gf2x_bg.wasm", import.meta.url)));

export * from "../gf2x.js";
