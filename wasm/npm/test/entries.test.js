// The entries of the package in Node: `node --test test/`.
import { test } from "node:test";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { equal } from "./check.js";

const require = createRequire(import.meta.url);
const root = new URL("../", import.meta.url);
const NAMES = { mac: "carryless", aead: "carryless/aead", gf2x: "carryless/gf2x", hqc: "carryless/hqc" };

// Each with its own declaration, and nothing else.
test("the types declare what is exported", async () => {
  for (const [name, entry] of Object.entries(NAMES)) {
    const text = await readFile(new URL(`${name}.d.ts`, root), "utf8");
    const declared = [...text.matchAll(/^export (?:declare )?(?:class|function) (\w+)/gm)].map(([, own]) => own).sort().join();
    const exported = { required: require(entry), inline: await import(`../inline/${name}.js`), init: await import(`../init/${name}.js`) };
    for (const [kind, members] of Object.entries(exported)) {
      equal(Object.keys(members).filter((member) => member !== "default").sort().join(), declared, `exports of ${entry}, ${kind}`);
    }
  }
});

test("import and require give the same classes", async () => {
  for (const entry of Object.values(NAMES)) {
    for (const [name, member] of Object.entries(require(entry))) equal((await import(entry))[name], member, `${name} of ${entry}`);
    equal(require(`${entry}/inline`), require(entry), `${entry}/inline`);
  }
});

// As before Node 20.19, which cannot require an ES module.
test("require is of CommonJS alone", () => {
  const program = `const { FileMac } = require("carryless"), { GF2X } = require("carryless/gf2x"), hqc = require("carryless/hqc");
    console.log(new FileMac(new Uint8Array(32)).tag(new Uint8Array(0)).length, new GF2X("0x13").degree, hqc.generateKeyPair("hqc-1").encapsulationKey.length)`;
  const options = ["--no-experimental-require-module", "--input-type=commonjs", "--eval", program];
  equal(execFileSync(process.execPath, options, { cwd: fileURLToPath(root), encoding: "utf8" }), "16 4 2241\n", "results");
});
