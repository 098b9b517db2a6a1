import { decoded } from "../load.js";
import { start } from "../modules/mac.js";
import base64 from "../pkg/mac/base64.js";

start(decoded(base64));

export * from "../mac.js";
