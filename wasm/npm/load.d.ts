import type { Bytes } from "./arguments.js";

// TypeScript's own type of a module is empty, and takes everything.
type Module = WebAssembly.Module & object & { readonly then?: never };

/** What `init` takes for a module: its bytes, its address, or a `WebAssembly.Module`. */
export type Source = Bytes | string | URL | Module;
