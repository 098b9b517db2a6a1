// What tests state.
export function equal(found, expected, what) {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}`);
}

/** The error of a call or its promise must be of exactly that class and begin with the argument's name. */
export async function refuses(call, type, name, what) {
  let result;
  try {
    result = await call();
  } catch (error) {
    if (error.constructor === type && error.message.startsWith(name)) return;
    throw new Error(`${what}: '${error}' is no ${type.name} that begins with '${name}'`);
  }
  throw new Error(`${what}: no error but ${result}`);
}
