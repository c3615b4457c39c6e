/** A line and a character in it, both counted from 1. */
export interface Position {
  line: number;
  character: number;
}

/** A stretch of text. `start` belongs to it, `end` does not. */
export interface Range {
  start: Position;
  end: Position;
}

export type Scope =
  | string
  | { symbol_path: string[] }
  | { line: number | [number, number] }
  | { start_line: number; end_line: number }
  | { descriptor_path: number[] };

/** A location as a string, `FILE:SCOPE@FIND`, or as an object. */
export type Location = string | { file_path: string; scope?: Scope; find?: string; find_index?: number };

export interface Options {
  /** The text of the file, in place of what is on disk. */
  text?: string;
  /** What `character` counts; the default is "utf-16", as in JavaScript strings. */
  encoding?: "utf-16" | "utf-8" | "utf-32";
  /** Which of several matches, counted from 0. */
  find_index?: number;
  /** Find the place again after a change, with no more than what the location says about it. */
  fuzzy?: boolean;
  /** Fail when several places match. */
  strict?: boolean;
  /** Leave comments and strings out. */
  code?: boolean;
  /** The directory that relative paths start from. */
  root?: string;
  language?: string;
  /** Give up after this number of milliseconds. */
  timeout_ms?: number;
}

export interface Candidate {
  /** A location that leads to the place. */
  location: string;
  position?: Position;
  offset?: number;
  line_text?: string;
  why: string;
}

export interface LocateAnswer {
  file_path: string;
  position: Position;
  /** The place as a number of bytes from the start of the file. */
  offset: number;
  encoding: string;
  line_text: string;
  /** How many places match, this one included. */
  matches: number;
  /** Whether the match cuts a word in two. */
  partial: boolean;
  /** The other places that match. */
  candidates: Candidate[];
  status: "exact" | "relocated" | "renamed";
  /** If the place was found again after a change: how sure it is, from 0 to 1. */
  confidence?: number;
  /** A location that leads to exactly this place. */
  location: string;
  notes?: string[];
}

export interface RangeAnswer extends LocateAnswer {
  range: Range;
  text: string;
}

/** The knowledge about a place with which it is found again after its file has changed. It can be kept as JSON. */
export interface Anchor {
  location: string;
  digest: string;
  [field: string]: unknown;
}

export interface DescribeAnswer {
  location: string;
  alternatives: string[];
  /** Whether the location survives changes of other lines. */
  stable: boolean;
  anchor?: Anchor;
  symbol_path: string[];
  position: Position;
  [field: string]: unknown;
}

export interface OutlineSymbol {
  name: string;
  kind: string;
  path: string[];
  range: Range;
  selection_range: Range;
  detail?: string;
  location: string;
  children: OutlineSymbol[];
}

export interface OutlineAnswer {
  file_path: string;
  symbols: OutlineSymbol[];
}

export type Kind =
  | "not_found"
  | "ambiguous"
  | "gone"
  | "invalid_location"
  | "no_such_file"
  | "unsupported"
  | "refused"
  | "server"
  | "io"
  | "cancelled";

/** There is no answer. */
export class LocantError extends Error {
  kind: Kind;
  /** What to try next. */
  hint: string;
  /** Places that may be meant, the most likely first. */
  candidates: Candidate[];
}

/** Runs the program once and keeps it, so that files stay parsed and language servers stay warm. */
export class Client {
  constructor(options?: { root?: string; program?: string });
  /** Asks any command, with the fields of a batch request. */
  ask<T = Record<string, unknown>>(op: string, fields?: Record<string, unknown>): Promise<T>;
  /** The place that a location means. */
  locate(location: Location, options?: Options): Promise<LocateAnswer>;
  /** The stretch of text that a location means. */
  range(location: Location, options?: Options): Promise<RangeAnswer>;
  /** The location that leads to a place, and the anchor that finds it again after a change. */
  describe(file: string, position: Position, options?: Options): Promise<DescribeAnswer>;
  /** The symbols of a file. */
  outline(file: string, options?: Options): Promise<OutlineAnswer>;
  /** The current place of an anchor, or of a location together with the text for which it was written. */
  relocate(place: Location | Anchor, options?: Options & { old_text?: string; file_path?: string }): Promise<LocateAnswer>;
  /** Ends the program. */
  close(): Promise<void>;
}

/** These functions ask a client that all callers share. */
export function ask<T = Record<string, unknown>>(op: string, fields?: Record<string, unknown>): Promise<T>;
export const locate: Client["locate"];
export const range: Client["range"];
export const describe: Client["describe"];
export const outline: Client["outline"];
export const relocate: Client["relocate"];

/** The path of the program. */
export function program(): string;
