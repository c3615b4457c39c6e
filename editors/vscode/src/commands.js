// The commands about locations: what they need from an editor, and what they do with the answers of the server.
'use strict';

/**
 * @typedef {{ line: number, character: number }} Position
 * @typedef {{ start: Position, end: Position }} Range
 * @typedef {{ uri: string, scheme: string, path: string, query: string, text: string, selected: string, range: Range,
 *   position: Position }} Current the document that is being edited or read, and what is selected in it
 * @typedef {object} Editor
 * @property {() => Promise<Current | undefined>} current
 * @property {(path: string) => string} uriOf the URI of a file
 * @property {(text: string) => PromiseLike<void>} copy
 * @property {(message: string) => void} say
 * @property {(message: string) => void} warn
 * @property {(prompt: string, value: string) => PromiseLike<string | undefined>} ask
 * @property {(uri: string, range: Range) => PromiseLike<void>} show
 * @typedef {{ uri?: string, position?: Position, range?: Range, location?: string, from?: string, oldText?: string }} Argument
 * @typedef {{ location: string, stable?: boolean, uri?: string, range?: Range, status?: string, matches?: number,
 *   notes?: string[] }} Answer
 */

const COPY = 'locant.copyLocation';
const GO = 'locant.goToLocation';
const GONE = 'locant.whereDidThisPlaceGo';

/**
 * The argument of a command: the given one, or one that is made from the selection in the editor. `undefined` if there
 * is nothing to do.
 * @param {string} command @param {Argument | undefined} given @param {Editor} editor
 * @returns {Promise<Argument | undefined>}
 */
async function argumentOf(command, given, editor) {
  if (given) return given;
  const current = await editor.current();
  if (command === GO) {
    const location = await editor.ask('A location: FILE:SYMBOL, FILE:LINE or FILE@text <|>text', current?.selected ?? '');
    return location ? { location, uri: current?.uri } : undefined;
  }
  if (!current) throw new Error('there is no document');
  if (command === COPY) return { uri: current.uri, range: current.range };
  const old = oldFile(current);
  if (old) return { uri: editor.uriOf(old), position: current.position, oldText: current.text };
  const from = await editor.ask('The revision in which the place was here', 'HEAD');
  return from ? { uri: current.uri, position: current.position, from } : undefined;
}

/**
 * The path of the file that a read-only document is an earlier version of. Git's documents have it in their query.
 * @param {Current} current @returns {string | undefined}
 */
function oldFile({ scheme, path, query }) {
  if (scheme === 'file' || scheme === 'untitled') return undefined;
  try {
    const told = JSON.parse(query);
    if (typeof told.path === 'string') return told.path;
  } catch {
    // The query of other documents is not JSON. Their own path is the path of the file.
  }
  return path;
}

/**
 * Carries out the answer of the server in the editor.
 * @param {string} command @param {Answer} answer @param {Editor} editor
 */
async function executed(command, answer, editor) {
  if (command === COPY) {
    await editor.copy(answer.location);
    const lasting = answer.stable ? '' : ' (a coordinate: the next edit above moves it)';
    return editor.say(`Copied ${answer.location}${lasting}`);
  }
  if (!answer.uri || !answer.range) throw new Error('the server named no place');
  await editor.show(answer.uri, answer.range);
  const notes = answer.notes ?? [];
  const found = command === GONE ? `${answer.status}: ${answer.location}` : answer.location;
  return notes.length > 0 ? editor.warn([found, ...notes].join('; ')) : editor.say(found);
}

module.exports = { argumentOf, executed, oldFile, COPY, GO, GONE };
