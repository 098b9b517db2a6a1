import * as generated from "../pkg/aead/carryless_wasm_aead.js";
import { instantiate, unstarted } from "../load.js";

const ENTRY = "carryless/aead";

/** The functions of the module. */
export let module = unstarted(ENTRY);

export function start(compiled) {
  module = instantiate(generated, compiled, ENTRY, "aead_seal");
}
