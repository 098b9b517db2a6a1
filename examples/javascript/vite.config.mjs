// Not pre-bundled for `vite dev`, which would lose the .wasm file. In a worker, top-level await is for modules only.
export default { optimizeDeps: { exclude: ["carryless"] }, worker: { format: "es" } };
