export { GF2X } from "./pkg/gf2x/carryless_wasm_gf2x.js";
