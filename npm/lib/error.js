/** There is no answer. */
export class LocantError extends Error {
  constructor({ kind, message, hint = "", candidates = [] }) {
    super(hint ? `${message}; ${hint}` : message);
    this.name = "LocantError";
    this.kind = kind;
    this.hint = hint;
    this.candidates = candidates;
  }
}
