import type { Source } from "../load.js";

export type { Source };

/**
 * Compiles the module; await it before the first call of anything else. A second call changes nothing.
 *
 * Rejects with a `TypeError` if `source` is none, and with an `Error` if it cannot be fetched or compiled, or is another module.
 */
export default function init(source: Source): Promise<void>;

export * from "../aead.js";
