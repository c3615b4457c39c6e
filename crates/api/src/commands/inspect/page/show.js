// Makes elements, and shows text so that every character of it is seen as what it is.

/** Makes an element. Properties are set as properties or, if their name has a dash or is `role`, as attributes. Texts are never
 * read as markup. */
function element(name, properties = {}, children = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (key === "class") made.className = value;
    else if (key === "role" || key.includes("-")) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...[children].flat(Infinity).filter((child) => child !== undefined && child !== ""));
  return made;
}

/** Characters that are not seen, or that change how others are seen: controls, directions, joiners, odd blanks. */
const ODD = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;

const NAMES = new Map(
  Object.entries({
    0: "null", 7: "bell", 8: "backspace", 9: "tab", 10: "line feed", 11: "vertical tab", 12: "form feed", 13: "carriage return",
    0x1b: "escape", 0x20: "space", 0x7f: "delete", 0xa0: "no-break space", 0xad: "soft hyphen", 0x61c: "Arabic letter mark",
    0x200b: "zero width space", 0x200c: "zero width non-joiner", 0x200d: "zero width joiner",
    0x200e: "left-to-right mark", 0x200f: "right-to-left mark", 0x2028: "line separator", 0x2029: "paragraph separator",
    0x202a: "left-to-right embedding", 0x202b: "right-to-left embedding", 0x202c: "pop directional formatting",
    0x202d: "left-to-right override", 0x202e: "right-to-left override", 0x2066: "left-to-right isolate",
    0x2067: "right-to-left isolate", 0x2068: "first strong isolate", 0x2069: "pop directional isolate",
    0xfe0f: "variation selector 16", 0xfeff: "byte-order mark",
  }).map(([number, name]) => [Number(number), name]),
);

const hex = (number, digits) => number.toString(16).toUpperCase().padStart(digits, "0");

/** How a character is written by its number: U+00E9. */
const numbered = (character) => `U+${hex(character.codePointAt(0), 4)}`;

/** The number of a character and, if it is one that is not seen, its name. */
function called(character) {
  const name = NAMES.get(character.codePointAt(0));
  return name ? `${numbered(character)} ${name}` : numbered(character);
}

/** A short sign for a character that is not seen. */
const badge = (character) => element("span", { class: "odd", title: called(character) }, numbered(character));

/** A text whose odd characters are shown by their numbers. */
function visible(text) {
  if (!ODD.test(text)) return [text];
  const parts = [];
  let plain = "";
  for (const character of text) {
    if (!ODD.test(character)) {
      plain += character;
      continue;
    }
    parts.push(plain, badge(character));
    plain = "";
  }
  return [...parts, plain].filter((part) => part !== "");
}

/** A text as code, in the order in which its characters are stored. */
const code = (text, properties = {}) => element("code", { dir: "ltr", ...properties }, visible(text));

/** Says something to those who do not see the page. */
function say(words) {
  document.getElementById("said").textContent = words;
}

/** Copies a text, and says so on the button. */
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  say(`Copied: ${text}`);
  if (!button) return;
  button.textContent = "Copied";
  setTimeout(() => {
    button.textContent = "Copy";
  }, 1200);
}

/** Copies where the page may not write to the clipboard by itself, as in a file that some browsers open. */
function copyBySelection(text) {
  const focused = document.activeElement;
  const area = element("textarea", { class: "unseen", value: text });
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  focused?.focus();
}

const copyButton = (text, what) =>
  element("button", { type: "button", class: "copy", "aria-label": `Copy ${what}`, onclick: ({ currentTarget }) => copy(text, currentTarget) }, "Copy");

/** A text in single quotes for a shell. */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
