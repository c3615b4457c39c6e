// Any description of a place in code as the exact place, and any place as a description that survives.

import { Client } from "./client.js";

export { Client } from "./client.js";
export { LocantError } from "./error.js";
export { program } from "./program.js";

let shared;

// One client for all plain functions. It ends with the process.
function client() {
  shared ??= new Client();
  return shared;
}

export const ask = (op, fields) => client().ask(op, fields);
export const locate = (location, options) => client().locate(location, options);
export const range = (location, options) => client().range(location, options);
export const describe = (file, position, options) => client().describe(file, position, options);
export const outline = (file, options) => client().outline(file, options);
export const relocate = (place, options) => client().relocate(place, options);
