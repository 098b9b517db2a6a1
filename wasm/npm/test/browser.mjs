// In headless Chromium: `node test/browser.mjs PROGRAM TOOLS`. TOOLS is the folder of playwright-core, in whose `sites` each folder has the
// example as a bundler built it.
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [program, tools] = process.argv.slice(2);
const executablePath = process.env.PATH.split(delimiter).map((folder) => join(folder, program)).find(existsSync);
const playwright = createRequire(resolve(tools, "package.json"))("playwright-core");
const root = fileURLToPath(new URL("../../../", import.meta.url));
const types = { ".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".wasm": "application/wasm" };

const POLICY = "script-src 'self' 'wasm-unsafe-eval'";

const servers = [];

/** Serves a folder under a policy, and gives the address. */
async function serve(folder, policy) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://127.0.0.1");
    const type = types[extname(pathname)] ?? "application/octet-stream";
    const contents = await readFile(join(folder, pathname)).catch(() => undefined);
    if (contents === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": type, ...(policy && { "content-security-policy": policy }) }).end(contents);
  });
  servers.push(server);
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return `http://127.0.0.1:${server.address().port}`;
}

const browser = await playwright.chromium.launch({ executablePath, args: ["--no-sandbox"] });
let failures = 0;

/** Opens a page, and reports what `check` throws with what the page says. */
async function visit(name, address, check) {
  const page = await browser.newPage();
  const said = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(`${error}`));
  try {
    await page.goto(address);
    console.log(`${name}: ${await check(page)}`);
  } catch (error) {
    failures += 1;
    console.log([`${name}: FAILED: ${error.message ?? error}`, ...said].join("\n  "));
  }
  await page.close();
}

function demand(found, expected) {
  if (!found.includes(expected)) throw new Error(`'${found}' does not say '${expected}'`);
  return found;
}

/** The text of an element, once it is not `before`. */
async function textOf(page, selector, before) {
  await page.waitForFunction(([selector, before]) => !before.includes(document.querySelector(selector).textContent), [selector, before], { timeout: 180000 });
  return page.textContent(selector);
}

const tested = async (page) => demand(await textOf(page, "#result", ["running"]), "passed: ");

async function refused(page) {
  demand(await textOf(page, "#result", ["running"]), "It needs an engine with WebAssembly SIMD and, under a Content-Security-Policy, script-src 'wasm-unsafe-eval'");
  return "an error that names what the policy lacks";
}

/** Uses the page of the example: the first of FILES in vectors.js with its tag, and keys that are none. */
async function example(page) {
  const file = { name: "file", mimeType: "", buffer: Buffer.from(Uint8Array.from({ length: 300001 }, (_, i) => i * 131 + (i >> 8) * 17)) };
  const key = Buffer.from(Uint8Array.from({ length: 32 }, (_, i) => 7 * i + 1)).toString("hex");
  const tag = "3cd251bbb016541cc514c6f255dd06e3";
  const results = [];
  const digits = "key and tag are pairs of hex digits";
  const uses = [[key, "", tag], ["z".repeat(64), "", digits], [key, tag, "verified"], [`${key}0`, "", digits]];
  uses.push([key, `00${tag.slice(2)}`, "another file, tag or key"], [key, tag.slice(1), digits], ["0011", "", "a key has 32 bytes, this one 2"]);
  // When the worker is ready.
  await page.waitForSelector("[name=file]:enabled");
  for (const [ofKey, ofTag, expected] of uses) {
    await page.fill("[name=key]", ofKey);
    await page.fill("[name=tag]", ofTag);
    await page.setInputFiles("[name=file]", []);
    await page.setInputFiles("[name=file]", file);
    const seen = results.at(-1) ?? "The worker starts.";
    results.push(demand(await textOf(page, "output", ["", seen]), expected));
  }
  demand(`${await page.evaluate(() => document.querySelector("progress").value)}`, "1");
  return results.join("; ");
}

const tests = "wasm/npm/test";
await visit("tests", `${await serve(root)}/${tests}/browser.html`, tested);
await visit("init() under a policy", `${await serve(root, POLICY)}/${tests}/init.html`, tested);
await visit("init() that a policy refuses", `${await serve(root, "script-src 'self'")}/${tests}/init.html?refused`, refused);
for (const site of await readdir(join(tools, "sites"))) {
  await visit(site, `${await serve(join(tools, "sites", site), POLICY)}/index.html`, example);
}

// The server for development bundles nothing but dependencies, of which the configuration excludes this package.
const vite = await import(pathToFileURL(resolve(tools, "node_modules/vite/dist/node/index.js")));
const development = await vite.createServer({ root: resolve(tools), server: { host: "127.0.0.1", port: 0 }, logLevel: "error" });
await development.listen();
await visit("vite for development", `http://127.0.0.1:${development.httpServer.address().port}/`, example);
await development.close();

await browser.close();
for (const server of servers) server.close().closeAllConnections();
process.exit(failures === 0 ? 0 : 1);
