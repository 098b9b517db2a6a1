import resolve from "@rollup/plugin-node-resolve";

// Without `browser: true` the .wasm file is inlined; rollup would not copy it.
export default { input: ["page.js", "worker.js"], output: { dir: "dist" }, plugins: [resolve()] };
