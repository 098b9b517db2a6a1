// From the bytes of a WebAssembly module to its functions.
import { bytes, isBytes, kindOf } from "./arguments.js";

const NEEDS = "an engine with WebAssembly SIMD and, under a Content-Security-Policy, script-src 'wasm-unsafe-eval'";

/** How each module begins: a zero, and `asm`. */
const MAGIC = [0, 0x61, 0x73, 0x6d];

const failed = (reason, cause) => new Error(reason, { cause });
const refusal = (name, error) => failed(`${name} does not compile: ${error.message.replace(/\.$/, "")}. It needs ${NEEDS}`, error);

/** Stands for the functions of a module that is not started. */
export function unstarted(entry) {
  const get = () => {
    throw new Error(`${entry} is not initialised: await the init() of ${entry}/init first`);
  };
  return new Proxy({}, { get });
}

/** The functions of a compiled module, if it has the function `mark`: another module has not. */
export function instantiate(generated, compiled, entry, mark) {
  if (!WebAssembly.Module.exports(compiled).some(({ name }) => name === mark)) {
    throw new Error(`source is another module than that of ${entry}`);
  }
  try {
    generated.initSync({ module: compiled });
  } catch (error) {
    throw failed(`source is not of this version of ${entry}: ${error.message}`, error);
  }
  return generated;
}

/** The module of bytes, an address or a module. */
export async function compiled(source) {
  if (isModule(source)) return source;
  if (typeof source === "string" || source instanceof URL) return fetched(source);
  if (isBytes(source)) return compile(bytes(source, "source"), "source");
  throw new TypeError(`source must be bytes, a URL or a WebAssembly.Module, not ${kindOf(source)}`);
}

// Its own method checks, and knows modules of every realm.
function isModule(value) {
  try {
    WebAssembly.Module.exports(value);
    return true;
  } catch {
    return false;
  }
}

/** The module at an address. */
export async function fetched(url) {
  const response = await fetch(url).catch((error) => {
    throw failed(`${url} cannot be fetched: ${error.cause?.message ?? error.message}`, error);
  });
  if (!response.ok) throw new Error(`${url} cannot be fetched: HTTP status ${response.status}. Bundlers that do not copy it need carryless/inline`);
  const type = response.headers.get("content-type") ?? "no type";
  // Engines compile while they receive, and keep the code, if the server names this type.
  if (!type.startsWith("application/wasm")) return compile(new Uint8Array(await response.arrayBuffer()), `${url} (${type})`);
  return WebAssembly.compileStreaming(response).catch((error) => {
    throw refusal(url, error);
  });
}

async function compile(contents, name) {
  if (!MAGIC.every((byte, at) => contents[at] === byte)) throw new Error(`${name} is no WebAssembly`);
  return WebAssembly.compile(contents).catch((error) => {
    throw refusal(name, error);
  });
}

/** The module of base64 digits. In one step, so that importers need not wait: CommonJS cannot. */
export function decoded(base64) {
  try {
    return new WebAssembly.Module(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch (error) {
    throw refusal("the module of carryless", error);
  }
}
