import { compiled } from "../load.js";
import { start } from "../modules/hqc.js";

export default async function init(source) {
  start(await compiled(source));
}

export * from "../hqc.js";
