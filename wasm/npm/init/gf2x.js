import { compiled } from "../load.js";
import { start } from "../modules/gf2x.js";

export default async function init(source) {
  start(await compiled(source));
}

export * from "../gf2x.js";
