import { compiled } from "../load.js";
import { start } from "../modules/aead.js";

export default async function init(source) {
  start(await compiled(source));
}

export * from "../aead.js";
