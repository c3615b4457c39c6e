// Finds the program. It is in the package for this platform, which is installed beside this package.

import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** The name of the package with the program for a platform. */
export function platformPackage(platform = process.platform, arch = process.arch) {
  return `locant-${platform}-${arch}`;
}

/** The path of the program. `LOCANT_PROGRAM` may name another program. */
export function program() {
  const given = process.env.LOCANT_PROGRAM;
  if (given) return given;
  const name = platformPackage();
  const file = process.platform === "win32" ? "locant.exe" : "locant";
  let path;
  try {
    path = require.resolve(`${name}/bin/${file}`);
  } catch {
    throw new Error(
      `there is no program for this platform: the package ${name} is not installed; ` +
        "install it, or name a program in LOCANT_PROGRAM",
    );
  }
  accessSync(path, constants.X_OK);
  return path;
}
