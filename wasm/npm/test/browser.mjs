// In headless Chromium: `node test/browser.mjs CHROMIUM` serves the project's root, and prints what the page reports.
import { createServer } from "node:http";
import { readFile, mkdtemp, rm } from "node:fs/promises";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join, extname } from "node:path";

const root = new URL("../../../", import.meta.url);
const types = { ".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".wasm": "application/wasm" };

let report;
const reported = new Promise((done) => (report = done));
const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://127.0.0.1");
  if (request.method === "POST") {
    let text = "";
    for await (const piece of request) text += piece;
    response.end();
    return report(text);
  }
  try {
    const contents = await readFile(new URL(`.${url.pathname}`, root));
    response.writeHead(200, { "content-type": types[extname(url.pathname)] ?? "application/octet-stream" });
    response.end(contents);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));

const profile = await mkdtemp(join(tmpdir(), "carryless-chromium-"));
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", `--user-data-dir=${profile}`];
const page = `http://127.0.0.1:${server.address().port}/wasm/npm/test/browser.html`;
const browser = spawn(process.argv[2], [...flags, page], { stdio: "ignore" });
browser.on("error", (error) => report(`${error}`));
browser.on("exit", (code) => report(`the browser ended with ${code}`));
const late = setTimeout(() => report("no result in three minutes"), 180000);
const result = await reported;
clearTimeout(late);
browser.kill();
server.closeAllConnections();
server.close();
await rm(profile, { recursive: true, force: true, maxRetries: 20 });
console.log(result);
process.exit(result.startsWith("passed: ") ? 0 : 1);
