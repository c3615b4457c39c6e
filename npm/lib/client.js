// A running `locant batch`. Each line is a JSON request or its answer, and answers come in the order of the requests.

import { spawn } from "node:child_process";
import { LocantError } from "./error.js";
import { program } from "./program.js";

/** Runs the program once and keeps it, so that files stay parsed and language servers stay warm. */
export class Client {
  #child;
  #waiting = [];
  #rest = [];
  #ended = null;
  #exited;

  constructor({ root, program: given } = {}) {
    const args = root === undefined ? ["batch"] : ["batch", "--root", root];
    this.#child = spawn(given ?? program(), args, { stdio: ["pipe", "pipe", "ignore"] });
    this.#child.stdout.on("data", (bytes) => this.#read(bytes));
    // If the program has ended, writing to it fails. The handler of its exit reports that.
    this.#child.stdin.on("error", () => {});
    this.#child.on("error", (error) => this.#end(`it could not be started: ${error.message}`));
    this.#exited = new Promise((done) => {
      this.#child.on("close", () => {
        this.#end("it has ended");
        done();
      });
      this.#child.on("error", () => done());
    });
    this.#idle();
  }

  /** Asks any command, with the fields of a batch request. Rejects with a LocantError that has candidates. */
  ask(op, fields = {}) {
    if (this.#ended) return Promise.reject(gone(this.#ended));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.stdin.write(`${JSON.stringify({ ...fields, op })}\n`);
      this.#busy();
    });
  }

  /** The place that a location means. */
  locate(location, options) {
    return this.ask("locate", { ...options, locate: location });
  }

  /** The stretch of text that a location means. */
  range(location, options) {
    return this.ask("range", { ...options, locate: location });
  }

  /** The location that leads to a place, and the anchor that finds it again after a change. */
  describe(file, position, options) {
    return this.ask("describe", { ...options, file_path: file, position });
  }

  /** The symbols of a file. */
  outline(file, options) {
    return this.ask("outline", { ...options, file_path: file });
  }

  /** The current place of an anchor, or of a location together with the `old_text` for which it was written. */
  relocate(place, options) {
    const said = typeof place === "object" && "digest" in place ? { anchor: place } : { locate: place };
    return this.ask("locate", { ...options, ...said });
  }

  /** Ends the program. */
  async close() {
    this.#busy();
    this.#child.stdin.end();
    const late = setTimeout(() => this.#child.kill("SIGKILL"), 5000);
    await this.#exited;
    clearTimeout(late);
  }

  [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    return this.close();
  }

  #read(bytes) {
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      const line = Buffer.concat([...this.#rest, bytes.subarray(start, end)]);
      this.#rest = [];
      start = end + 1;
      this.#answer(JSON.parse(line.toString("utf8")));
    }
    if (start < bytes.length) this.#rest.push(bytes.subarray(start));
  }

  #answer({ result, error }) {
    const { resolve, reject } = this.#waiting.shift();
    if (error) reject(new LocantError(error));
    else resolve(result);
    if (this.#waiting.length === 0) this.#idle();
  }

  #end(why) {
    this.#ended ??= why;
    for (const { reject } of this.#waiting.splice(0)) reject(gone(this.#ended));
  }

  // While a client waits for no answer, it does not keep its process alive.
  #idle() {
    for (const part of [this.#child, this.#child.stdin, this.#child.stdout]) part.unref?.();
  }

  #busy() {
    for (const part of [this.#child, this.#child.stdin, this.#child.stdout]) part.ref?.();
  }
}

function gone(why) {
  return new LocantError({ kind: "server", message: `locant gave no answer: ${why}`, hint: "make a new client" });
}
