import { build } from "esbuild";

// Inlined, because esbuild does not copy the .wasm file.
const alias = { carryless: "carryless/inline" };
await build({ entryPoints: ["page.js", "worker.js"], bundle: true, format: "esm", outdir: "dist", alias });
