// Turns any description of a place in code into the exact place, and any place into a description that survives.

import { Client } from "./client.js";

export { Client } from "./client.js";
export { LocantError } from "./error.js";
export { program } from "./program.js";

let shared;

// All plain functions share this client. It ends with the process.
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
