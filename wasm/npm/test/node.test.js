// In Node: `node --test test/`.
import { test } from "node:test";
import { readFile } from "node:fs/promises";
import { TESTS } from "./vectors.js";

const read = async (name) => JSON.parse(await readFile(new URL(`../../../vectors/${name}`, import.meta.url), "utf8"));

for (const [name, run] of Object.entries(TESTS)) test(name, () => run(read));
