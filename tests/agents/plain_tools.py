"""Search by regular expression, reading, globbing and exact replacement, as coding agents commonly have them."""

import json
import os
import re
from pathlib import Path

N_LINES = 2000
N_CHARACTERS_OF_LINE = 2000
N_FILES = 100
N_MATCHES = 250

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
FLAG = {"type": "boolean"}


def schema(required, **properties):
    return {"type": "object", "properties": properties, "required": required}


TOOLS = [
    {
        "name": "grep",
        "description": "Search file contents with a regular expression. output_mode: files_with_matches (default), "
        "content (matching lines with line numbers) or count. glob filters files (\"*.py\", \"src/**/*.ts\"). "
        "-A, -B, -C give lines of context in content mode. head_limit cuts the output (default 250 lines).",
        "inputSchema": schema(
            ["pattern"],
            pattern=TEXT,
            path=TEXT,
            glob=TEXT,
            output_mode={"enum": ["content", "files_with_matches", "count"]},
            head_limit=NUMBER,
            multiline=FLAG,
            **{"-i": FLAG, "-A": NUMBER, "-B": NUMBER, "-C": NUMBER},
        ),
    },
    {
        "name": "read",
        "description": "Read a file with line numbers: up to 2000 lines from offset (a line number, from 1).",
        "inputSchema": schema(["file_path"], file_path=TEXT, offset=NUMBER, limit=NUMBER),
    },
    {
        "name": "glob",
        "description": "List files whose path matches a pattern such as \"**/*.py\" (at most 100).",
        "inputSchema": schema(["pattern"], pattern=TEXT, path=TEXT),
    },
    {
        "name": "edit",
        "description": "Replace old_string by new_string in a file. Fails if old_string is not there, or is not unique "
        "and replace_all is not set.",
        "inputSchema": schema(
            ["file_path", "old_string", "new_string"],
            file_path=TEXT,
            old_string=TEXT,
            new_string=TEXT,
            replace_all=FLAG,
        ),
    },
]


class Refused(Exception):
    pass


class PlainTools:
    names = [tool["name"] for tool in TOOLS]

    def __init__(self, root):
        self.root = root

    def tools(self):
        return "\n".join(json.dumps(tool, separators=(",", ":")) for tool in TOOLS)

    def call(self, name, arguments):
        tool = {"grep": self.grep, "read": self.read, "glob": self.glob, "edit": self.edit}.get(name)
        if tool is None:
            return f"there is no tool {name}", True, {}
        try:
            return tool(arguments), False, {}
        except KeyError as missing:
            return f"{missing} is missing", True, {}
        except (Refused, OSError, re.error, TypeError) as why:
            return str(why).replace(str(self.root), "."), True, {}

    def place(self, path):
        path = (self.root / path).resolve()
        if not path.is_relative_to(self.root):
            raise Refused("outside of the project")
        return path

    def name(self, path):
        return path.relative_to(self.root).as_posix()

    def files(self, top, pattern):
        """All files below a folder, those of a glob if there is one. Hidden files are left out."""
        if top.is_file():
            return [top]
        matcher = re.compile(translated(pattern)) if pattern else None
        found = []
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(own for own in folders if not own.startswith("."))
            for name in sorted(names):
                path = Path(folder) / name
                if matcher is None or matcher.fullmatch(path.relative_to(top).as_posix()):
                    if not name.startswith("."):
                        found.append(path)
        return found

    def grep(self, arguments):
        flags = re.MULTILINE | (re.IGNORECASE if arguments.get("-i") else 0)
        flags |= re.DOTALL if arguments.get("multiline") else 0
        wanted = re.compile(arguments["pattern"], flags)
        mode = arguments.get("output_mode", "files_with_matches")
        around = arguments.get("-C", 0)
        before, after = arguments.get("-B", around), arguments.get("-A", around)
        out = []
        for path in self.files(self.place(arguments.get("path", ".")), arguments.get("glob")):
            text = text_of(path)
            if text is None:
                continue
            lines = text.split("\n")
            if arguments.get("multiline"):
                hits = sorted({text.count("\n", 0, found.start()) for found in wanted.finditer(text)})
            else:
                hits = [n for n, line in enumerate(lines) if wanted.search(line)]
            if hits and mode == "content":
                out += shown(self.name(path), lines, hits, before, after)
            elif hits:
                out.append(f"{self.name(path)}:{len(hits)}" if mode == "count" else self.name(path))
        limit = arguments.get("head_limit") or N_MATCHES
        cut = [f"[{len(out) - limit} more lines]"] if len(out) > limit else []
        return "\n".join(out[:limit] + cut) or "No matches found"

    def read(self, arguments):
        path = self.place(arguments["file_path"])
        lines = path.read_text(errors="replace").split("\n")
        if lines[-1] == "":
            lines.pop()
        first = max(arguments.get("offset", 1), 1) - 1
        chosen = lines[first : first + arguments.get("limit", N_LINES)]
        numbered = enumerate(chosen, first + 1)
        return "\n".join(f"{n:>6}\t{line[:N_CHARACTERS_OF_LINE]}" for n, line in numbered) or "(no lines)"

    def glob(self, arguments):
        found = self.files(self.place(arguments.get("path", ".")), arguments["pattern"])
        cut = [f"[{len(found) - N_FILES} more files]"] if len(found) > N_FILES else []
        return "\n".join([self.name(path) for path in found[:N_FILES]] + cut) or "No files found"

    def edit(self, arguments):
        path = self.place(arguments["file_path"])
        old, new = arguments["old_string"], arguments["new_string"]
        with path.open(newline="") as file:
            text = file.read()
        n_found = text.count(old) if old else 0
        if n_found == 0:
            raise Refused("old_string was not found in the file")
        if n_found > 1 and not arguments.get("replace_all"):
            raise Refused(f"old_string stands {n_found} times in the file; make it unique, or set replace_all")
        with path.open("w", newline="") as file:
            file.write(text.replace(old, new))
        return f"{self.name(path)} has been updated"


def text_of(path):
    data = path.read_bytes()
    return None if b"\0" in data[:8192] else data.decode(errors="replace")


def shown(name, lines, hits, before, after):
    """The lines of matches, with context as grep prints it."""
    out, last = [], -1
    hit = set(hits)
    for n in hits:
        for k in range(max(n - before, last + 1, 0), min(n + after + 1, len(lines))):
            if last >= 0 and k > last + 1 and (before or after):
                out.append("--")
            mark = ":" if k in hit else "-"
            out.append(f"{name}{mark}{k + 1}{mark}{lines[k][:N_CHARACTERS_OF_LINE]}")
            last = k
    return out


def translated(pattern):
    """A glob as a regular expression. One without a slash may stand in any folder, as with ripgrep."""
    if "/" not in pattern:
        pattern = f"**/{pattern}"
    out, at = "", 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            out, at = out + "(?:.*/)?", at + 3
        elif pattern.startswith("**", at):
            out, at = out + ".*", at + 2
        elif pattern[at] == "{" and "}" in pattern[at:]:
            end = pattern.index("}", at)
            out += "(?:" + "|".join(re.escape(part).replace(r"\*", "[^/]*") for part in pattern[at + 1 : end].split(",")) + ")"
            at = end + 1
        else:
            out += {"*": "[^/]*", "?": "[^/]"}.get(pattern[at], re.escape(pattern[at]))
            at += 1
    return out
