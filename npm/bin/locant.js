#!/usr/bin/env node
// Runs the program `locant` with the same arguments, input, output and exit code.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { program } from "../lib/program.js";

let path;
try {
  path = program();
} catch (error) {
  console.error(`locant: ${error.message}`);
  process.exit(3);
}
const child = spawn(path, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  // A signal must not end this process before the child. So it goes to the child, and this process ends as the child
  // does.
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`locant: ${path} could not be started: ${error.message}`);
  process.exitCode = 3;
});
child.on("exit", (code, signal) => {
  process.exitCode = signal ? 128 + (constants.signals[signal] ?? 0) : code;
});
