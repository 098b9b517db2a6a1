import * as generated from "../pkg/mac/carryless_wasm_mac.js";
import { instantiate, unstarted } from "../load.js";

const ENTRY = "carryless";

/** The functions of the module. */
export let module = unstarted(ENTRY);

export function start(compiled) {
  module = instantiate(generated, compiled, ENTRY, "poly1305");
}
