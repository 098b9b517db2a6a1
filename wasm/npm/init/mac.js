import { compiled } from "../load.js";
import { start } from "../modules/mac.js";

export default async function init(source) {
  start(await compiled(source));
}

export * from "../mac.js";
