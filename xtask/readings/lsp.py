"""Symbols from textDocument/documentSymbol of a language server. Arguments: languageId, the server, its arguments."""

import json
import subprocess
import sys
from pathlib import Path

from reading import run, symbol

KINDS = (
    "- file module namespace package class method property field constructor enum interface function variable constant "
    "string number boolean array object key null enum-member struct event operator type-parameter"
).split()


class Server:
    """Speaks with one server over its standard input and output."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.n_requests = 0
        self.ask("initialize", {
            "processId": None, "rootUri": None,
            "capabilities": {
                "general": {"positionEncodings": ["utf-16"]},
                "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
            },
        })
        self.tell("initialized", {})

    def tell(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, params):
        self.n_requests += 1
        self.send({"jsonrpc": "2.0", "id": self.n_requests, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.n_requests and "method" not in message:
                if "error" in message:
                    raise ValueError(message["error"]["message"])
                return message["result"]
            if "id" in message and "method" in message:
                # This is a request of the server. It must be answered, because some servers would wait forever.
                items = message.get("params") or {}
                result = [None] * len(items["items"]) if "items" in items else None
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def send(self, message):
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline()).strip():
            key, value = line.split(b":", 1)
            if key.lower() == b"content-length":
                length = int(value)
        if length == 0:
            raise EOFError("the server ended")
        return json.loads(self.process.stdout.read(length))


def last_part(name):
    """`f` for `a::b<c::d>::f`: the qualifiers in front are removed. Operators are left whole."""
    depth, start = 0, 0
    for at, character in enumerate(name):
        if name.startswith("operator", at):
            break
        depth += {"<": 1, ">": -1}.get(character, 0)
        if depth == 0 and name.startswith("::", at):
            start = at + 2
    return name[start:]


def flatten(found, symbols, inside):
    for item in symbols:
        place = item.get("selectionRange") or item["location"]["range"]
        kind = KINDS[item["kind"]]
        start = place["start"]
        found.append(symbol(last_part(item["name"]), kind, start["line"] + 1, start["character"] + 1, inside))
        flatten(found, item.get("children") or [], inside + [kind])


server = Server(sys.argv[2:])


def read(data, path):
    uri = Path(path).as_uri()
    document = {"uri": uri, "languageId": sys.argv[1], "version": 1, "text": data.decode("utf-8")}
    server.tell("textDocument/didOpen", {"textDocument": document})
    found = []
    flatten(found, server.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}}) or [], [])
    server.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    return found


run(read)
server.ask("shutdown", None)
server.tell("exit", None)
