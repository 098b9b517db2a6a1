// Compiles a module: in Node from its file, elsewhere from its address.
export async function load(init, url) {
  if (typeof process !== "undefined" && process.versions?.node) {
    const { readFile } = await import("node:fs/promises");
    return init({ module_or_path: await readFile(url) });
  }
  return init({ module_or_path: url });
}
