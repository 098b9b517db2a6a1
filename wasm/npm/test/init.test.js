// The entries with init() in Node: `node --test test/`. A process of its own, where no other entry has started a module.
import { test } from "node:test";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import initMac from "../init/mac.js";
import { refuses } from "./check.js";
import { TESTS } from "./init.js";

const fileOf = (name) => new URL(`../pkg/${name}/carryless_wasm_${name}_bg.wasm`, import.meta.url);

test("init", async (context) => {
  const server = createServer(async (request, response) => {
    const contents = await readFile(fileOf(request.url.slice(1))).catch(() => undefined);
    response.writeHead(contents === undefined ? 404 : 200, { "content-type": "application/wasm" }).end(contents);
  }).listen(0, "127.0.0.1");
  context.after(() => server.close().closeAllConnections());
  await once(server, "listening");
  const addressOf = (name) => `http://127.0.0.1:${server.address().port}/${name}`;
  for (const [name, run] of Object.entries(TESTS)) await context.test(name, () => run((name) => readFile(fileOf(name)), addressOf));
});

test("an address that Node cannot fetch", () => refuses(() => initMac(fileOf("mac")), Error, `${fileOf("mac")} cannot be fetched: `, "a file"));
