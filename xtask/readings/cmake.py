"""Commands that name something, as cmake-format's lexer finds them. The argument is the path of that program."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv[1]).parent.parent))

from cmakelang import lex  # noqa: E402

from reading import run, symbol  # noqa: E402

BLANK = {"WHITESPACE", "NEWLINE", "COMMENT", "BRACKET_COMMENT"}
KINDS = {
    "function": "function", "macro": "macro", "set": "variable", "option": "variable", "project": "project",
    "add_library": "target", "add_executable": "target", "add_custom_target": "target",
}


def commands(tokens):
    """The name of each command, and the tokens of its first argument; there are none if it has no arguments."""
    depth, name, first, is_in_first = 0, None, [], False
    for token in tokens:
        kind = token.type.name
        if kind == "LEFT_PAREN":
            depth += 1
            if depth == 1:
                first, is_in_first = [], True
        elif kind == "RIGHT_PAREN":
            depth -= 1
            if depth == 0 and name is not None:
                yield name.spelling.lower(), first
                name = None
        elif depth == 0 and kind not in BLANK:
            name = token
        elif depth == 1 and is_in_first:
            if kind not in BLANK:
                first.append(token)
            elif first:
                is_in_first = False


def read(data, path):
    found, inside = [], []
    for name, first in commands(lex.tokenize(data.decode("utf-8"))):
        if name in ("endfunction", "endmacro") and inside:
            inside.pop()
        if name not in KINDS or not first:
            continue
        text = "".join(token.spelling for token in first)
        quote = 1 if text.startswith('"') else 0
        begin = first[0].begin
        found.append(symbol(text.strip('"'), KINDS[name], begin.line, begin.col + 1 + quote, inside))
        if name in ("function", "macro"):
            inside.append(name)
    return found


run(read)
