// The tests of init() in a page, whose policy may forbid WebAssembly.
import initMac from "../init/mac.js";
import { TESTS } from "./init.js";

const addressOf = (name) => `${new URL(`../pkg/${name}/carryless_wasm_${name}_bg.wasm`, import.meta.url)}`;
const bytesOf = async (name) => new Uint8Array(await (await fetch(addressOf(name))).arrayBuffer());

const result = document.getElementById("result");
try {
  if (location.search === "?refused") await initMac(addressOf("mac"));
  else for (const run of Object.values(TESTS)) await run(bytesOf, addressOf);
  result.textContent = `passed: ${Object.keys(TESTS).join(", ")}`;
} catch (error) {
  result.textContent = `FAILED: ${error.stack ?? error}`;
}
