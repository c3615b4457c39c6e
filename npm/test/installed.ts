// This program is run in a folder where the packed package is installed.

import { describe, locate, type LocateAnswer } from "locant";

const found: LocateAnswer = await locate("cart.py:Cart");
const { location } = await describe("cart.py", found.position);
console.log(`${found.position.line}:${found.position.character} ${location}`);
