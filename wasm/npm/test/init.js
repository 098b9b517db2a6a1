// The entries whose module the caller gives. What Node and a browser check; `bytesOf` gives a module's bytes, `addressOf` its address.
import initMac, * as mac from "../init/mac.js";
import initGf2x, * as gf2x from "../init/gf2x.js";
import initHqc, * as hqc from "../init/hqc.js";
import { equal, refuses } from "./check.js";

const key = new Uint8Array(32);

async function testBefore() {
  const calls = { carryless: () => new mac.FileMac(key), "carryless/gf2x": () => new gf2x.GF2X("0x13"), "carryless/hqc": () => hqc.generateKeyPair("hqc-1") };
  for (const [entry, call] of Object.entries(calls)) await refuses(call, Error, `${entry} is not initialised: await the init()`, entry);
}

async function testWrongSources(bytesOf, addressOf) {
  const right = await bytesOf("mac");
  for (const source of [undefined, null, 5, {}, [0, 97, 115, 109], Promise.resolve(right)]) {
    await refuses(() => initMac(source), TypeError, "source must be bytes, a URL or a WebAssembly.Module, not", `${source}`);
  }
  await refuses(() => initMac(new Uint16Array(4)), TypeError, "source must be a Uint8Array", "another array");
  await refuses(() => initMac(new Uint8Array(0)), Error, "source is no WebAssembly", "nothing");
  await refuses(() => initMac(new TextEncoder().encode("<!doctype html>")), Error, "source is no WebAssembly", "a page");
  await refuses(() => initMac(right.slice(0, right.length >> 1)), Error, "source does not compile", "half a module");
  await refuses(async () => initMac(await bytesOf("gf2x")), Error, "source is another module than that of carryless", "another module");
  await refuses(() => initMac("http://127.0.0.1:1/mac.wasm"), Error, "http://127.0.0.1:1/mac.wasm cannot be fetched: ", "no server");
  await refuses(() => initMac(addressOf("no such file")), Error, `${addressOf("no such file")} `, "no file");
  await refuses(() => initMac("data:text/html,<!doctype html>"), Error, "data:text/html,<!doctype html> (text/html) is no WebAssembly", "a page in place of a file");
  await testBefore();
}

async function testRightSources(bytesOf, addressOf) {
  const module = await WebAssembly.compile(await bytesOf("hqc"));
  await Promise.all([initMac(await bytesOf("mac")), initGf2x(addressOf("gf2x")), initHqc(module)]);
  // Once more changes nothing.
  for (const source of [module, new URL(addressOf("hqc")), URL.createObjectURL(new Blob([await bytesOf("hqc")]))]) await initHqc(source);
  const results = [new mac.FileMac(key).tag(key).length, new gf2x.GF2X("0x13").degree, hqc.generateKeyPair("hqc-1").encapsulationKey.length];
  equal(results.join(), "16,4,2241", "results");
}

/** In this order, because nothing ends a module that is started. */
export const TESTS = { testBefore, testWrongSources, testRightSources };
