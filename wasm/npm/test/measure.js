// `node test/measure.js`: bytes a second, the best of many calls.
import { FileMac, poly1305 } from "carryless";

const key = new Uint8Array(32).fill(7);
const mac = new FileMac(key);
for (const length of [64, 1024, 16384, 1 << 20]) {
  const message = new Uint8Array(length);
  for (const [name, call] of [["poly1305", () => poly1305(key, message)], ["FileMac.tag", () => mac.tag(message)]]) {
    const calls = Math.max(1, Math.floor((1 << 22) / length));
    let best = Infinity;
    for (let sample = 0; sample < 40; sample++) {
      const start = process.hrtime.bigint();
      for (let i = 0; i < calls; i++) call();
      best = Math.min(best, Number(process.hrtime.bigint() - start) / calls);
    }
    console.log(`${name} of ${length} bytes: ${best.toFixed(0)} ns, ${(length / best).toFixed(2)} GB/s`);
  }
}
