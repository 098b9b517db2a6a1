// Objects whose state lies in a module's memory.
import { kindOf } from "./arguments.js";

/** The module's object of a handle, or an error that calls the handle `name`: a TypeError if it is no `type`, an Error if it was freed. */
export let inner;

// structuredClone, postMessage and JSON.stringify read what is enumerable, and an empty object would be all that they make of a handle.
// One object for all handles, because to define a getter of its own would take each 0.7 us.
const uncopied = Object.freeze({
  get memory() {
    throw new TypeError("objects of carryless cannot be copied, sent or put into JSON: their state is in the memory of WebAssembly");
  },
});

// The module's object is private: no other object passes for a handle, and copies and JSON do not show an address.
export class Handle {
  #inner;
  state = uncopied;

  constructor(inner) {
    this.#inner = inner;
  }

  free() {
    this.#inner?.free();
    this.#inner = undefined;
  }

  static {
    inner = (value, type, name = "this") => {
      // A proxy has no private member, so that it is not asked for its class.
      if (!(Object(value) === value && #inner in value && value instanceof type)) throw new TypeError(`${name} must be a ${type.name}, not ${kindOf(value)}`);
      if (value.#inner === undefined) throw new Error(`${name} is a ${type.name} that has been freed`);
      return value.#inner;
    };
    if (Symbol.dispose) Handle.prototype[Symbol.dispose] = Handle.prototype.free;
  }
}

/** A handle of class `type` for an object of the module, without that class' constructor, which is for callers. */
export const wrap = (inner, type) => Reflect.construct(Handle, [inner], type);
