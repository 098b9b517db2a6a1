import init from "./pkg/gf2x/carryless_wasm_gf2x.js";
import { load } from "./load.js";

await load(init, new URL("./pkg/gf2x/carryless_wasm_gf2x_bg.wasm", import.meta.url));

export { GF2X } from "./pkg/gf2x/carryless_wasm_gf2x.js";
