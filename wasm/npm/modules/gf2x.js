import * as generated from "../pkg/gf2x/carryless_wasm_gf2x.js";
import { instantiate, unstarted } from "../load.js";

const ENTRY = "carryless/gf2x";

/** The functions of the module. */
export let module = unstarted(ENTRY);

export function start(compiled) {
  module = instantiate(generated, compiled, ENTRY, "mostBytes");
}
