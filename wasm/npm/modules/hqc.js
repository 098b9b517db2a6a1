import * as generated from "../pkg/hqc/carryless_wasm_hqc.js";
import { instantiate, unstarted } from "../load.js";

const ENTRY = "carryless/hqc";

/** The functions of the module. */
export let module = unstarted(ENTRY);

export function start(compiled) {
  module = instantiate(generated, compiled, ENTRY, "generateKeyPair");
}
