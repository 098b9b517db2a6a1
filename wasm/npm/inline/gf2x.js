import { decoded } from "../load.js";
import { start } from "../modules/gf2x.js";
import base64 from "../pkg/gf2x/base64.js";

start(decoded(base64));

export * from "../gf2x.js";
