import { SHORT, bytes } from "./arguments.js";
import { Handle, inner } from "./handle.js";
import { module } from "./modules/aead.js";

/** The most bytes of a message or of data: the module's memory holds all of them, and cannot shrink. */
const LONGEST = 1 << 28;

const NOTHING = new Uint8Array(0);

// The arguments of both methods; `name` is that of the message.
const checked = (nonce, message, data, name) =>
  [bytes(nonce, "nonce", SHORT), bytes(message, name, LONGEST), data === undefined ? NOTHING : bytes(data, "data", LONGEST)];

function cipher(name, isExtended) {
  return class Cipher extends Handle {
    static name = name;

    constructor(key) {
      super(new module.Aead(isExtended, bytes(key, "key", SHORT)));
    }

    seal(nonce, message, data) {
      return inner(this, Cipher).seal(...checked(nonce, message, data, "message"));
    }

    open(nonce, sealed, data) {
      return inner(this, Cipher).open(...checked(nonce, sealed, data, "sealed"));
    }
  };
}

export const ChaCha20Poly1305 = cipher("ChaCha20Poly1305", false);
export const XChaCha20Poly1305 = cipher("XChaCha20Poly1305", true);
