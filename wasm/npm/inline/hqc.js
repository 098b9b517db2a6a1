import { decoded } from "../load.js";
import { start } from "../modules/hqc.js";
import base64 from "../pkg/hqc/base64.js";

start(decoded(base64));

export * from "../hqc.js";
