import { decoded } from "../load.js";
import { start } from "../modules/aead.js";
import base64 from "../pkg/aead/base64.js";

start(decoded(base64));

export * from "../aead.js";
