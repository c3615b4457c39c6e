// Reads a location as people write it: FILE:SCOPE@FIND.
//
// The program reads more forms than this page, such as lines of stack traces. A form that the page does not read is
// `undecided`, and the page says so.

class Undecided extends Error {}

/** What is not a location in any form that the page knows. */
class Invalid extends Error {}

const quotedPath = /^"((?:[^"]|"")*)"/;

/** Splits a location into path, scope and find. The path is that of the file, or empty. */
function split(words, path, written) {
  const text = words.trimStart();
  const own = [written, path, `./${path}`].find((name) => text.startsWith(name) && /^[:@#]|^$/.test(text.slice(name.length)));
  if (own !== undefined) return pieces(text.slice(own.length));
  const quoted = quotedPath.exec(text);
  if (quoted) {
    const name = quoted[1].replaceAll('""', '"');
    if (name !== path) throw new Undecided(`it names another file, ${name}`);
    return pieces(text.slice(quoted[0].length));
  }
  if (/^[:@]/.test(text)) return pieces(text);
  const end = text.search(/[:@]/);
  const name = end < 0 ? text : text.slice(0, end);
  if (name !== "" && end >= 0 && path.endsWith(`/${name}`)) return pieces(text.slice(end));
  throw new Undecided(end < 0 ? "it has neither a scope nor a text to find, or it is in a form that this page does not read" : `it may name another file, ${name}`);
}

function pieces(rest) {
  if (rest === "") throw new Invalid("it names the file, but no place in it: add :SYMBOL, :LINE or @TEXT");
  if (rest.startsWith("@")) return { scope: "", find: rest.slice(1) };
  const body = rest.startsWith(":") ? rest.slice(1) : rest;
  if (/^\d+(:\d+)?(-\d+:\d+)?[:)\].,; ]/.test(body)) throw new Undecided("it may be a line of a compiler or of a search");
  let at = 0;
  while (at < body.length && body[at] !== "@") {
    if (body[at] === "(" || body[at] === "<") throw new Undecided("parameters and types beside a name are not read by this page");
    if (body[at] === "`") {
      at = body.indexOf("`", at + 1);
      if (at < 0) throw new Invalid("a backtick in the scope is not closed");
    }
    at += 1;
  }
  return { scope: body.slice(0, at), find: at < body.length ? body.slice(at + 1) : undefined };
}

/** Reads a scope. */
function readScope(scope) {
  const text = scope.trim();
  const number = (digits) => Number(digits);
  const lines = (first, last) => {
    if (first === 0) throw new Invalid("there is no line 0: lines count from 1");
    if (last !== 0 && last < first) throw new Invalid("the lines end before they start");
    return { is: "lines", first, last };
  };
  if (text === "") return undefined;
  let match = /^#L(\d+)(?:-L?(\d+))?$/.exec(text) ?? /^L?(\d+)(?:(?:,|-|\.\.=?|–)L?(\d+))?$/.exec(text);
  if (match) return lines(number(match[1]), match[2] === undefined ? number(match[1]) : number(match[2]));
  match = /^(\d+):(\d+)(?:(?:-|\.\.)(\d+):(\d+))?$/.exec(text) ?? /^#L(\d+)C(\d+)(?:-L(\d+)C(\d+))?$/.exec(text);
  if (match) {
    const [line, column, endLine, endColumn] = match.slice(1).map((digits) => (digits === undefined ? undefined : number(digits)));
    if ([line, column, endLine, endColumn].includes(0)) throw new Invalid("lines and columns count from 1");
    return { is: "coordinate", line, column, endLine, endColumn };
  }
  match = /^\[\s*(-?\d+(?:\s*,\s*-?\d+)*)?\s*\]$/.exec(text);
  if (match) return { is: "descriptor", path: (match[1] ?? "").split(",").filter(Boolean).map(Number) };
  if (/^[\d#[]|^L\d/.test(text)) throw new Undecided("such a scope is not read by this page");
  return { is: "symbol", segments: segments(text), written: text };
}

/** Reads a symbol path: names, each with an index if several symbols have the same path. */
function segments(text) {
  const read = [];
  let rest = text.startsWith("::") ? text.slice(2) : text;
  for (;;) {
    const match = /^(?:`((?:[^`]|``)+)`|([^`.:[\]()<>]+))(?:\[(\d+)\])?/.exec(rest);
    if (!match || (match[2] !== undefined && match[2] !== match[2].trim())) throw new Undecided("such a name is not read by this page");
    const name = match[1] === undefined ? match[2] : match[1].replaceAll("``", "`");
    read.push({ name, index: match[3] === undefined ? undefined : Number(match[3]) });
    rest = rest.slice(match[0].length);
    if (rest === "") return read;
    const separator = /^(?:::|\.)/.exec(rest);
    if (!separator) throw new Undecided("such a name is not read by this page");
    rest = rest.slice(separator[0].length);
  }
}
