"""What the readings in Python share: paths come in line by line, the symbols of each file go out as JSON."""

import json
import sys


def run(read):
    """Answers every path of standard input with `read(bytes, path)`: a list of symbols."""
    for line in sys.stdin:
        path = line.rstrip("\n")
        with open(path, "rb") as file:
            data = file.read()
        try:
            answer = {"path": path, "symbols": read(data, path)}
        except (SyntaxError, ValueError, RecursionError) as error:
            answer = {"path": path, "error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


def symbol(name, kind, line, column, inside):
    """Line and column from 1."""
    return {"name": name, "kind": kind, "line": line, "column": column, "inside": list(inside)}
