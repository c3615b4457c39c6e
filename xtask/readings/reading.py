"""The code that all readings in Python share. It reads one path per line, and prints the symbols of each file as JSON."""

import json
import sys


def run(read):
    """Reads paths from standard input, and answers each with the list of symbols that `read(bytes, path)` returns."""
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
    """The line and the column, counted from 1."""
    return {"name": name, "kind": kind, "line": line, "column": column, "inside": list(inside)}
