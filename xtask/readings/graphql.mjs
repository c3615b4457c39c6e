// Definitions as the reference implementation of GraphQL parses them.

import { parse, visit } from "graphql";
import { run, Symbols } from "./reading.mjs";

await run((text) => {
  const symbols = new Symbols(text);
  const inside = [];
  visit(parse(text, { allowLegacyFragmentVariables: true }), {
    enter(node) {
      const name = node.alias ?? node.name;
      if (name && node.kind !== "Name") symbols.add(name.value, node.kind, name.loc.start, inside);
      inside.push(node.kind);
    },
    leave() {
      inside.pop();
    },
  });
  return symbols.list;
});
